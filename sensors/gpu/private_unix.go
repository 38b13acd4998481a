//go:build unix

package gpu

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// private keeps stdout for the answer alone: what a driver prints to standard output goes to standard error instead.
func private(stdout io.Writer) (io.Writer, error) {
	f, ok := stdout.(*os.File)
	if !ok || f.Fd() != 1 {
		return stdout, nil
	}
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("keep standard output for the answer: %w", err)
	}
	if err := unix.Dup2(2, 1); err != nil {
		return nil, fmt.Errorf("keep standard output for the answer: %w", err)
	}
	return os.NewFile(uintptr(fd), "answer"), nil
}

// keepNoCore keeps a driver's crash from leaving the memory of this process in a file.
func keepNoCore() error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("leave no core file: %w", err)
	}
	return nil
}
