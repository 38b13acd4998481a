package sensors

import (
	"runtime"
	"time"
)

// merge makes the Sample of the round from what each source has.
func (p *Poller) merge(now, end time.Time, deadline, grace time.Duration) Sample {
	s := Sample{
		Time:         now.Round(0),
		Temperatures: make([]Temperature, 0, len(p.last.Temperatures)),
		Host:         Host{OS: runtime.GOOS, Arch: runtime.GOARCH},
	}
	var supplies []Reading
	for _, list := range [...][]*task{p.scans, p.order} {
		for _, t := range list {
			if t.key == "host" && !t.have {
				s.Host.Threads = runtime.NumCPU()
			}
			if f, bad := t.failure(end, deadline); bad {
				s.SourceFailures = append(s.SourceFailures, f)
			}
			if from, ok := t.current(end, deadline, grace); ok {
				add(&s, &from)
				supplies = append(supplies, t.last.supplies...)
			}
		}
	}
	s.Mains = joinMains(supplies)
	fillScalars(&s, end)
	return s
}

// add puts what one source has into s.
func add(s, from *Sample) {
	s.Temperatures = append(s.Temperatures, from.Temperatures...)
	s.Power = append(s.Power, from.Power...)
	s.Batteries = append(s.Batteries, from.Batteries...)
	s.Cards = append(s.Cards, from.Cards...)
	s.NPUs = append(s.NPUs, from.NPUs...)
	s.Throttle = append(s.Throttle, from.Throttle...)
	s.Clocks = append(s.Clocks, from.Clocks...)
	s.Workloads = append(s.Workloads, from.Workloads...)
	s.SourceFailures = append(s.SourceFailures, from.SourceFailures...)
	if from.Host.OS != "" {
		s.Host = from.Host
	}
	if from.Memory.Total.ID != "" {
		s.Memory = from.Memory
	}
	for _, f := range [...]struct{ to, from *Reading }{
		{&s.Load, &from.Load}, {&s.OwnCPU, &from.OwnCPU}, {&s.OwnMemory, &from.OwnMemory},
	} {
		if f.from.ID != "" {
			*f.to = *f.from
		}
	}
}

// fillScalars says of what no source has answered that it has not.
func fillScalars(s *Sample, now time.Time) {
	const why = "no answer yet"
	if s.Memory.Total.ID == "" {
		s.Memory = unknownMemory("/proc/meminfo", StateError, why, now)
	}
	for _, f := range [...]struct {
		r        *Reading
		id, kind string
		unit     Unit
	}{
		{&s.Load, "cpu/load", "load", Count},
		{&s.OwnCPU, "self/cpu", "self", Percent},
		{&s.OwnMemory, "self/memory", "self", Bytes},
	} {
		if f.r.ID == "" {
			*f.r = Missing(f.id, f.kind, f.unit, StateError, f.id, why)
			f.r.At = now
		}
	}
}
