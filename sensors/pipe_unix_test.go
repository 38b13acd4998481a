//go:build unix

package sensors

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipeForSensor holds that a pipe in place of a sensor holds nothing up.
func TestPipeForSensor(t *testing.T) {
	root := tree(t, join(hwmon(0, "nvme", files{"temp1_label": "Composite\n"}), hwmon(1, "k10temp", files{"temp1_label": "Tctl\n", "temp1_input": "42000\n"})))
	if err := syscall.Mkfifo(filepath.Join(root, "sys/class/hwmon/hwmon0/temp1_input"), 0o644); err != nil {
		t.Skip(err)
	}
	p := NewPoller(Options{Sysroot: root})
	// The library opens the pipe and waits for ever; only its own part may suffer.
	s := p.Once(t.Context())
	want(t, s, "hwmon/nvme/Composite", unknown, StateError)
	want(t, s, "hwmon/k10temp/Tctl", Num(42), StateOK)
	release(t, filepath.Join(root, "sys/class/hwmon/hwmon0/temp1_input"))
}

// release lets whoever waits for a pipe go on.
func release(t *testing.T, pipe string) {
	t.Helper()
	fd, err := syscall.Open(pipe, syscall.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Close(fd)
}
