package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile writes a file at once or not at all: beside it first, then in its place.
func writeFile(path string, write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	place, err := placeOf(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(place), ".headroom-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = write(f); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), place)
}

// placeOf is where a path's file lies: what a link points to, so that the link stays. A device, a pipe or a folder is refused,
// for a new file would take its place: as root, even that of /dev/null.
func placeOf(path string) (string, error) {
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", err
		}
	}
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file: name a file")
	}
	return path, err
}
