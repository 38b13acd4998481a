package sensors

import (
	"context"
	"strconv"
	"strings"

	"headroom/sensors/sysfs"
)

const powercapDir = "sys/class/powercap"

// powercapFamily finds the power zones of any vendor (Documentation/power/powercap/powercap.rst); they are told by name.
type powercapFamily struct{ env *env }

// powerZone is one zone, with a second control type's view of the same silicon where there is one.
type powerZone struct {
	id, name string
	kind     PowerKind
	limits   []sysfs.Attr
	energies []energyAttr
	power    sysfs.Attr
	// off is why no limit is enforced.
	off string
	dir string
}

type energyAttr struct {
	key     string
	counter sysfs.Attr
	span    uint64
}

func (f *powercapFamily) scan(context.Context) part {
	zones := f.zones()
	if len(zones) == 0 {
		return part{}
	}
	return part{found: []source{{key: "powercap", read: func(context.Context) part { return f.read(zones) }}}}
}

// zones lists the zones, parents before children; intel-rapl-mmio shows the same packages as intel-rapl a second time.
func (f *powercapFamily) zones() []*powerZone {
	var zones []*powerZone
	byName := map[string]*powerZone{}
	seen := map[string]bool{}
	var visit func(dir string, parent string, depth int)
	visit = func(dir, parent string, depth int) {
		names, _ := f.env.fs.List(dir)
		for _, n := range names {
			if seen[n] || !strings.Contains(n, ":") && depth > 0 {
				continue
			}
			at := dir + "/" + n
			name, err := f.env.fs.Attr(at, "name").Text()
			if err != nil {
				if depth == 0 && !strings.Contains(n, ":") {
					// A control type; recordings may hold its zones inside it.
					visit(at, "", 1)
				}
				continue
			}
			seen[n] = true
			full := name
			if p := f.parentName(n); p != "" {
				full = p + "/" + name
			} else if parent != "" {
				full = parent + "/" + name
			}
			z := f.newZone(at, name, full)
			switch twin := byName[full]; {
			case twin == nil:
				zones = append(zones, z)
				byName[full] = z
			case strings.Contains(at, "-mmio:") != strings.Contains(twin.dir, "-mmio:"):
				twin.limits = append(twin.limits, z.limits...)
				twin.energies = append(twin.energies, z.energies...)
				if twin.off != "" && z.off == "" {
					twin.off = ""
				}
			default:
				z.id += "#" + n
				zones = append(zones, z)
			}
			if depth < 3 {
				visit(at, full, depth+1)
			}
		}
	}
	visit(powercapDir, "", 0)
	return zones
}

// parentName gives the name of the zone that holds the zone called n: intel-rapl:0:2 lies in intel-rapl:0.
func (f *powercapFamily) parentName(n string) string {
	i := strings.LastIndex(n, ":")
	if i < 0 || !strings.Contains(n[:i], ":") {
		return ""
	}
	name, _ := f.env.fs.Attr(powercapDir, n[:i], "name").Text()
	return name
}

func (f *powercapFamily) newZone(dir, name, full string) *powerZone {
	fs := f.env.fs
	z := &powerZone{id: "powercap/" + full, name: full, kind: zoneKind(name), dir: dir}
	if enabled, err := fs.Attr(dir, "enabled").Int(); err == nil && enabled == 0 {
		z.off = "the zone's limit is switched off"
	}
	for i := range 8 {
		base := "constraint_" + strconv.Itoa(i)
		text, err := fs.Attr(dir, base+"_name").Text()
		if err == nil && text == "long_term" {
			z.limits = append(z.limits, fs.Attr(dir, base+"_power_limit_uw"))
		}
		if err != nil && stateOf(err) == StateNotOffered {
			break
		}
	}
	if z.off != "" {
		z.limits = nil
	}
	if fs.Exists(dir, "energy_uj") {
		span, err := fs.Attr(dir, "max_energy_range_uj").Int()
		if err != nil || span < 0 {
			span = 0
		}
		z.energies = append(z.energies, energyAttr{dir, fs.Attr(dir, "energy_uj"), uint64(span)})
	}
	if fs.Exists(dir, "power_uw") {
		z.power = fs.Attr(dir, "power_uw")
	}
	return z
}

func zoneKind(name string) PowerKind {
	switch {
	case strings.HasPrefix(name, "package"):
		return PowerPackage
	case strings.HasPrefix(name, "psys"), name == "platform":
		return PowerPsys
	case name == "core":
		return PowerCore
	case strings.HasPrefix(name, "dram"):
		return PowerDRAM
	}
	return PowerOther
}

func (f *powercapFamily) read(zones []*powerZone) part {
	var p part
	p.Power = make([]PowerDomain, 0, len(zones))
	for _, z := range zones {
		p.Power = append(p.Power, PowerDomain{
			ID: z.id, Name: z.name, Kind: z.kind,
			Limit: f.limit(z), Draw: f.draw(z),
		})
	}
	return p
}

// limit is the smallest long_term limit that is set.
func (f *powercapFamily) limit(z *powerZone) Reading {
	now := f.env.clock.Now()
	r := Missing(z.id+"/limit", "limit", Milliwatt, StateNotOffered, "/"+z.dir, "no long-term limit is stated")
	if z.off != "" {
		r.Detail = z.off
	}
	for _, a := range z.limits {
		n, err := a.Int()
		next := Reading{}
		if err != nil {
			next = failed(z.id+"/limit", "limit", Milliwatt, a.Name(), now, err)
		} else {
			next = powerLimit(z.id+"/limit", a.Name(), n)
		}
		switch {
		case r.State == StateOK && next.State != StateOK:
		case r.State == StateOK && r.Value.Or(0) <= next.Value.Or(0):
			r.Detail = "the smaller of two; " + a.Name() + " allows more"
		case r.State == StateOK:
			next.Detail = "the smaller of two; " + r.Source + " allows more"
			r = next
		default:
			r = next
		}
	}
	return r
}

// draw is the zone's power now.
func (f *powercapFamily) draw(z *powerZone) Reading {
	id := z.id + "/draw"
	r := Missing(id, "power", Milliwatt, StateNotOffered, "/"+z.dir, "the zone has no energy counter")
	r.At = f.env.clock.Now()
	if !z.power.IsZero() {
		if r = readScaled(z.power, id, "power", Milliwatt, 0.001, plausibleWatts, r.At); r.State == StateOK {
			return r
		}
	}
	for _, e := range z.energies {
		r = f.env.energy(e.counter, id, e.key, e.span)
		if r.State == StateNeedsPermission {
			r.Detail = "only root may read this counter; a udev rule can open it"
			continue
		}
		if r.State != StateError {
			break
		}
	}
	return r
}
