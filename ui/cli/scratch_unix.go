//go:build linux || darwin

package cli

import (
	"fmt"
	"os"
	"syscall"
)

// lockDir locks a folder of this user, which a link is not; an error where another process holds it. The lock ends with the process.
func lockDir(dir string) (*os.File, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		if of, ok := info.Sys().(*syscall.Stat_t); !ok || int(of.Uid) != os.Geteuid() {
			err = fmt.Errorf("lock %s: it is another user's", dir)
		}
	}
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
