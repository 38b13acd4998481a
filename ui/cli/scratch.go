package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// scratchPrefix begins the names of folders that hold a recorded host while it is read.
const scratchPrefix = "headroom-sysroot-"

// scratch is a folder that only this user can read, until it is removed. It is locked as long as this process lives, so that a
// later one knows whether it was left behind.
type scratch struct {
	dir  string
	lock *os.File // nil where the system has no such lock
}

// newScratch makes one, and removes those that processes of this user have left behind when they were killed.
func newScratch() (scratch, error) {
	sweep()
	for range 10 {
		dir, err := os.MkdirTemp("", scratchPrefix)
		if err != nil {
			return scratch{}, err
		}
		lock, err := lockDir(dir)
		if err == nil && stands(dir, lock) {
			return scratch{dir, lock}, nil
		}
		// Another process has taken it for a leftover, between its making and its lock.
		scratch{dir, lock}.remove()
	}
	return scratch{}, errors.New("each new folder was removed by another process: set TMPDIR to a folder of your own")
}

func (s scratch) remove() {
	_ = os.RemoveAll(s.dir)
	if s.lock != nil {
		s.lock.Close()
	}
}

// stands reports whether the folder that is locked is still the one of that name.
func stands(dir string, lock *os.File) bool {
	if lock == nil {
		return true
	}
	now, err := os.Lstat(dir)
	if err != nil {
		return false
	}
	locked, err := lock.Stat()
	return err == nil && os.SameFile(now, locked)
}

// sweep removes what was left behind: this user's folders of the name, no links, that nobody locks.
func sweep() {
	entries, _ := os.ReadDir(os.TempDir()) // what cannot be listed is not swept
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		dir := filepath.Join(os.TempDir(), e.Name())
		if lock, err := lockDir(dir); err == nil && lock != nil {
			scratch{dir, lock}.remove()
		}
	}
}
