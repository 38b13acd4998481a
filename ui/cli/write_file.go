package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"headroom/sensors/wholefile"
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
	return wholefile.Replace(place, 0o644, func(f *os.File) error { return write(f) })
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
