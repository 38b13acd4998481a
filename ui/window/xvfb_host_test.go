//go:build xvfb && cgo && !nogui && linux

package window

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// host is a sysroot that the test changes while the window reads it.
type host struct {
	t   *testing.T
	dir string
}

const gib = 1 << 30

// A laptop with a discrete card: every file that the tests change, and what else belongs to it.
func newHost(t *testing.T) host {
	h := host{t, t.TempDir()}
	var cpus strings.Builder
	for i := range 8 {
		fmt.Fprintf(&cpus, "processor\t: %d\nmodel name\t: Laptop CPU\ncpu MHz\t\t: 2400.000\nphysical id\t: 0\ncore id\t\t: %d\ncpu cores\t: 4\n\n", i, i/2)
	}
	h.set("proc/cpuinfo", cpus.String())
	h.set("proc/meminfo", "MemTotal:     33554432 kB\nMemFree:     12582912 kB\nMemAvailable:     25165824 kB\nBuffers:            0 kB\nCached:     12582912 kB\nSwapTotal:            0 kB\nSwapFree:            0 kB\n")
	h.set("proc/stat", "cpu  100 0 100 1000 0 0 0 0 0 0\n")
	h.set("sys/class/hwmon/hwmon3/name", "coretemp\n")
	h.set("sys/class/hwmon/hwmon3/temp1_label", "Package id 0\n")
	h.set("sys/class/hwmon/hwmon3/temp1_crit", "100000\n")
	h.cpu(60)
	h.set("sys/class/drm/card0/device/vendor", "0x1002\n")
	h.set("sys/class/drm/card0/device/device", "0x744c\n")
	h.set("sys/class/drm/card0/device/class", "0x030000\n")
	h.set("sys/class/drm/card0/device/uevent", "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n")
	h.set("sys/class/drm/card0/device/mem_info_vram_total", fmt.Sprintln(24*gib))
	h.vram(23)
	h.set("gpu.json", `{"adapters":[{"name":"AMD Radeon RX 7900 XTX","type":"discrete","backend":"vulkan","vendor_id":4098,"device_id":29772,
		"pci":"0000:03:00.0","max_buffer_size":"18446744073709551615","max_storage_binding":"2147483648"}]}`)
	h.set("sys/class/power_supply/AC/type", "Mains\n")
	h.set("sys/class/power_supply/AC/online", "1\n")
	for name, text := range map[string]string{
		"type": "Battery", "present": "1", "status": "Charging", "energy_now": "20000000", "energy_full": "50000000",
		"energy_full_design": "57000000", "power_now": "12000000", "voltage_now": "15000000", "capacity": "40",
	} {
		h.set("sys/class/power_supply/BAT0/"+name, text+"\n")
	}
	return h
}

func (h host) set(path, text string) {
	h.t.Helper()
	path = filepath.Join(h.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := replaceFile(path, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

func (h host) cpu(celsius int) {
	h.set("sys/class/hwmon/hwmon3/temp1_input", fmt.Sprintln(celsius*1000))
}

func (h host) vram(freeGiB int) {
	h.set("sys/class/drm/card0/device/mem_info_vram_used", fmt.Sprintln((24-freeGiB)*gib))
}

func (h host) gpuGone() {
	h.t.Helper()
	if err := os.RemoveAll(filepath.Join(h.dir, "sys/class/drm/card0")); err != nil {
		h.t.Fatal(err)
	}
	h.set("gpu.json", `{"adapters":[]}`)
}

func (h host) chargerPulled() {
	h.set("sys/class/power_supply/BAT0/status", "Discharging\n")
	h.set("sys/class/power_supply/AC/online", "0\n")
}
