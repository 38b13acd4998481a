package sensors

import (
	"context"
	"strings"
)

// npuFamily finds neural processors. They are known by presence only: none says what it could run.
type npuFamily struct{ env *env }

// npuClasses are the folders in which drivers show neural processors.
var npuClasses = [...]struct{ dir, prefix string }{
	{"sys/class/accel", "accel"},
	{"sys/class/misc", "rknpu"},
	{"sys/class/apex", "apex_"},
	{"sys/class/hailo_chardev", "hailo"},
}

// npuDrivers are display-class drivers that drive a neural processor, not a display.
var npuDrivers = map[string]string{
	"intel_vpu":  "Intel NPU",
	"amdxdna":    "AMD XDNA NPU",
	"rknpu":      "Rockchip NPU",
	"rocket":     "Rockchip NPU",
	"apex":       "Coral Edge TPU",
	"hailo":      "Hailo NPU",
	"hailo1x":    "Hailo NPU",
	"qaic":       "Qualcomm Cloud AI",
	"habanalabs": "Habana accelerator",
	"ethosu":     "Arm Ethos-U NPU",
}

func (f *npuFamily) scan(context.Context) part {
	every := f.env.rescan
	return part{found: []source{{key: "npu", every: every, read: f.read}}}
}

func (f *npuFamily) read(context.Context) part {
	var p part
	taken := map[string]int{}
	add := func(u NPU) {
		u.ID = numbered(u.ID, taken)
		p.NPUs = append(p.NPUs, u)
	}
	for _, class := range npuClasses {
		names, _ := f.env.fs.List(class.dir)
		for _, n := range names {
			if strings.HasPrefix(n, class.prefix) {
				add(f.describe(class.dir+"/"+n, n))
			}
		}
	}
	// The vendor's Rockchip driver sits among the display devices.
	names, _ := f.env.fs.List(drmDir)
	for _, n := range names {
		if !isCardName(n) {
			continue
		}
		if u := f.describe(drmDir+"/"+n, n); isNPUDriver(u.Driver) {
			add(u)
		}
	}
	// Without a class, its folder among the drivers or its clock's shows that it is there.
	for _, dir := range [...]string{"sys/bus/platform/drivers/RKNPU", "sys/class/devfreq"} {
		names, _ := f.env.fs.List(dir)
		for _, n := range names {
			if len(p.NPUs) == 0 && strings.HasSuffix(n, ".npu") {
				add(NPU{ID: n, Name: "Rockchip NPU", Driver: "RKNPU", State: StateOK, Source: "/" + dir + "/" + n})
			}
		}
	}
	return p
}

func isNPUDriver(driver string) bool { return npuDrivers[strings.ToLower(driver)] != "" }

func (f *npuFamily) describe(dir, name string) NPU {
	data, _ := f.env.fs.Attr(dir, "device/uevent").ReadAll(4096)
	driver := ueventField(string(data), "DRIVER")
	u := NPU{ID: name, Name: npuDrivers[strings.ToLower(driver)], Driver: driver, State: StateOK, Source: "/" + dir}
	if u.Name == "" {
		u.Name = "neural processor"
		if driver != "" {
			u.Name += " (" + driver + ")"
		}
	}
	if slot := ueventField(string(data), "PCI_SLOT_NAME"); slot != "" {
		u.ID = "pci/" + strings.ToLower(slot)
	}
	u.Asleep = sleepAttrsOf(f.env.fs, dir+"/device").asleep()
	return u
}
