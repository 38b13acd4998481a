//go:build unix

package sensors

import (
	"syscall"
	"time"
)

func ownCost() ownUse {
	var ru syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	u := ownUse{source: "getrusage", cpuErr: err}
	u.cpu = time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	u.resident, u.residentSource, u.residentErr = ownResident(&ru)
	return u
}
