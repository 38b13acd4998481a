package sensors

import (
	"os"
	"path/filepath"
	"testing"
)

// link makes symbolic links, as a live /sys has them.
func link(t *testing.T, root string, links map[string]string) {
	t.Helper()
	for name, target := range links {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, file); err != nil {
			t.Skip(err)
		}
	}
}

// TestLinkedTree holds the layout of a live machine, where classes are links into the devices: chips are named by their
// place and find their card.
func TestLinkedTree(t *testing.T) {
	const (
		drive = "sys/devices/pci0000:00/0000:00:1d.0/0000:01:00.0/nvme/nvme1"
		gpu   = "sys/devices/pci0000:00/0000:00:01.0/0000:03:00.0"
		disk  = "sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0"
		core  = "sys/devices/platform/coretemp.0"
		zone  = "sys/devices/virtual/thermal/thermal_zone0"
		rapl  = "sys/devices/virtual/powercap/intel-rapl/intel-rapl:0"
	)
	chip := func(dir, name, label string) files {
		return under(dir, files{"name": name + "\n", "temp1_label": label + "\n", "temp1_input": "45000\n"})
	}
	root := tree(t, join(
		chip(drive+"/hwmon1", "nvme", "Composite"), chip(gpu+"/hwmon/hwmon2", "amdgpu", "edge"), chip(disk+"/hwmon/hwmon3", "drivetemp", "disk"),
		chip(core+"/hwmon/hwmon4", "coretemp", "Package id 0"), under(zone, files{"type": "acpitz\n", "temp": "27800\n", "hwmon0/name": "acpitz\n", "hwmon0/temp1_input": "27800\n"}),
		under(gpu, files{"uevent": "DRIVER=amdgpu\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n", "mem_info_vram_total": "8589934592\n", "drm/card1/dev": "226:1\n"}),
		under(rapl, files{"name": "package-0\n", "constraint_0_name": "long_term\n", "constraint_0_power_limit_uw": "28000000\n", "intel-rapl:0:0/name": "core\n"}),
	))
	link(t, root, map[string]string{
		drive + "/hwmon1/device": "../../nvme1", gpu + "/hwmon/hwmon2/device": "../../../0000:03:00.0", disk + "/hwmon/hwmon3/device": "../../../0:0:0:0",
		core + "/hwmon/hwmon4/device": "../../../coretemp.0", zone + "/hwmon0/device": "../../thermal_zone0", gpu + "/drm/card1/device": "../../../0000:03:00.0",
		"sys/class/hwmon/hwmon0": "../../../" + zone + "/hwmon0", "sys/class/hwmon/hwmon1": "../../../" + drive + "/hwmon1",
		"sys/class/hwmon/hwmon2": "../../../" + gpu + "/hwmon/hwmon2", "sys/class/hwmon/hwmon3": "../../../" + disk + "/hwmon/hwmon3",
		"sys/class/hwmon/hwmon4": "../../../" + core + "/hwmon/hwmon4", "sys/class/thermal/thermal_zone0": "../../../" + zone,
		"sys/class/drm/card1": "../../../" + gpu + "/drm/card1", "sys/class/powercap/intel-rapl": "../../../sys/devices/virtual/powercap/intel-rapl",
		"sys/class/powercap/intel-rapl:0": "../../../" + rapl, "sys/class/powercap/intel-rapl:0:0": "../../../" + rapl + "/intel-rapl:0:0",
	})
	s := NewPoller(Options{Sysroot: root, Clock: newStepClock()}).Once(t.Context())
	for _, id := range []string{
		"hwmon/nvme@0000:01:00.0/Composite", "hwmon/amdgpu@0000:03:00.0/edge", "hwmon/drivetemp@0000:00:17.0-0:0:0:0/disk", "hwmon/coretemp/Package id 0",
	} {
		want(t, s, id, Num(45), StateOK)
	}
	want(t, s, "thermal/acpitz", Num(27.8), StateOK)
	want(t, s, "powercap/package-0/limit", Num(28000), StateOK)
	if len(s.Temperatures) != 5 || len(s.Power) != 2 {
		t.Errorf("%d temperatures and %d power domains are listed, want 5 and 2", len(s.Temperatures), len(s.Power))
	}
	c := card0(t, s)
	if c.ID != "pci/0000:03:00.0" || c.Vendor != 0x1002 || c.Device != 0x744c || c.VRAMTotal.Value != Num(8589934592) {
		t.Errorf("the card is %+v", c)
	}
	for _, temp := range s.Temperatures {
		if (temp.Card == c.ID) != (temp.Chip == "amdgpu") {
			t.Errorf("%s belongs to %q", temp.Value.ID, temp.Card)
		}
	}
}
