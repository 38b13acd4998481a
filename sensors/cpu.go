package sensors

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"headroom/sensors/sysfs"
)

const (
	cpuDir     = "sys/devices/system/cpu"
	cpufreqDir = cpuDir + "/cpufreq"
)

// cpuFamily reads the processor's clock and what it says of throttling.
type cpuFamily struct{ env *env }

func (f *cpuFamily) scan(context.Context) part {
	p := part{found: []source{f.clock()}}
	if t := f.throttle(); len(t.counters) > 0 {
		p.found = append(p.found, source{key: "throttle/cpu", read: t.read})
	}
	if c := f.cooling(); len(c.devices) > 0 {
		p.found = append(p.found, source{key: "throttle/cooling", read: c.read})
	}
	return p
}

// maxPolicies is how many frequency domains are read in one round; a server has hundreds that say the same.
const maxPolicies = 8

// plausibleClock bounds a clock in MHz.
var plausibleClock = bounds{1, 20000, "no chip runs at that"}

// clock finds the frequency domains.
func (f *cpuFamily) clock() source {
	fs := f.env.fs
	var now []sysfs.Attr
	dirs, _ := fs.List(cpufreqDir)
	for _, n := range dirs {
		if strings.HasPrefix(n, "policy") {
			now = append(now, fs.Attr(cpufreqDir, n, "scaling_cur_freq"))
		}
	}
	limit := Missing("cpu/clock_max", "clock", Megahertz, StateNotOffered, "/"+cpufreqDir, "no frequency driver")
	for _, a := range now {
		file := strings.TrimPrefix(strings.TrimSuffix(a.Name(), "scaling_cur_freq"), "/")
		r := readScaled(fs.Attr(file, "cpuinfo_max_freq"), limit.ID, "clock", Megahertz, 0.001, plausibleClock, f.env.clock.Now())
		if r.Value.Or(0) > limit.Value.Or(0) || !limit.Value.Known() {
			limit = r
		}
	}
	step := max(1, (len(now)+maxPolicies-1)/maxPolicies)
	var some []sysfs.Attr
	for i := 0; i < len(now); i += step {
		some = append(some, now[i])
	}
	read := func(context.Context) part {
		c := Clock{Device: "cpu", Now: f.fastest(some), Max: limit}
		return part{Sample: Sample{Clocks: []Clock{c}}}
	}
	return source{key: "cpu/clock", read: read}
}

// fastest is the highest clock of the domains: idle cores say nothing of what the chip can hold.
func (f *cpuFamily) fastest(domains []sysfs.Attr) Reading {
	now := f.env.clock.Now()
	if len(domains) == 0 {
		return f.cpuinfoClock(now)
	}
	var best Reading
	for _, a := range domains {
		r := readScaled(a, "cpu/clock", "clock", Megahertz, 0.001, plausibleClock, now)
		if best.ID == "" || r.State == StateOK && r.Value.Or(0) > best.Value.Or(0) {
			best = r
		}
	}
	if best.State == StateOK && len(domains) > 1 {
		best.Detail = "the fastest core that was read"
	}
	return best
}

// cpuinfoClock is the first processor's clock in /proc/cpuinfo, for machines without a frequency driver.
func (f *cpuFamily) cpuinfoClock(now time.Time) Reading {
	file := f.env.fs.Attr("proc/cpuinfo")
	// The kernel makes the file as it is read, so that its start costs little.
	data, err := file.ReadAll(2048)
	if err != nil && !errors.Is(err, sysfs.ErrTooLong) {
		return failed("cpu/clock", "clock", Megahertz, file.Name(), now, err)
	}
	for line := range strings.Lines(string(data)) {
		k, v, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(k) != "cpu MHz" {
			continue
		}
		mhz, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		if err != nil || !plausibleClock.holds(mhz) {
			break
		}
		r := got("cpu/clock", "clock", Megahertz, file.Name(), now, mhz)
		r.Detail = "no frequency driver; a virtual machine shows a constant here"
		return r
	}
	r := Missing("cpu/clock", "clock", Megahertz, StateNotOffered, "/"+cpufreqDir, "no frequency driver")
	return r
}

// throttleCounters are the kernel's counts of thermal and power events of the processor.
type throttleCounters struct {
	env      *env
	counters []throttleCounter
	flags    []ThrottleFlag
}

type throttleCounter struct {
	attr sysfs.Attr
	flag int
}

// throttleHold is how long a rise still counts as now: the counts rise when throttling begins, not while it lasts.
const throttleHold = 3 * time.Second

