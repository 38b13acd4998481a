package wholefile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestReadIsBounded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kept")
	if err := Keep(path, []byte("12345")); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(path, 5); err != nil || string(b) != "12345" {
		t.Errorf("within the limit: %q, %v", b, err)
	}
	if b, err := Read(path, 4); err == nil || b != nil {
		t.Errorf("beyond the limit: %q, %v", b, err)
	}
	if _, err := Read(dir, 5); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "none"), 5); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestAFailedWriteLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "folder", "kept")
	if err := Keep(path, []byte("before")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	err := Replace(path, 0o644, func(f *os.File) error {
		if _, err := f.WriteString("half"); err != nil {
			return err
		}
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	if b, err := Read(path, 100); err != nil || string(b) != "before" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("beside it stand %v, %v", left, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}
