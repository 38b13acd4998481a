//go:build !linux

package sensors

import (
	"context"
	"runtime"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/load"
	"github.com/shirou/gopsutil/v3/mem"
)

// libraryBatteryEvery is the time between two questions to distatus/battery: each may wait for the battery's own controller.
const libraryBatteryEvery = 5 * time.Second

// families are the sources of this system, or those of a recorded Linux tree.
func families(e *env) []source {
	if !e.fs.Live() {
		return treeFamilies(e)
	}
	l := &libraryFamily{env: e, self: selfSource{env: e}}
	return []source{
		{key: "scan/libraries", read: e.rescanned(l.scan)},
		{key: "scan/nvidia", read: e.rescanned((&nvidiaFamily{env: e}).scan)},
	}
}

// libraryFamily asks the libraries, as this system shows its sensors in no files.
type libraryFamily struct {
	env  *env
	self selfSource
}

func (f *libraryFamily) scan(context.Context) part {
	return part{
		Sample: Sample{SourceFailures: f.absent()},
		found: []source{
			{key: "host", every: 6 * rescanEvery, read: f.host},
			{key: "memory", read: f.memory},
			{key: "load", read: f.load},
			{key: "self", read: f.self.read},
			{key: "batteries", every: libraryBatteryEvery, background: true, read: f.batteries},
		},
	}
}

// absent says what this system does not tell an ordinary program, and why.
func (f *libraryFamily) absent() []Reading {
	why := map[string][2]string{
		"windows": {
			"Windows tells no CPU temperature without a kernel driver: its WMI thermal zones need an administrator and hold a firmware constant",
			"Windows tells no package power or limit without a kernel driver",
		},
		"darwin": {
			"macOS tells temperatures only through private interfaces; on Apple silicon the public keys read 0",
			"macOS tells power only to an administrator (powermetrics)",
		},
	}[runtime.GOOS]
	if why[0] == "" {
		why = [2]string{"no source of temperatures is known for " + runtime.GOOS, "no source of power is known for " + runtime.GOOS}
	}
	return []Reading{
		Missing("source/temperature", "temperature", Celsius, StateNotOffered, runtime.GOOS, why[0]),
		Missing("source/power", "power", Milliwatt, StateNotOffered, runtime.GOOS, why[1]),
	}
}

func (f *libraryFamily) host(ctx context.Context) part {
	h := Host{OS: runtime.GOOS, Arch: runtime.GOARCH, Threads: runtime.NumCPU()}
	now := f.env.clock.Now()
	c := Clock{
		Device: "cpu",
		Now:    Missing("cpu/clock", "clock", Megahertz, StateNotOffered, "gopsutil", "this system tells only the rated clock"),
		Max:    Missing("cpu/clock_max", "clock", Megahertz, StateNotOffered, "gopsutil", "this system tells no clock"),
	}
	info, err := ask(func() ([]cpu.InfoStat, error) { return cpu.InfoWithContext(ctx) })
	if err == nil && len(info) > 0 {
		h.CPU = info[0].ModelName
		if plausibleClock.holds(info[0].Mhz) {
			c.Max = got("cpu/clock_max", "clock", Megahertz, "gopsutil", now, info[0].Mhz)
			c.Max.Detail = "the rated clock"
		}
	}
	return part{Sample: Sample{Host: h, Clocks: []Clock{c}}}
}

func (f *libraryFamily) memory(ctx context.Context) part {
	now := f.env.clock.Now()
	v, err := ask(func() (*mem.VirtualMemoryStat, error) { return mem.VirtualMemoryWithContext(ctx) })
	if err != nil || v.Total == 0 {
		why := "it gives no total"
		if err != nil {
			why = err.Error()
		}
		return part{Sample: Sample{Memory: unknownMemory("gopsutil", StateError, why, now)}}
	}
	m := unknownMemory("gopsutil", StateNotOffered, "", now)
	m.Total = got(m.Total.ID, "memory", Bytes, "gopsutil", now, float64(v.Total))
	m.Available = got(m.Available.ID, "memory", Bytes, "gopsutil", now, float64(min(v.Available, v.Total)))
	m.ContainerLimit.Detail = "this system has no control groups"
	s, err := ask(func() (*mem.SwapMemoryStat, error) { return mem.SwapMemoryWithContext(ctx) })
	if err == nil {
		m.SwapTotal = got(m.SwapTotal.ID, "memory", Bytes, "gopsutil", now, float64(s.Total))
		m.SwapFree = got(m.SwapFree.ID, "memory", Bytes, "gopsutil", now, float64(min(s.Free, s.Total)))
	} else {
		m.SwapTotal.State, m.SwapTotal.Detail = StateError, err.Error()
		m.SwapFree.State, m.SwapFree.Detail = StateError, err.Error()
	}
	return part{Sample: Sample{Memory: m}}
}

func (f *libraryFamily) load(ctx context.Context) part {
	now := f.env.clock.Now()
	if runtime.GOOS == "windows" {
		r := Missing("cpu/load", "load", Count, StateNotOffered, "gopsutil", "Windows counts no load average")
		return part{Sample: Sample{Load: r}}
	}
	avg, err := ask(func() (*load.AvgStat, error) { return load.AvgWithContext(ctx) })
	if err != nil {
		return part{Sample: Sample{Load: failed("cpu/load", "load", Count, "gopsutil", now, err)}}
	}
	r := got("cpu/load", "load", Count, "gopsutil", now, avg.Load1)
	r.Detail = loadDetail
	return part{Sample: Sample{Load: r}}
}

// batteries asks distatus/battery. What it cannot know comes as 0, so that 0 counts only where it can be true.
func (f *libraryFamily) batteries(context.Context) part {
	now := f.env.clock.Now()
	packs, err := askBatteries()
	p := part{}
	for i, b := range packs {
		if b != nil {
			out, online := libraryPack(i, b, now)
			p.Batteries = append(p.Batteries, out)
			joinMains(&p.Mains, online)
		}
	}
	if p.Mains.ID == "" {
		p.Mains = Missing("mains", "battery", Count, StateNotOffered, "distatus/battery", "the system tells it only through a pack that charges or discharges")
	}
	if err != nil && len(p.Batteries) == 0 {
		r := Missing("source/batteries", "battery", Count, StateNotOffered, "distatus/battery", err.Error())
		p.SourceFailures = append(p.SourceFailures, r)
	}
	return p
}
