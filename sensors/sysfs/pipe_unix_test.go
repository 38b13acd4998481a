//go:build unix

package sysfs

import (
	"os"
	"syscall"
	"testing"
)

// TestPipe holds that a pipe that nobody writes to holds no reader.
func TestPipe(t *testing.T) {
	r := root(t, map[string]string{"sys/x": ""})
	file := r.Path("sys/pipe")
	if err := syscall.Mkfifo(file, 0o644); err != nil {
		t.Skip(err)
	}
	if _, err := r.Attr("sys/pipe").Int(); err == nil {
		t.Error("an unwritten pipe gives a number")
	}
	w, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	if _, err := r.Attr("sys/pipe").Int(); err == nil {
		t.Error("a pipe whose writer waits gives a number")
	}
	if _, err := r.List("sys/pipe"); err == nil {
		t.Error("a pipe is listed as a folder")
	}
}
