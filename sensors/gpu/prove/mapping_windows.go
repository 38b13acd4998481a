package prove

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapFile maps a file for reading; release unmaps it.
func mapFile(f *os.File, size int) (data []byte, release func() error, err error) {
	m, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	defer func() { _ = windows.CloseHandle(m) }()
	at, err := windows.MapViewOfFile(m, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	data = unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), at)), size)
	return data, func() error { return windows.UnmapViewOfFile(at) }, nil
}
