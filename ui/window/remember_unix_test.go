//go:build unix && (cgo || !darwin)

package window

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"headroom/sensors/wholefile"
)

func TestRecallDoesNotWaitForAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := recall(path); !errors.Is(err, wholefile.ErrNotRegular) {
		t.Errorf("recall of a named pipe: %v, want %v", err, wholefile.ErrNotRegular)
	}
}
