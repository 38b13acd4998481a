package sensors

import (
	"context"
	"strings"

	"headroom/sensors/sysfs"
)

// chip is one hwmon folder.
type chip struct {
	env *env
	dir string
	// name is the driver's, device the bus address or platform name; id is made of both.
	name, device, id string
	// card is the ID of the card that it belongs to.
	card string
	// viaZone is a chip that the thermal core made for a zone.
	viaZone  bool
	nameAttr sysfs.Attr
	// status is the device's runtime_status where it can be suspended.
	status sysfs.Attr
	temps  []tempAttrs
	powers []powerAttrs
	// freq is freq1_input in Hz.
	freq sysfs.Attr
}

// unnamed stands for the name of a chip that cannot be read.
const unnamed = "unnamed"

// newChip looks at a hwmon folder; nil if it has no name, or its device is asleep.
func newChip(e *env, dir string) *chip {
	c := &chip{env: e, dir: dir, device: deviceName(e.fs, dir), nameAttr: e.fs.Attr(dir, "name")}
	runtime := e.fs.Attr(dir, "device/power/runtime_status")
	status, _ := runtime.Text()
	if status != "" && status != "unsupported" {
		c.status = runtime
	}
	if strings.HasPrefix(status, "suspend") {
		// What it is called is known once it wakes.
		c.name = "asleep"
		return c
	}
	name, err := c.nameAttr.Text()
	if err != nil {
		if stateOf(err) == StateNotOffered {
			return nil
		}
		name = unnamed
	}
	c.name = name
	c.viaZone = c.device == "" || strings.HasPrefix(c.device, "thermal_zone")
	if c.viaZone {
		c.device = ""
	}
	c.list()
	return c
}

// deviceName says where a chip sits so that it is the same after a reboot: its bus address, and its own name where several
// share one. It is empty in a recording, which has no links.
func deviceName(fs sysfs.Root, dir string) string {
	name := fs.Link(dir, "device")
	if name == "" || isPCIAddress(name) {
		return name
	}
	address := ""
	for _, element := range fs.Elements(dir, "device") {
		if isPCIAddress(element) {
			address = element
		}
	}
	switch {
	case address == "":
		return name
	case strings.HasPrefix(name, "nvme"), strings.HasPrefix(name, "phy"):
		// These are numbered as they are found.
		return address
	}
	return address + "-" + name
}

// isPCIAddress recognises 0000:03:00.0.
func isPCIAddress(s string) bool {
	domain, rest, _ := strings.Cut(s, ":")
	return len(domain) >= 4 && len(rest) == len("03:00.0") && rest[2] == ':' && rest[5] == '.' && strings.Trim(domain+rest, "0123456789abcdef:.") == ""
}

// base names the chip by its driver and where it sits, so that the name outlives a renumbering of the folders.
func (c *chip) base(where string) string {
	if c.name == "coretemp" {
		// A package is told by its label, also where a recording lost the device; the first needs no telling.
		where = ""
		for i := range c.temps {
			kind, n, ok := strings.Cut(c.temps[i].label, " id ")
			if ok && (kind == "Package" || kind == "Physical") && n != "0" {
				where = "coretemp." + n
			}
		}
	}
	if where == "" {
		return "hwmon/" + c.name
	}
	return "hwmon/" + c.name + "@" + where
}

// list finds the chip's values.
func (c *chip) list() {
	names, err := c.env.fs.List(c.dir)
	if err != nil {
		return
	}
	has := make(map[string]bool, len(names))
	for _, n := range names {
		has[n] = true
	}
	taken := map[string]int{}
	for _, n := range names {
		if t, ok := strings.CutSuffix(n, "_input"); ok && strings.HasPrefix(t, "temp") && len(c.temps) < maxOfAKind {
			c.temps = append(c.temps, c.tempAttrs(t, has, taken))
		}
	}
	preferWhole(c.temps)
	c.powers = c.powerAttrs(names, has)
	if has["freq1_input"] {
		c.freq = c.env.fs.Attr(c.dir, "freq1_input")
	}
}

// readAlone reads a chip that belongs to no card.
func (c *chip) readAlone(context.Context) part {
	var p part
	if !c.status.IsZero() {
		status, _ := c.status.Text()
		if strings.HasPrefix(status, "suspend") {
			p.Temperatures = c.missing(StateAsleep, "the device is asleep and is left so")
			return p
		}
	}
	c.read(&p)
	return p
}

// sameChip reports whether the folder still belongs to the chip that was found there: after sleep, or when a driver comes
// back, the kernel numbers the folders anew.
func (c *chip) sameChip() bool {
	name, err := c.nameAttr.Text()
	return err == nil && name == c.name || err != nil && c.name == unnamed
}

// read adds the chip's temperatures and power domains to p.
func (c *chip) read(p *part) {
	if !c.sameChip() {
		c.env.again.n.Add(1)
		p.Temperatures = append(p.Temperatures, c.missing(StateError, "the folder belongs to another chip now; looking for this one again")...)
		return
	}
	if cap(p.Temperatures) == 0 && len(c.temps) > 0 {
		p.Temperatures = make([]Temperature, 0, len(c.temps))
	}
	for i := range c.temps {
		p.Temperatures = append(p.Temperatures, c.readTemp(&c.temps[i]))
	}
	c.readPowers(p)
}

// missing lists the chip's sensors without touching them.
func (c *chip) missing(state State, why string) []Temperature {
	list := make([]Temperature, 0, len(c.temps))
	for i := range c.temps {
		t := &c.temps[i]
		temp := c.temperature(t)
		temp.Value = Missing(t.id(c), "temperature", Celsius, state, t.input.Name(), why)
		temp.Crit = Missing(t.critID, "limit", Celsius, state, t.critPath, why)
		list = append(list, temp)
	}
	return list
}
