package sensors

import (
	"fmt"
	"os"
	"syscall"

	"headroom/sensors/sysfs"
)

// ownResident is the memory that this process holds now.
func ownResident(*syscall.Rusage) (uint64, string, error) {
	const source = "/proc/self/statm"
	text, err := sysfs.New("", nil).Attr("proc/self/statm").Text()
	if err != nil {
		return 0, source, err
	}
	var size, resident uint64
	if _, err := fmt.Sscan(text, &size, &resident); err != nil {
		return 0, source, fmt.Errorf("read %s: %w", source, err)
	}
	return resident * uint64(os.Getpagesize()), source, nil
}
