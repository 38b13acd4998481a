//go:build unix

package trace

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// To open a pipe would wait for a writer that may never come.
func TestPipeIsNoRecording(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(pipe); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe gave %v", err)
	}
}
