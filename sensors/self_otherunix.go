//go:build unix && !linux

package sensors

import "syscall"

// ownResident is the most that this process has held: the system tells no more without a privileged call.
func ownResident(ru *syscall.Rusage) (uint64, string, error) {
	return uint64(ru.Maxrss), "getrusage, the peak", nil
}
