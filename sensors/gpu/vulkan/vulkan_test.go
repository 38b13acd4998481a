//go:build linux && cgo

package vulkan

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lists cards when asked to, so that each test chooses the drivers that the loader sees.
func TestMain(m *testing.M) {
	if os.Getenv("HEADROOM_TEST_LIST") == "" {
		os.Exit(m.Run())
	}
	l, err := Open()
	if err != nil {
		os.Stdout.WriteString(err.Error())
		return
	}
	defer l.Close()
	// Twice: what is read again must be read afresh, not from a state left behind.
	if _, err := l.Cards(); err != nil {
		panic(err)
	}
	cards, err := l.Cards()
	if err != nil {
		panic(err)
	}
	for _, c := range cards {
		if c.Heap > 0 && c.Type == "cpu" && c.VendorID != 0 {
			os.Stdout.WriteString(c.Name + "|" + c.Driver + "\n")
		}
	}
}

func TestSoftwareCardHasNameDriverAndHeap(t *testing.T) {
	found, err := filepath.Glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
	if err != nil || len(found) == 0 {
		t.Skip("Mesa's software Vulkan driver is not installed")
	}
	got := listWith(t, found[0])
	if !strings.HasPrefix(got, "llvmpipe") || !strings.Contains(got, "|llvmpipe Mesa ") || strings.Count(got, "\n") != 1 {
		t.Fatalf("got %q", got)
	}
}

func TestNoDriverIsOneClearError(t *testing.T) {
	got := listWith(t, "/nonexistent")
	if !strings.HasPrefix(got, "open Vulkan: ") || strings.Contains(got, "\n") || strings.Contains(got, "code -9") {
		t.Fatalf("got %q", got)
	}
}

func listWith(t *testing.T, driver string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "HEADROOM_TEST_LIST=1", "VK_DRIVER_FILES="+driver, "VK_ICD_FILENAMES="+driver)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
