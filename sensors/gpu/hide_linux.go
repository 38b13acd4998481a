package gpu

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// canHide reports whether the kernel lets an unprivileged process deny itself files (Landlock, Linux 5.13).
func canHide() bool {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	return errno == 0 && abi >= 1
}

// openRights are the rights without which a file cannot be opened for its content.
const openRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE

// hideAndRestart makes the hidden files unopenable for this process and starts its program anew: the kernel applies the
// denial to one thread, and only a new program has no others. It returns only when that fails.
func hideAndRestart(hidden, environ []string) error {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("hide sleeping cards: %w", err)
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: openRights}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Handled_access_fs), 0)
	if errno != 0 {
		return fmt.Errorf("hide sleeping cards: %w", errno)
	}
	if err := allowAllBut(int(fd), "/", hidden); err != nil {
		return fmt.Errorf("hide sleeping cards: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("hide sleeping cards: %w", errno)
	}
	// The wish to be ended with the parent belongs to the thread, not to the process.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("hide sleeping cards: %w", err)
	}
	return fmt.Errorf("hide sleeping cards: %w", unix.Exec("/proc/self/exe", os.Args, environ))
}

// allowAllBut allows what lies below dir, except the hidden files: the kernel knows allowed trees only, so each folder on the
// way to a hidden file is allowed entry by entry.
func allowAllBut(ruleset int, dir string, hidden []string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		leads := slices.ContainsFunc(hidden, func(h string) bool { return strings.HasPrefix(h, p+"/") })
		switch {
		case slices.Contains(hidden, p) || e.Type()&os.ModeSymlink != 0: // a link is judged by what it leads to
		case leads && e.IsDir():
			if err := allowAllBut(ruleset, p, hidden); err != nil {
				return err
			}
		default:
			if err := allow(ruleset, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func allow(ruleset int, path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.EACCES): // gone, or closed to us anyway
		return nil
	case err != nil:
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }()
	rule := unix.LandlockPathBeneathAttr{Allowed_access: openRights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return &os.PathError{Op: "allow", Path: path, Err: errno}
	}
	return nil
}
