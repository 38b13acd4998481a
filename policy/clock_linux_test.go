package policy_test

import (
	"time"

	"golang.org/x/sys/unix"
)

// onProcessor is the time that this thread has been on a processor.
func onProcessor() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
