package sensors

import (
	"slices"
	"strings"

	"headroom/sensors/sysfs"
)

// Plausible temperatures and limits in °C; what lies outside is a sensor's or a firmware's noise.
var (
	plausibleTemp  = bounds{1, 126, "no sensor at work shows that"}
	plausibleLimit = bounds{60, 125, "no throttle point lies there"}
)

// Ranks of CPU sensors, best first.
const (
	rankPackage = iota
	rankTdie
	rankTctl
	rankZone
	rankOther
)

// tempAttrs are the files of one temperature.
type tempAttrs struct {
	// base is the path without suffix's name, e.g. temp1.
	base, label string
	// key is the label, or base where there is none or two have the same.
	key   string
	role  Role
	rank  int
	input sysfs.Attr
	// crit, fault and enable are zero where the chip has none.
	crit, fault, enable sysfs.Attr
	// idText and critID are made once.
	idText, critID string
	// critPath is where the critical limit is, or would be.
	critPath string
}

func (c *chip) tempAttrs(base string, has map[string]bool, taken map[string]int) tempAttrs {
	t := tempAttrs{base: base, input: c.env.fs.Attr(c.dir, base+"_input")}
	if has[base+"_label"] {
		t.label, _ = c.env.fs.Attr(c.dir, base+"_label").Text()
	}
	t.key = t.label
	if t.key == "" {
		t.key = base
	}
	t.key = numbered(t.key, taken)
	t.critPath = c.env.fs.Attr(c.dir, base+"_crit").Name()
	if has[base+"_crit"] {
		t.crit = c.env.fs.Attr(c.dir, base+"_crit")
	}
	if has[base+"_fault"] {
		t.fault = c.env.fs.Attr(c.dir, base+"_fault")
	}
	if has[base+"_enable"] {
		t.enable = c.env.fs.Attr(c.dir, base+"_enable")
	}
	t.role, t.rank = chipRole(c.name, t.label)
	return t
}

// preferWhole lets cores and dies stand in for the processor only on a chip that shows no sensor for the whole of it.
func preferWhole(temps []tempAttrs) {
	whole := func(t tempAttrs) bool { return t.role == RoleCPU && t.rank < rankOther }
	if !slices.ContainsFunc(temps, whole) {
		return
	}
	for i := range temps {
		if !whole(temps[i]) {
			temps[i].role, temps[i].rank = RoleOther, rankOther
		}
	}
}

// id is the reading's ID; the chip's own is known only after the scan.
func (t *tempAttrs) id(c *chip) string {
	if t.idText == "" {
		t.idText = c.id + "/" + t.key
		t.critID = t.idText + "/crit"
	}
	return t.idText
}

// temperature is the sensor without its readings.
func (c *chip) temperature(t *tempAttrs) Temperature {
	temp := Temperature{Chip: c.name, Label: t.label, Role: t.role, Rank: t.rank, Card: c.card}
	if c.card != "" || gpuDrivers[c.name] {
		temp.Role, temp.Rank = RoleGPU, 0
	}
	return temp
}

// gpuDrivers are the chips that graphics drivers make.
var gpuDrivers = map[string]bool{"amdgpu": true, "radeon": true, "nouveau": true, "i915": true, "xe": true, "nova": true}

// readTemp reads one temperature and its limit.
func (c *chip) readTemp(t *tempAttrs) Temperature {
	now := c.env.clock.Now()
	temp := c.temperature(t)
	id := t.id(c)
	temp.Value = readScaled(t.input, id, "temperature", Celsius, 0.001, plausibleTemp, now)
	if temp.Value.State == StateOK && !t.fault.IsZero() {
		if n, err := t.fault.Int(); err == nil && n != 0 {
			temp.Value = Missing(id, "temperature", Celsius, StateError, t.input.Name(), "the chip says that this sensor is broken or open")
		}
	}
	if temp.Value.State == StateOK && !t.enable.IsZero() {
		if n, err := t.enable.Int(); err == nil && n == 0 {
			temp.Value = Missing(id, "temperature", Celsius, StateNotOffered, t.input.Name(), "this sensor is switched off")
		}
	}
	if t.crit.IsZero() {
		temp.Crit = Missing(t.critID, "limit", Celsius, StateNotOffered, t.critPath, "the sensor states no critical limit")
	} else {
		temp.Crit = readLimit(t.crit, t.critID)
	}
	return temp
}

// readLimit reads a limit in m°C; 0 and less is how drivers say that none is set.
func readLimit(a sysfs.Attr, id string) Reading {
	n, err := a.Int()
	if err != nil {
		return Reading{ID: id, Kind: "limit", Unit: Celsius, State: stateOf(err), Source: a.Name(), Detail: plainly(err)}
	}
	v := float64(n) / 1000
	switch {
	case v <= 0:
		return Reading{ID: id, Kind: "limit", Unit: Celsius, State: StateNotOffered, Source: a.Name(), Detail: "unset (" + num(v) + " °C)"}
	case !plausibleLimit.holds(v):
		return Reading{ID: id, Kind: "limit", Unit: Celsius, State: StateImplausible, Source: a.Name(), Detail: "reads " + num(v) + " °C: " + plausibleLimit.why}
	}
	return Reading{ID: id, Kind: "limit", Value: Num(v), Unit: Celsius, State: StateOK, Source: a.Name()}
}

// chipRole says what a chip's sensor measures. Only the CPU package and what stands in for it drive a decision.
func chipRole(name, label string) (Role, int) {
	l := strings.ToLower(label)
	switch name {
	case "coretemp":
		// Kernels before 4.15 say "Physical id".
		if strings.HasPrefix(l, "package id") || strings.HasPrefix(l, "physical id") {
			return RoleCPU, rankPackage
		}
		return RoleCPU, rankOther
	case "k10temp", "zenpower", "k8temp", "fam15h_power":
		switch {
		case l == "tdie":
			return RoleCPU, rankTdie
		case l == "tctl" || l == "":
			return RoleCPU, rankTctl
		}
		return RoleCPU, rankOther
	case "applesmc":
		// Keys that begin with TC are the processor's: TC0P beside it, TC0D in it, TCXC its hottest core.
		if strings.HasPrefix(l, "tc") {
			return RoleCPU, rankOther
		}
	case "via_cputemp", "ibmpowernv", "macsmc_hwmon":
		if name == "via_cputemp" || strings.Contains(l, "cpu") || strings.Contains(l, "core") || strings.Contains(l, "chip") || strings.Contains(l, "soc") {
			return RoleCPU, rankOther
		}
	}
	if isCPUZone(name) {
		return RoleCPU, rankZone
	}
	return RoleOther, rankOther
}