// throttle finds one counter of each core and package: siblings share theirs.
func (f *cpuFamily) throttle() *throttleCounters {
	fs := f.env.fs
	t := &throttleCounters{env: f.env}
	names, _ := fs.List(cpuDir)
	seen := map[string]bool{}
	index := map[string]int{}
	for _, n := range names {
		number, ok := strings.CutPrefix(n, "cpu")
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || !fs.Exists(cpuDir, n, "thermal_throttle") {
			continue
		}
		pkg, _ := fs.Attr(cpuDir, n, "topology/physical_package_id").Text()
		core, err := fs.Attr(cpuDir, n, "topology/core_cpus_list").Text()
		if err != nil {
			core = n
		}
		for _, c := range [...]struct{ file, key, reason string }{
			{"core_throttle_count", "core " + core, "thermal"},
			{"package_throttle_count", "package " + pkg, "thermal"},
			{"core_power_limit_count", "core power " + core, "power"},
			{"package_power_limit_count", "package power " + pkg, "power"},
		} {
			if seen[c.key] || !fs.Exists(cpuDir, n, "thermal_throttle", c.file) {
				continue
			}
			seen[c.key] = true
			id := "throttle/cpu/" + strings.TrimSuffix(c.file, "_count")
			i, ok := index[id]
			if !ok {
				i = len(t.flags)
				index[id] = i
				t.flags = append(t.flags, ThrottleFlag{ID: id, Device: "cpu", Reason: c.reason})
			}
			t.counters = append(t.counters, throttleCounter{fs.Attr(cpuDir, n, "thermal_throttle", c.file), i})
		}
	}
	return t
}

func (t *throttleCounters) read(context.Context) part {
	now := t.env.clock.Now()
	flags := make([]ThrottleFlag, len(t.flags))
	for i, f := range t.flags {
		f.Active = t.flag(i, now)
		flags[i] = f
	}
	return part{Sample: Sample{Throttle: flags}}
}

// flag reads the counters of one flag: it is set while any of them rises.
func (t *throttleCounters) flag(flag int, now time.Time) Reading {
	id := t.flags[flag].ID
	var r Reading
	var rise uint64
	var rose time.Time
	for _, c := range t.counters {
		if c.flag != flag {
			continue
		}
		n, err := c.attr.Int()
		if err == nil && n < 0 {
			err = fmt.Errorf("read %s: %w: a count below 0", c.attr.Name(), sysfs.ErrNotNumber)
		}
		if err != nil {
			if r.ID == "" {
				r = failed(id, "throttle", Count, c.attr.Name(), now, err)
			}
			continue
		}
		up, last, ok := t.env.counters.events(c.attr.Name(), uint64(n), now)
		rise += up
		if last.After(rose) {
			rose = last
		}
		switch {
		case ok:
			r = got(id, "throttle", Count, c.attr.Name(), now, 0)
		case !r.Value.Known():
			r = Missing(id, "throttle", Count, StateNotOffered, c.attr.Name(), "read once: throttling shows as a rise")
		}
	}
	since := now.Sub(rose)
	switch {
	case !r.Value.Known():
	case rise > 0:
		r.Value, r.Detail = Num(1), fmt.Sprintf("%d events since the last reading", rise)
	case !rose.IsZero() && since < throttleHold:
		r.Value, r.Detail = Num(1), fmt.Sprintf("the last event was %s ago", since.Round(100*time.Millisecond))
	}
	return r
}

// coolingDevices are the ways in which the kernel itself slows the processor.
type coolingDevices struct {
	env     *env
	devices []coolingDevice
}

type coolingDevice struct {
	kind  string
	state sysfs.Attr
}

// maxCooling is how many of one kind are read: the kernel makes one for each processor, and moves them together.
const maxCooling = 4

func (f *cpuFamily) cooling() *coolingDevices {
	fs := f.env.fs
	c := &coolingDevices{env: f.env}
	names, _ := fs.List(thermalDir)
	count := map[string]int{}
	for _, n := range names {
		if !strings.HasPrefix(n, "cooling_device") {
			continue
		}
		kind, err := fs.Attr(thermalDir, n, "type").Text()
		if err != nil {
			continue
		}
		kind = strings.TrimRight(kind, "0123456789")
		switch kind {
		case "Processor", "intel_powerclamp", "thermal-cpufreq-", "cpufreq-cpu":
			if count[kind]++; count[kind] <= maxCooling {
				c.devices = append(c.devices, coolingDevice{strings.TrimRight(kind, "-"), fs.Attr(thermalDir, n, "cur_state")})
			}
		}
	}
	return c
}

func (c *coolingDevices) read(context.Context) part {
	now := c.env.clock.Now()
	r := Missing("throttle/cpu/cooling", "throttle", Count, StateNotOffered, "/"+thermalDir, "no cooling device tells its state")
	for _, d := range c.devices {
		n, err := d.state.Int()
		// intel_powerclamp says -1 when it is idle; some devices refuse to answer.
		if err != nil {
			continue
		}
		if n > 0 {
			r = got(r.ID, "throttle", Count, d.state.Name(), now, 1)
			r.Detail = fmt.Sprintf("the kernel cools with %s at step %d", d.kind, n)
			break
		}
		r = got(r.ID, "throttle", Count, d.state.Name(), now, 0)
	}
	return part{Sample: Sample{Throttle: []ThrottleFlag{{ID: r.ID, Device: "cpu", Reason: "thermal", Active: r}}}}
}
