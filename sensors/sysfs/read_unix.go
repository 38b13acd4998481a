//go:build unix

package sysfs

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// readFile reads at most limit bytes. O_NONBLOCK keeps a FIFO from holding the reader; a folder gives EISDIR. Of a file that
// holds one line, an answer that ends the line and leaves room is not followed by a question for more.
func readFile(file string, buf []byte, limit int, oneLine bool) ([]byte, error) {
	fd, err := open(file, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(fd) }()
	n := 0
	for {
		if n == len(buf) {
			if n >= limit {
				return buf[:n], ErrTooLong
			}
			buf = append(buf, make([]byte, min(max(len(buf), 4096), limit-n))...)
		}
		m, err := unix.Read(fd, buf[n:])
		switch {
		case err == unix.EINTR:
		case err != nil:
			return buf[:n], err
		case m == 0:
			return buf[:n], nil
		default:
			n += m
			if oneLine && n < len(buf) && buf[n-1] == '\n' {
				return buf[:n], nil
			}
		}
	}
}

func open(file string, flags int) (int, error) {
	for {
		fd, err := unix.Open(file, flags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// openFolder opens a folder; anything else is refused without waiting for it.
func openFolder(file string) (*os.File, error) {
	fd, err := open(file, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: file, Err: err}
	}
	return os.NewFile(uintptr(fd), file), nil
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) }
