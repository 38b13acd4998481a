package gpu

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"headroom/sensors/sysfs"
)

// device is one graphics device as the kernel shows it. Nothing here is read that could wake it.
type device struct {
	// id is the PCI address, or the name of the DRM card where it has none.
	id     string
	pci    string
	driver string
	asleep bool
	// couldSleep is whether the kernel may suspend it once nobody uses it: power management is on and no display is.
	couldSleep bool
	// files are those through which a driver would reach it: device nodes, and attributes whose reading wakes it.
	files []string
}

const (
	drmClass   = "sys/class/drm"
	pciDevices = "sys/bus/pci/devices"
)

// devices lists the graphics devices below root; none where the kernel shows no such folders.
func devices(root sysfs.Root) []device {
	var out []device
	add := func(dir, name string) {
		d := lookAt(root, dir, name)
		if !slices.ContainsFunc(out, func(o device) bool { return o.id == d.id }) {
			out = append(out, d)
		}
	}
	names, _ := root.List(drmClass)
	for _, n := range names {
		if strings.HasPrefix(n, "card") && !strings.Contains(n, "-") {
			add(path.Join(drmClass, n, "device"), n)
		}
	}
	// A proprietary driver need not show its card as a DRM device.
	names, _ = root.List(pciDevices)
	for _, n := range names {
		if class, err := root.Attr(pciDevices, n, "class").Text(); err == nil && strings.HasPrefix(class, "0x03") {
			add(path.Join(pciDevices, n), n)
		}
	}
	return out
}

func lookAt(root sysfs.Root, dir, name string) device {
	d := device{id: name}
	uevent, _ := root.Attr(dir, "uevent").ReadAll(4096)
	for line := range strings.Lines(string(uevent)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch key {
		case "DRIVER":
			d.driver = clean(value)
		case "PCI_SLOT_NAME":
			d.pci = strings.ToLower(value)
		}
	}
	if d.pci == "" {
		d.pci = strings.ToLower(root.Link(dir))
	}
	if !pciAddress.MatchString(d.pci) {
		d.pci = ""
	}
	if d.pci == "" && pciAddress.MatchString(strings.ToLower(name)) {
		d.pci = strings.ToLower(name)
	}
	if d.pci != "" {
		d.id = d.pci
	}
	d.asleep = asleep(root, dir)
	d.files = filesOf(root, dir, name)
	control, err := root.Attr(dir, "power/control").Text()
	d.couldSleep = err == nil && control == "auto" && !showsPicture(root, dir, name)
	return d
}

// asleep reports whether the device is runtime-suspended, or about to be.
func asleep(root sysfs.Root, dir string) bool {
	if status, err := root.Attr(dir, "power/runtime_status").Text(); err == nil && strings.HasPrefix(status, "suspend") {
		return true
	}
	state, err := root.Attr(dir, "power_state").Text()
	return err == nil && strings.HasPrefix(state, "D3")
}

// showsPicture reports whether a display hangs on the device and is on: such a device stays awake by itself.
func showsPicture(root sysfs.Root, dir, name string) bool {
	cards := drmNames(root, dir, name)
	all, _ := root.List(drmClass)
	for _, connector := range all {
		card, _, ok := strings.Cut(connector, "-")
		if !ok || !slices.Contains(cards, card) {
			continue
		}
		if enabled, err := root.Attr(drmClass, connector, "enabled").Text(); err == nil && enabled == "enabled" {
			return true
		}
	}
	return false
}

// drmNames are the device's names under DRM: card1, renderD129.
func drmNames(root sysfs.Root, dir, name string) []string {
	names, _ := root.List(dir, "drm")
	if strings.HasPrefix(name, "card") && !slices.Contains(names, name) {
		names = append(names, name)
	}
	return names
}

func filesOf(root sysfs.Root, dir, name string) []string {
	var files []string
	for _, n := range drmNames(root, dir, name) {
		if strings.HasPrefix(n, "card") || strings.HasPrefix(n, "render") {
			files = append(files, root.Path(path.Join("dev/dri", n)))
		}
	}
	real, err := filepath.EvalSymlinks(root.Path(dir))
	if err != nil {
		return files
	}
	for _, n := range []string{"config", "rom"} {
		if root.Exists(dir, n) {
			files = append(files, filepath.Join(real, n))
		}
	}
	return files
}
