package sensors

// eachReading calls f for every reading in s, in a fixed order.
func eachReading(s *Sample, f func(*Reading)) {
	for i := range s.Temperatures {
		t := &s.Temperatures[i]
		f(&t.Value)
		f(&t.Crit)
		for j := range t.Trips {
			f(&t.Trips[j].Limit)
		}
	}
	for i := range s.Power {
		f(&s.Power[i].Limit)
		f(&s.Power[i].Draw)
	}
	f(&s.Mains)
	for i := range s.Batteries {
		b := &s.Batteries[i]
		for _, r := range [...]*Reading{&b.Now, &b.Full, &b.Design, &b.Rate, &b.Voltage, &b.Capacity} {
			f(r)
		}
	}
	m := &s.Memory
	for _, r := range [...]*Reading{&m.Total, &m.Available, &m.SwapTotal, &m.SwapFree, &m.ContainerLimit} {
		f(r)
	}
	for i := range s.Cards {
		c := &s.Cards[i]
		for _, r := range [...]*Reading{&c.VRAMTotal, &c.VRAMUsed, &c.GTTTotal, &c.GTTUsed, &c.Busy} {
			f(r)
		}
	}
	f(&s.AdaptersState)
	for i := range s.Throttle {
		f(&s.Throttle[i].Active)
	}
	for i := range s.Clocks {
		f(&s.Clocks[i].Now)
		f(&s.Clocks[i].Max)
	}
	f(&s.Load)
	for i := range s.Workloads {
		p := &s.Workloads[i]
		f(&p.RAM)
		f(&p.GPU)
		f(&p.Power)
	}
	f(&s.OwnCPU)
	f(&s.OwnMemory)
	for i := range s.SourceFailures {
		f(&s.SourceFailures[i])
	}
}

// Readings lists every reading of a Sample, in a fixed order: those without an ID were not asked for and are left out. An
// NPU, known by presence only, is a reading of value 1.
func Readings(s Sample) []Reading {
	n := 0
	eachReading(&s, func(*Reading) { n++ })
	list := make([]Reading, 0, n+len(s.NPUs))
	eachReading(&s, func(r *Reading) {
		if r.ID != "" {
			list = append(list, *r)
		}
	})
	for _, u := range s.NPUs {
		r := Reading{ID: "npu/" + u.ID, Kind: "npu", State: u.State, Source: u.Source, Detail: u.Name + "; known by presence only", At: s.Time}
		if u.State == StateOK {
			r.Value = Num(1)
		}
		if u.Asleep {
			r.Detail = u.Name + "; asleep, wakes when it is used; known by presence only"
		}
		list = append(list, r)
	}
	return list
}
