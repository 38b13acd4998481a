//go:build unix

package prove

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading; release unmaps it.
func mapFile(f *os.File, size int) (data []byte, release func() error, err error) {
	data, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
