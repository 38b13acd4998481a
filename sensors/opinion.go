package sensors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/distatus/battery"
	"github.com/shirou/gopsutil/v3/host"

	"headroom/sensors/sysfs"
)

// opinionEvery is the time between two questions to the libraries for what this package reads itself: they show what is
// there and where they differ. Asking each round would cost twice, and keep disks from spinning down.
const opinionEvery = 5 * time.Minute

// opinion is what the libraries say of temperatures and batteries.
type opinion struct {
	temps    []host.TemperatureStat
	tempsErr error
	packs    []*battery.Battery
	// asked is whether temps, and packs, were asked for at all.
	askedTemps, askedPacks bool
}

// opinionFamily asks gopsutil for the list of temperatures, and distatus/battery for the packs.
type opinionFamily struct{ env *env }

func (f *opinionFamily) scan(context.Context) part {
	every := min(opinionEvery, 30*f.env.rescan)
	return part{found: []source{
		{key: "gopsutil/temperatures", every: every, background: true, read: f.temperatures},
		{key: "distatus/batteries", every: every, background: true, read: f.batteries},
	}}
}

// temperatures asks gopsutil, unless a device sleeps: the library reads every sensor there is and would wake it.
func (f *opinionFamily) temperatures(context.Context) part {
	if f.anyAsleep() {
		return part{opinion: &opinion{}}
	}
	o := &opinion{askedTemps: true}
	// What it read comes back beside its warnings, which are an error too.
	o.temps, o.tempsErr = ask(func() ([]host.TemperatureStat, error) {
		list, err := host.SensorsTemperaturesWithContext(f.env.ctx)
		if len(list) > 0 {
			err = nil
		}
		return list, err
	})
	return part{opinion: o}
}

func (f *opinionFamily) anyAsleep() bool {
	fs := f.env.fs
	for _, class := range [...]string{drmDir, hwmonDir} {
		names, _ := fs.List(class)
		for _, n := range names {
			if (class == hwmonDir || isCardName(n)) && sleepAttrsOf(fs, class+"/"+n+"/device").asleep() {
				return true
			}
		}
	}
	return false
}

// batteries asks distatus/battery, which knows this machine's own folder only.
func (f *opinionFamily) batteries(context.Context) part {
	if names, err := f.env.fs.List(supplyDir); !f.env.fs.Live() || err != nil || len(names) == 0 {
		return part{opinion: &opinion{}}
	}
	packs, err := askBatteries()
	return part{opinion: &opinion{packs: packs, askedPacks: err == nil}}
}

// compare notes in s where the libraries differ, and adds the temperatures that only they list.
func (o *opinion) compare(s *Sample) {
	if o.askedTemps {
		o.compareTemps(s)
	}
	if o.askedPacks {
		o.comparePacks(s)
	}
}

func (o *opinion) compareTemps(s *Sample) {
	theirs := map[string][]float64{}
	for _, t := range o.temps {
		key := shownKey(t.SensorKey)
		theirs[key] = append(theirs[key], t.Temperature)
	}
	for i := range s.Temperatures {
		t := &s.Temperatures[i]
		if strings.HasPrefix(t.Value.ID, "nvidia-smi/") {
			continue
		}
		key := libraryKey(t)
		list := theirs[key]
		switch {
		case len(list) == 0 && t.Value.State == StateOK:
			note(&t.Value, "gopsutil does not list it")
		case len(list) > 0:
			if t.Value.State == StateImplausible {
				note(&t.Value, fmt.Sprintf("gopsutil passes %g °C on", list[0]))
			}
			theirs[key] = list[1:]
		}
	}
	for _, t := range o.temps {
		key := shownKey(t.SensorKey)
		list := theirs[key]
		if len(list) == 0 || zoneTwin(s, key) {
			continue
		}
		theirs[key] = list[1:]
		s.Temperatures = append(s.Temperatures, onlyTheirs(key, list[0], s.Time))
	}
}

// shownKey is gopsutil's name of a sensor as this package would write it: the library passes on whatever firmware put into the
// chip's name and label, also where there is no name.
func shownKey(key string) string {
	key = sysfs.Clean(key)
	if key == "" || key[0] == '_' {
		return unnamed + key
	}
	return key
}

// libraryKey is the name that gopsutil gives a sensor.
func libraryKey(t *Temperature) string {
	if t.Label == "" {
		return t.Chip
	}
	return t.Chip + "_" + strings.ReplaceAll(strings.ToLower(t.Label), " ", "_")
}

// zoneTwin reports whether the name is a zone's, seen through the chip that the thermal core makes of it.
func zoneTwin(s *Sample, key string) bool {
	return slices.ContainsFunc(s.Temperatures, func(t Temperature) bool { return zoneChipName(t.Chip) == key })
}

// onlyTheirs is a temperature that only gopsutil lists. It drives no decision.
func onlyTheirs(key string, v float64, now time.Time) Temperature {
	id := "gopsutil/" + key
	t := Temperature{Chip: key, Role: RoleOther, Rank: rankOther}
	t.Value = got(id, "temperature", Celsius, "gopsutil", now, v)
	if !plausibleTemp.holds(v) {
		t.Value = implausible(id, "temperature", Celsius, "gopsutil", now, v, plausibleTemp.why)
	}
	note(&t.Value, "only gopsutil lists it")
	t.Crit = Missing(id+"/crit", "limit", Celsius, StateNotOffered, "gopsutil", "the library tells a missing limit as 0")
	return t
}

func (o *opinion) comparePacks(s *Sample) {
	var ours []*Battery
	for i := range s.Batteries {
		ours = append(ours, &s.Batteries[i])
	}
	// The library lists packs by name, without telling the names.
	slices.SortFunc(ours, func(a, b *Battery) int { return strings.Compare(a.ID, b.ID) })
	for i, b := range ours {
		switch {
		case len(ours) != len(o.packs):
			note(&b.Now, fmt.Sprintf("distatus/battery lists %d packs of %d", len(o.packs), len(ours)))
		case o.packs[i] != nil:
			compareLibrary(b, o.packs[i])
		}
	}
}

// note adds to a reading's detail.
func note(r *Reading, what string) {
	if r.Detail == "" {
		r.Detail = what
		return
	}
	r.Detail += "; " + what
}
