//go:build soak && cgo && !nogui && linux

package cli

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// soakHomeSize is the size of the home's own disk, in the kernel's words. A recording of some minutes fills it.
const soakHomeSize = "size=24m,mode=700"

// soakHome is a home on a small disk of its own, which is full or read-only at times.
type soakHome struct {
	dir  string
	rand *rand.Rand
}

// newSoakHome mounts the disk, which needs a mount namespace of our own.
func newSoakHome(dir string, r *rand.Rand) (*soakHome, error) {
	h := &soakHome{dir: dir, rand: r}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	if err := syscall.Mount("headroom-soak", dir, "tmpfs", 0, soakHomeSize); err != nil {
		return nil, &os.PathError{Op: "mount a disk for the home; .ci/soak gives the right to", Path: dir, Err: err}
	}
	return h, os.Mkdir(h.documents(), 0o700)
}

func (h *soakHome) documents() string { return filepath.Join(h.dir, "Documents") }
func (h *soakHome) filler() string    { return filepath.Join(h.dir, "filler") }
func (h *soakHome) settings() string {
	return filepath.Join(h.dir, ".config", "headroom", "window.json")
}

func (h *soakHome) unmount() error { return syscall.Unmount(h.dir, syscall.MNT_DETACH) }

// remount makes the disk writable or not. While a file is open for writing the kernel refuses to take that away.
func (h *soakHome) remount(flags uintptr) error {
	err := syscall.Mount("headroom-soak", h.dir, "tmpfs", syscall.MS_REMOUNT|flags, soakHomeSize)
	if errors.Is(err, syscall.EBUSY) {
		return nil
	}
	return err
}

// mend makes the disk writable and takes away what the recordings and the faults left.
func (h *soakHome) mend() error {
	return errors.Join(h.remount(0), os.RemoveAll(h.filler()), h.removeRecordings())
}

func (h *soakHome) removeRecordings() error {
	if err := os.RemoveAll(h.documents()); err != nil {
		return err
	}
	return os.Mkdir(h.documents(), 0o700)
}

// harm does one thing to the disk, or to what Headroom keeps on it.
func (h *soakHome) harm() error {
	var err error
	switch h.rand.IntN(6) {
	case 0:
		err = h.fill()
	case 1:
		return h.remount(syscall.MS_RDONLY)
	case 2:
		err = h.removeRecordings()
	case 3:
		err = os.WriteFile(h.settings(), []byte(`{"version": 99, "page": [`), 0o600)
	default:
		return h.mend()
	}
	// One fault may stand in the way of another.
	if errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// fill leaves no byte free.
func (h *soakHome) fill() error {
	f, err := os.OpenFile(h.filler(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for block := make([]byte, 64<<10); err == nil; {
		_, err = f.Write(block)
	}
	return err
}
