package sensors

import (
	"os"
	"syscall"
	"time"

	"github.com/shirou/gopsutil/v3/process"
)

func ownCost() ownUse {
	u := ownUse{source: "GetProcessTimes", residentSource: "gopsutil, working set"}
	h, err := syscall.GetCurrentProcess()
	if err == nil {
		var created, exited, kernel, user syscall.Filetime
		err = syscall.GetProcessTimes(h, &created, &exited, &kernel, &user)
		// A Filetime that is a length of time counts 100 ns.
		ticks := func(f syscall.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) }
		u.cpu = time.Duration(ticks(kernel)+ticks(user)) * 100
	}
	u.cpuErr = err
	m, err := ask(func() (*process.MemoryInfoStat, error) {
		return (&process.Process{Pid: int32(os.Getpid())}).MemoryInfo()
	})
	if err != nil {
		u.residentErr = err
		return u
	}
	u.resident = m.RSS
	return u
}
