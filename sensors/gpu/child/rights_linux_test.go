package child

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTheChildGainsNoRightsAndInheritsNoFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "open in the parent")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := drain(start(t, t.Context(), "rights"))
	if err == nil || len(lines) == 0 {
		t.Fatalf("got %q, %v", lines, err)
	}
	if !slices.Contains(lines, "NoNewPrivs:\t1") {
		t.Error("the child may gain rights")
	}
	if text := strings.Join(lines, "\n"); !strings.Contains(text, "\nfile 0 pipe:") || strings.Contains(text, path) {
		t.Errorf("its files are\n%s", text[strings.Index(text, "file 0"):])
	}
}
