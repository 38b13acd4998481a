package sensors

import (
	"runtime"
	"slices"
	"time"
)

// merge makes the Sample of the round from what each source has.
func (p *Poller) merge(now, end time.Time, deadline, grace time.Duration) Sample {
	s := Sample{
		Time:         now.Round(0),
		Temperatures: make([]Temperature, 0, len(p.last.Temperatures)),
		Host:         Host{OS: runtime.GOOS, Arch: runtime.GOARCH},
	}
	var shares map[int]share
	var opinions []*opinion
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
				if t.last.opinion != nil {
					opinions = append(opinions, t.last.opinion)
				}
				if t.last.shares != nil {
					shares = t.last.shares
				}
			}
		}
	}
	for _, o := range opinions {
		o.compare(&s)
	}
	foldPackageZones(&s)
	addPower(&s, shares)
	fillScalars(&s, end)
	stamp(&s, end)
	return s
}

// add puts what one source has into s.
func add(s, from *Sample) {
	s.Temperatures = append(s.Temperatures, from.Temperatures...)
	s.Power = append(s.Power, from.Power...)
	joinMains(&s.Mains, from.Mains)
	s.Batteries = append(s.Batteries, from.Batteries...)
	for i := range from.Cards {
		s.Cards = joinCard(s.Cards, &from.Cards[i])
	}
	s.NPUs = append(s.NPUs, from.NPUs...)
	s.Throttle = append(s.Throttle, from.Throttle...)
	s.Clocks = append(s.Clocks, from.Clocks...)
	// The power of each is put in later, into the round's own copy.
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

// joinCard adds a card, or completes the one of the same ID: the kernel and the vendor's tool each know a part.
func joinCard(cards []Card, c *Card) []Card {
	for i := range cards {
		have := &cards[i]
		if have.ID != c.ID {
			continue
		}
		if c.Name != "" && c.Driver == "nvidia" && !c.Asleep {
			have.Name = c.Name
		}
		for _, r := range [...]struct{ to, from *Reading }{
			{&have.VRAMTotal, &c.VRAMTotal},
			{&have.VRAMUsed, &c.VRAMUsed},
			{&have.GTTTotal, &c.GTTTotal},
			{&have.GTTUsed, &c.GTTUsed},
			{&have.Busy, &c.Busy},
		} {
			if !r.to.Value.Known() && r.from.Value.Known() && !have.Asleep {
				*r.to = *r.from
			}
		}
		return cards
	}
	return append(cards, *c)
}

// foldPackageZones drops the zones that show coretemp's package sensors a second time, while those can be read.
func foldPackageZones(s *Sample) {
	usable := slices.ContainsFunc(s.Temperatures, func(t Temperature) bool {
		return t.Role == RoleCPU && t.Rank == rankPackage && t.Value.Usable()
	})
	if !usable {
		return
	}
	s.Temperatures = slices.DeleteFunc(s.Temperatures, func(t Temperature) bool { return t.Chip == "x86_pkg_temp" })
}

// fillScalars says of what no source has answered that it has not.
func fillScalars(s *Sample, now time.Time) {
	const why = "no answer yet"
	if s.Mains.ID == "" {
		s.Mains = Missing("mains", "battery", Count, StateNotOffered, "/"+supplyDir, "no supply of type Mains or USB")
	}
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
		}
	}
}
