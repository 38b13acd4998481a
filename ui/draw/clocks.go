package draw

import (
	"strings"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// ClocksCard shows the clocks, and what the hardware says of throttling: not the policy's tight envelope.
func ClocksCard(c Context, w, h float64) Scene {
	const title = "Clocks"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	t := c.Frame.Budget.Throttle
	cpu, gpu := c.Frame.Clocks()
	cpuNow, cpuMost := clockValues(cpu)
	gpuNow, gpuMost := clockValues(gpu)
	throttled, none := throttleWords(t), sensors.Number{}
	k := card{
		title: title, state: sensors.StateNotOffered, value: unknown,
		source: strings.TrimPrefix(clockWords(cpuNow, cpuMost, gpuNow, gpuMost)+" · "+throttled, " · "),
		less:   []string{clockWords(cpuNow, cpuMost, gpuNow, gpuMost), clockWords(cpuNow, none, gpuNow, none)}, tip: throttled, gutter: gutter,
	}
	lead := func(p *frame.Point) sensors.Number { return p.CPUMHz }
	second := func(p *frame.Point) sensors.Number { return p.GPUMHz }
	now, most := cpuNow, cpuMost
	switch {
	case cpuNow.Known():
		k.state = cpu.Now.State
	case gpuNow.Known():
		k.state, now, most, lead, second = gpu.Now.State, gpuNow, gpuMost, second, nil
	case cpu != nil:
		k.state = cpu.Now.State
	}
	if v, ok := now.Get(); ok {
		k.value, k.unit = fixedPoint(v/1000, 1), "GHz"
		if m, ok := most.Get(); ok {
			k.unit = "of " + fixedPoint(m/1000, 1) + " GHz"
		}
	}
	k.note = rangeNote(c.points(), c.Frame.Sample.Time, lead, 1000, 1)
	throttling := t.Now.Or(0) > 0
	if throttling {
		k.judgement, k.short = "throttling", "throttling"
		if len(t.Reasons) > 0 {
			k.judgement = t.Reasons[0] + " throttling"
		}
	}
	b := newBoard(w, h, title, 40)
	b.Desc = k.value + " " + k.unit + ". " + k.source
	if k.bare = !now.Known(); !k.bare {
		k.tip = withDetail(k.tip, c.ghostWords(lead, 1000, 1, "GHz"))
		b.Desc = withSentence(b.Desc, c.ghostWords(lead, 1000, 1, "GHz"))
	}
	s, ok := k.draw(b, c)
	if !ok || !now.Known() {
		return b.Scene
	}
	_, top := windowBounds(c, lead, max(now.Or(0), most.Or(0)))
	if second != nil {
		_, high := windowBounds(c, second, gpuNow.Or(0))
		top = max(top, high)
	}
	_, top = c.withGhost(0, top, lead)
	_, s.hi = steady(0, max(top, 1000))
	s.unit = 1000
	b.base(s)
	b.course(s, c, lead, lead)
	if second != nil && gpuNow.Known() {
		b.plot(s, c.points(), second, Second, false)
	}
	b.throttled(s, c.points())
	var ls [2]level
	n := 0
	if second != nil && gpuNow.Known() {
		ls[n] = level{at: gpuNow.Or(0), label: "GPU", bare: true}
		n++
	}
	if m, ok := most.Get(); ok {
		ls[n] = level{at: m, label: "max"}
		n++
	}
	b.levels(s, ls[:n])
	b.now(s, now.Or(0), alertIf(throttling))
	return b.Scene
}

// clockValues are a clock's frequencies now and at most in MHz, where they are to be trusted.
func clockValues(c *sensors.Clock) (now, most sensors.Number) {
	if c == nil {
		return now, most
	}
	if c.Now.Usable() {
		now = c.Now.Value
	}
	if c.Max.Usable() && c.Max.Value.Or(0) > 0 {
		most = c.Max.Value
	}
	return now, most
}

// throttled marks the moments of throttling on the base line.
func (b *board) throttled(s strip, points []frame.Point) {
	from := -1.0
	end := func(x float64) {
		if from >= 0 {
			b.box(from, s.y+s.h-1, max(x-from, 2), 3, 0, Alert)
		}
		from = -1
	}
	last := s.x
	for i := range points {
		p := &points[i]
		if p.At.Before(s.now.Add(-window)) || p.At.After(s.now) {
			continue
		}
		last = s.toX(p.At)
		if p.Throttling.Or(0) > 0 {
			if from < 0 {
				from = last
			}
			continue
		}
		end(last)
	}
	end(last)
}

// clockWords are the clocks in short; empty where none is known.
func clockWords(cpu, cpuMost, gpu, gpuMost sensors.Number) string {
	var words strings.Builder
	for _, d := range [...]struct {
		name      string
		now, most sensors.Number
	}{{"CPU ", cpu, cpuMost}, {"GPU ", gpu, gpuMost}} {
		v, ok := d.now.Get()
		if !ok {
			continue
		}
		if words.Len() > 0 {
			words.WriteString(" · ")
		}
		words.WriteString(d.name + fixedPoint(v/1000, 1))
		if m, ok := d.most.Get(); ok {
			words.WriteString(" of " + fixedPoint(m/1000, 1))
		}
	}
	if words.Len() > 0 {
		words.WriteString(" GHz")
	}
	return words.String()
}

// throttleWords is what the hardware says of itself.
func throttleWords(t budget.Throttle) string {
	v, ok := t.Now.Get()
	switch {
	case !ok:
		return t.Detail
	case v > 0 && len(t.Reasons) > 0:
		return "throttling: " + strings.Join(t.Reasons, ", ")
	case v > 0:
		return "throttling"
	default:
		return "not throttling"
	}
}
