package sensors

import (
	"fmt"
	"strings"

	"headroom/sensors/sysfs"
)

// plausibleWatts bounds a draw in mW: a whole server stays below.
var plausibleWatts = bounds{0, maxWatts * 1000, "no device draws that"}

// maxLimitMW is the largest limit in mW that is one: firmware writes more where none is set.
const maxLimitMW = 1e6

// powerAttrs are the files of one power channel: powerN_*, energyN_* or both.
type powerAttrs struct {
	id, name string
	kind     PowerKind
	// limits are tried in order, the first that is set counts.
	limits []sysfs.Attr
	// average, input (µW) and energy (µJ) are tried in this order.
	average, input, energy sysfs.Attr
}

// powerAttrs finds the chip's power channels in the order of their numbers.
func (c *chip) powerAttrs(names []string, has map[string]bool) []powerAttrs {
	var list []powerAttrs
	seen := map[string]bool{}
	for _, n := range names {
		number, ok := channel(n)
		if !ok || seen[number] {
			continue
		}
		seen[number] = true
		p := powerAttrs{name: c.name, kind: PowerOther}
		attr := func(name string) sysfs.Attr {
			if !has[name] {
				return sysfs.Attr{}
			}
			return c.env.fs.Attr(c.dir, name)
		}
		for _, l := range limitNames(c.name) {
			if a := attr("power" + number + "_" + l); !a.IsZero() {
				p.limits = append(p.limits, a)
			}
		}
		p.average, p.input, p.energy = attr("power"+number+"_average"), attr("power"+number+"_input"), attr("energy"+number+"_input")
		if len(p.limits) == 0 && p.average.IsZero() && p.input.IsZero() && p.energy.IsZero() {
			continue
		}
		label := attr("power" + number + "_label")
		if label.IsZero() {
			label = attr("energy" + number + "_label")
		}
		channelName := "power" + number
		if !label.IsZero() {
			if text, err := label.Text(); err == nil {
				channelName = text
				p.name = c.name + " " + text
			}
		}
		p.id = channelName
		if socket, ok := strings.CutPrefix(channelName, "Esocket"); ok && c.name == "amd_energy" {
			// The name that powercap has for the same package, where both tell of it.
			p.kind, p.name = PowerPackage, "package-"+socket
		}
		list = append(list, p)
	}
	return list
}

// limitNames are the limits of a power channel, the sustained one first. Intel's graphics drivers call that one max, and the
// short burst above it cap.
func limitNames(chip string) []string {
	if chip == "xe" || chip == "i915" {
		return []string{"max", "crit", "rated_max", "cap"}
	}
	return []string{"cap", "max", "crit", "rated_max"}
}

// channel gives the number in powerN_… or energyN_….
func channel(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, "power")
	if !ok {
		rest, ok = strings.CutPrefix(name, "energy")
	}
	number, _, found := strings.Cut(rest, "_")
	if !ok || !found || number == "" || strings.Trim(number, "0123456789") != "" {
		return "", false
	}
	return number, true
}

// readPowers adds the chip's power channels to p. Channels of a card contain one another, so only the first that says
// anything is the card's.
func (c *chip) readPowers(p *part) {
	first := true
	for i := range c.powers {
		a := &c.powers[i]
		d := PowerDomain{ID: c.id + "/" + a.id, Name: a.name, Kind: a.kind, Card: c.card}
		d.Limit = c.readPowerLimit(a, d.ID+"/limit")
		d.Draw = c.readDraw(a, d.ID+"/draw")
		if c.card != "" && first && (d.Limit.State == StateOK || d.Draw.State == StateOK || len(c.powers) == 1) {
			d.Kind, first = PowerGPU, false
		}
		p.Power = append(p.Power, d)
	}
}

func (c *chip) readPowerLimit(a *powerAttrs, id string) Reading {
	now := c.env.clock.Now()
	r := Missing(id, "limit", Milliwatt, StateNotOffered, "/"+c.dir, "no limit is stated")
	for _, l := range a.limits {
		n, err := l.Int()
		if err != nil {
			r = failed(id, "limit", Milliwatt, l.Name(), now, err)
			continue
		}
		if r = powerLimit(id, l.Name(), n); r.State == StateOK {
			break
		}
	}
	return r
}

// powerLimit judges a limit of n µW.
func powerLimit(id, source string, n int64) Reading {
	mw := float64(n) / 1000
	r := Reading{ID: id, Kind: "limit", Unit: Milliwatt, Source: source}
	switch {
	case mw <= 0:
		r.State, r.Detail = StateNotOffered, "unset (0 W)"
	case mw > maxLimitMW:
		r.State, r.Detail = StateImplausible, fmt.Sprintf("%.0f W is how the firmware says that none is set", mw/1000)
	default:
		r.State, r.Value = StateOK, Num(mw)
	}
	return r
}

func (c *chip) readDraw(a *powerAttrs, id string) Reading {
	r := Missing(id, "power", Milliwatt, StateNotOffered, "/"+c.dir, "the device does not say what it draws")
	r.At = c.env.clock.Now()
	for _, attr := range [...]sysfs.Attr{a.average, a.input} {
		if attr.IsZero() {
			continue
		}
		if r = readScaled(attr, id, "power", Milliwatt, 0.001, plausibleWatts, r.At); r.State == StateOK {
			return r
		}
	}
	if !a.energy.IsZero() {
		return c.env.energy(a.energy, id, id, 0)
	}
	return r
}

// energy reads an energy counter in µJ as power; span is where it starts again, 0 if unknown. key names the counter, which
// is not the reading's ID where a reading has two.
func (e *env) energy(a sysfs.Attr, id, key string, span uint64) Reading {
	n, err := a.Int()
	now := e.clock.Now()
	if err != nil {
		return failed(id, "power", Milliwatt, a.Name(), now, err)
	}
	if n < 0 {
		return implausible(id, "power", Milliwatt, a.Name(), now, float64(n), "an energy counter is never negative")
	}
	mw, why := e.counters.power(key, uint64(n), span, now)
	if why != "" {
		r := Missing(id, "power", Milliwatt, StateNotOffered, a.Name(), why)
		return r
	}
	return got(id, "power", Milliwatt, a.Name(), now, mw)
}
