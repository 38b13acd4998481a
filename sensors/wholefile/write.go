package wholefile

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Replace has write fill a file beside path and then puts it in path's place. Where anything fails, what was there stays and
// nothing is left beside it.
func Replace(path string, mode fs.FileMode, write func(*os.File) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
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
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Keep writes what later runs may use to a file that is the user's alone, and makes its folder where there is none. The disk
// is not waited for: what a crash of the machine loses can be had again.
func Keep(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Replace(path, 0o600, func(f *os.File) error {
		_, err := f.Write(b)
		return err
	})
}
