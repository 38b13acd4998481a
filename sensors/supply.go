package sensors

import (
	"context"
	"strings"

	"headroom/sensors/sysfs"
)

const supplyDir = "sys/class/power_supply"

// supplyFamily finds what feeds the machine: mains and batteries (Documentation/ABI/testing/sysfs-class-power).
type supplyFamily struct{ env *env }

func (f *supplyFamily) scan(context.Context) part {
	var p part
	names, err := f.env.fs.List(supplyDir)
	if err != nil {
		return p
	}
	for _, n := range atMost(names) {
		dir := supplyDir + "/" + n
		kind, err := f.env.fs.Attr(dir, "type").Text()
		if err != nil {
			continue
		}
		scope, _ := f.env.fs.Attr(dir, "scope").Text()
		peripheral := strings.EqualFold(scope, "Device")
		switch {
		case strings.EqualFold(kind, "Battery"):
			b := newPack(f.env, n, dir, peripheral)
			p.found = append(p.found, source{key: b.id, read: b.read})
		case !peripheral && isMains(kind):
			online := f.env.fs.Attr(dir, "online")
			id := "power_supply/" + n
			p.found = append(p.found, source{key: id, read: func(context.Context) part { return f.mains(id, online) }})
		}
	}
	return p
}

// isMains tells what can feed a machine: mains, a wireless charger, and USB ports by all their names (USB, USB_C, USB_PD,
// USB_DCP, …; an Apple charger is BrickID).
func isMains(kind string) bool {
	k := strings.ToLower(kind)
	return k == "mains" || k == "wireless" || k == "brickid" || strings.HasPrefix(k, "usb")
}

// mains reads whether one supply delivers.
func (f *supplyFamily) mains(id string, online sysfs.Attr) part {
	now := f.env.clock.Now()
	n, err := online.Int()
	if err != nil {
		return part{Sample: Sample{Mains: failed(id, "battery", Count, online.Name(), now, err)}}
	}
	// 2 is a supply at a programmable voltage.
	if n != 0 {
		n = 1
	}
	return part{Sample: Sample{Mains: got(id, "battery", Count, online.Name(), now, float64(n))}}
}

// joinMains adds one supply to the reading of all: on mains if any delivers.
func joinMains(all *Reading, one Reading) {
	if one.ID == "" {
		return
	}
	if all.ID == "" || one.Value.Known() && !all.Value.Known() || one.Value.Or(0) > all.Value.Or(0) {
		*all = one
		all.ID = "mains"
	}
}
