//go:build !unix

package sysfs

import (
	"errors"
	"io"
	"os"
)

// readFile reads at most limit bytes of a regular file.
func readFile(file string, buf []byte, limit int, _ bool) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer func() { _ = f.Close() }()
	n, err := io.ReadFull(f, buf[:min(len(buf), limit)])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return buf[:n], nil
	}
	if err != nil {
		return buf[:n], err
	}
	rest, err := io.ReadAll(io.LimitReader(f, int64(limit-n)+1))
	buf = append(buf[:n], rest...)
	if err == nil && len(buf) > limit {
		return buf[:limit], ErrTooLong
	}
	return buf, err
}

func openFolder(file string) (*os.File, error) { return os.Open(file) }

func isEnd(err error) bool { return errors.Is(err, io.EOF) }
