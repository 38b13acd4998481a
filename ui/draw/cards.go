package draw

import (
	"slices"
	"strings"
	"time"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// card is what the four cards have in common.
type card struct {
	title, judgement string
	state            sensors.State
	value, unit      string
	// note stands right of the number: the least and the greatest of the window.
	note, source, tip, reading string
}

// draw lays out a card and returns the place of its chart; its height is 0 where there is no room.
func (k card) draw(b *board, c Context) (strip, bool) {
	b.ground()
	p := pad(b.W)
	b.heading(k.title, k.judgement, k.state)
	size := float64(big)
	if b.H < 110 {
		size = 20
	}
	base := 32 + size*0.92
	room := b.W - 2*p
	used := b.text(p, base, room, k.value, style{size: size, weight: SemiBold, color: Text})
	used += 5 + b.text(p+used+5, base, room-used-5, k.unit, style{size: lead, color: Muted})
	if !b.whole(b.W-p, base, room-used-10, k.note, noteStyle.end()) {
		_, short, _ := strings.Cut(k.note, ": ")
		b.whole(b.W-p, base, room-used-10, short, noteStyle.end())
	}
	foot := b.H - 14
	b.text(p, foot, room, k.source, noteStyle)
	b.Hotspots = append(b.Hotspots, Hotspot{W: b.W, H: b.H, Tip: k.tip, Action: ShowReading, ID: k.reading})
	s := strip{x: p, y: base + 12, w: room - gutter, now: c.Frame.Sample.Time}
	s.h = foot - 18 - s.y
	return s, s.h >= 12 && s.w >= 40
}

// waitingCard stands where nothing was read yet.
func waitingCard(w, h float64, title string) Scene {
	b := newBoard(w, h, title, 4)
	b.ground()
	p := pad(w)
	b.text(p, middleOf(20, body), w-2*p, title, titleStyle)
	b.text(w/2, middleOf(h/2+6, body), w-2*p, "reading the sensors…", noteStyle.middle())
	b.Desc = "Nothing was read yet."
	return b.Scene
}

// rangeNote says the least and the greatest of the window.
func rangeNote(points []frame.Point, now time.Time, f pick, scale float64, decimals int) string {
	lo, hi, any := bounds(points, now.Add(-window), f)
	if !any {
		return ""
	}
	a, z := fixedPoint(lo/scale, decimals), fixedPoint(hi/scale, decimals)
	if a == z {
		return "2 min: steady"
	}
	return "2 min: " + a + " to " + z
}

// ThermalCard shows the thermal headroom and its course.
func ThermalCard(c Context, w, h float64) Scene {
	const title = "Thermal headroom"
	if c.waiting() {
		return waitingCard(w, h, title)
	}
	t := c.Frame.Budget.Thermal
	f := func(p *frame.Point) sensors.Number { return p.HeadroomC }
	k := card{
		title: title, state: t.State, value: fixedPoint(t.HeadroomC, 1), unit: "°C", source: t.Source,
		tip: withDetail(t.Source, t.Detail), reading: t.ReadingID,
		note: rangeNote(c.points(), c.Frame.Sample.Time, f, 1, 1),
	}
	tight := c.Frame.Plan.TightHeat
	if tight {
		k.judgement = "tight"
	}
	b := newBoard(w, h, title, 24)
	b.Desc = title + " " + k.value + " °C, " + stateWords(t.State) + ". " + k.source
	s, ok := k.draw(b, c)
	if !ok {
		return b.Scene
	}
	lo, hi, any := bounds(c.points(), time.Time{}, f)
	if !any {
		lo, hi = t.HeadroomC, t.HeadroomC
	}
	s.lo, s.hi = steady(min(lo, t.HeadroomC, 0), max(hi, t.HeadroomC, 2*policy.TightHeadroomC), 5)
	b.base(s)
	b.plot(s, c.points(), f, Curve, true)
	b.levels(s, []level{{at: policy.TightHeadroomC, label: "5 °C", alert: tight}})
	b.now(s, t.HeadroomC, alertIf(tight))
	return b.Scene
}

// PowerCard shows the power budget, its course, and the battery.
func PowerCard(c Context, w, h float64) Scene {
	const title = "Power budget"
	if c.waiting() {
		return waitingCard(w, h, title)
	}
	t := c.Frame.Budget.Power
	f := func(p *frame.Point) sensors.Number { return p.PowerMW }
	k := card{
		title: title, state: t.State, value: fixedPoint(t.BudgetMW/1000, 1), unit: "W", source: t.Source,
		tip: withDetail(t.Source, t.Detail), reading: t.ReadingID,
		note: rangeNote(c.points(), c.Frame.Sample.Time, f, 1000, 1),
	}
	tight := c.Frame.Plan.TightPower
	if tight {
		k.judgement = "tight"
	}
	battery := batteryWords(c.Frame)
	b := newBoard(w, h, title, 32)
	b.Desc = title + " " + k.value + " W, " + stateWords(t.State) + ". " + k.source + ". " + battery
	if battery != "" {
		k.source = ""
	}
	s, ok := k.draw(b, c)
	if battery != "" {
		b.battery(c.Frame, battery, t.Source)
	}
	if !ok {
		return b.Scene
	}
	lo, hi, any := bounds(c.points(), time.Time{}, f)
	if !any {
		lo, hi = t.BudgetMW, t.BudgetMW
	}
	s.lo, s.hi = steady(min(lo, t.BudgetMW, 0), max(hi, t.BudgetMW, 2*policy.TightPowerMW), 5000)
	b.base(s)
	b.plot(s, c.points(), f, Curve, true)
	b.levels(s, []level{{at: policy.TightPowerMW, label: "15 W", alert: tight}})
	b.now(s, t.BudgetMW, alertIf(tight))
	return b.Scene
}

// batteryWords is the battery in short; empty without one.
func batteryWords(f frame.Frame) string {
	t := f.Budget.Battery
	if !t.Present {
		return ""
	}
	words := "charge unknown"
	if v, ok := t.Percent.Get(); ok {
		words = fixedPoint(v, 0) + " %"
	}
	switch t.Status {
	case sensors.StatusUnknown, "":
	default:
		words += " " + string(t.Status)
	}
	return words
}

// battery draws the battery's cell and words before the source of the power figure.
func (b *board) battery(f frame.Frame, words, source string) {
	p, y := pad(b.W), b.H-18.0
	b.add(Item{Kind: Rect, X: p, Y: y - 5, W: 20, H: 10, R: 2.5, Stroke: Muted, Width: 1})
	b.box(p+21, y-2, 2, 4, 1, Muted)
	if v, ok := f.Budget.Battery.Percent.Get(); ok {
		b.box(p+2, y-3, 16*min(max(v, 0), 100)/100, 6, 1, Text)
	}
	x := p + 28
	x += b.text(x, b.H-14, b.W-p-x, words, noteStyle.in(Text))
	b.text(x, b.H-14, b.W-p-x, " · "+source, noteStyle)
}

// MemoryCard shows the memory budget, its course, and the bytes that each precision needs.
func MemoryCard(c Context, w, h float64) Scene {
	const title = "Memory budget"
	if c.waiting() {
		return waitingCard(w, h, title)
	}
	t := c.Frame.Budget.Memory
	now := float64(t.Budget)
	unit, size := byteUnit(now)
	f := func(p *frame.Point) sensors.Number { return p.MemoryBudget }
	k := card{
		title: title, state: t.State, value: fixedPoint(now/size, 1), unit: unit, source: t.Source,
		tip: withDetail(t.Source, t.Detail), note: rangeNote(c.points(), c.Frame.Sample.Time, f, size, 1),
	}
	if size == 1 {
		k.value = fixedPoint(now, 0)
	}
	if !c.Frame.Plan.Fits {
		k.judgement = "nothing fits"
	}
	b := newBoard(w, h, title, 40)
	b.Desc = title + " " + k.value + " " + unit + ", " + stateWords(t.State) + ". " + k.source
	s, ok := k.draw(b, c)
	if !ok {
		return b.Scene
	}
	_, hi, any := bounds(c.points(), time.Time{}, f)
	if !any {
		hi = now
	}
	// The range reaches the next precision up, so that the line to cross is in sight.
	top := max(hi, now)
	rungs := c.Frame.Plan.Rungs
	for i := len(rungs) - 1; i >= 0; i-- {
		if need := float64(rungs[i].Need); need > now {
			top = max(top, min(need, 2*now+1))
			break
		}
	}
	_, s.hi = steady(0, top*1.05/size, 0.1)
	s.hi *= size
	b.base(s)
	b.plot(s, c.points(), f, Curve, true)
	b.levels(s, rungLevels(rungs, now, size))
	b.now(s, now, alertIf(!c.Frame.Plan.Fits))
	return b.Scene
}

// rungLevels are the bytes of each precision as levels, the one nearest to the budget first.
func rungLevels(rungs [4]policy.Rung, now, size float64) []level {
	ls := make([]level, 0, len(rungs))
	for _, r := range rungs {
		ls = append(ls, level{at: float64(r.Need), label: fixedPoint(float64(r.Need)/size, 1), chip: true, p: r.Precision})
	}
	slices.SortStableFunc(ls, func(a, b level) int {
		switch da, db := distanceOf(a.at, now), distanceOf(b.at, now); {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
	return ls
}

func distanceOf(a, b float64) float64 { return max(a-b, b-a) }

// ClocksCard shows the clocks, and what the hardware says of throttling: not the policy's tight envelope.
func ClocksCard(c Context, w, h float64) Scene {
	const title = "Clocks"
	if c.waiting() {
		return waitingCard(w, h, title)
	}
	t := c.Frame.Budget.Throttle
	cpu, gpu := clockOf(c.Frame, true), clockOf(c.Frame, false)
	k := card{title: title, state: t.State, value: unknown, source: clocksWords(c.Frame, cpu, gpu), tip: throttleWords(c.Frame)}
	f := func(p *frame.Point) sensors.Number { return p.CPUMHz }
	lead := cpu
	if !cpu.Now.Value.Known() && gpu.Now.Value.Known() {
		lead, f = gpu, func(p *frame.Point) sensors.Number { return p.GPUMHz }
	}
	if v, ok := lead.Now.Value.Get(); ok {
		k.value, k.unit = fixedPoint(v/1000, 1), "GHz"
		if m, ok := lead.Max.Value.Get(); ok && m > 0 {
			k.unit = "of " + fixedPoint(m/1000, 1) + " GHz"
		}
	}
	k.note = rangeNote(c.points(), c.Frame.Sample.Time, f, 1000, 1)
	throttling := t.Now.Or(0) > 0
	if throttling {
		k.judgement = "throttling"
		if len(t.Reasons) > 0 {
			k.judgement = t.Reasons[0] + " throttling"
		}
	}
	b := newBoard(w, h, title, 40)
	b.Desc = title + " " + k.value + " " + k.unit + ". " + k.source
	s, ok := k.draw(b, c)
	if !ok {
		return b.Scene
	}
	_, hi, any := bounds(c.points(), time.Time{}, f)
	top := max(lead.Max.Value.Or(0), lead.Now.Value.Or(0))
	if any {
		top = max(top, hi)
	}
	g := func(p *frame.Point) sensors.Number { return p.GPUMHz }
	second := lead.Device == cpu.Device && gpu.Now.Value.Known()
	if _, hi, any := bounds(c.points(), time.Time{}, g); any && second {
		top = max(top, hi)
	}
	_, s.hi = steady(0, top, 1000)
	b.base(s)
	b.plot(s, c.points(), f, Curve, true)
	if second {
		b.plot(s, c.points(), g, Second, false)
	}
	b.throttled(s, c.points())
	if m, ok := lead.Max.Value.Get(); ok && m > 0 {
		b.levels(s, []level{{at: m, label: "most"}})
	}
	if v, ok := lead.Now.Value.Get(); ok {
		b.now(s, v, alertIf(throttling))
	}
	return b.Scene
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

// clockOf is the clock of the CPU, or of the GPU in use.
func clockOf(f frame.Frame, cpu bool) sensors.Clock {
	id := "cpu"
	if !cpu {
		if f.Budget.InUse < 0 || f.Budget.InUse >= len(f.Budget.GPUs) {
			return sensors.Clock{}
		}
		id = f.Budget.GPUs[f.Budget.InUse].ID
	}
	for _, c := range f.Sample.Clocks {
		if c.Device == id {
			return c
		}
	}
	return sensors.Clock{}
}

func clocksWords(f frame.Frame, cpu, gpu sensors.Clock) string {
	var parts []string
	for _, d := range [...]struct {
		name  string
		clock sensors.Clock
	}{{"CPU", cpu}, {"GPU", gpu}} {
		v, ok := d.clock.Now.Value.Get()
		if !ok {
			continue
		}
		s := d.name + " " + fixedPoint(v/1000, 1)
		if m, ok := d.clock.Max.Value.Get(); ok && m > 0 {
			s += " of " + fixedPoint(m/1000, 1)
		}
		parts = append(parts, s+" GHz")
	}
	if len(parts) == 0 {
		parts = append(parts, "no clock is offered")
	}
	return strings.Join(append(parts, throttleWords(f)), " · ")
}

// throttleWords is what the hardware says of itself.
func throttleWords(f frame.Frame) string {
	t := f.Budget.Throttle
	v, ok := t.Now.Get()
	switch {
	case !ok && t.Detail != "":
		return t.Detail
	case !ok:
		return "nothing tells of throttling"
	case v > 0 && len(t.Reasons) > 0:
		return "throttling: " + strings.Join(t.Reasons, ", ")
	case v > 0:
		return "throttling"
	default:
		return "not throttling"
	}
}

func withDetail(source, detail string) string {
	if detail == "" {
		return source
	}
	return source + "\n" + detail
}

func alertIf(on bool) Role {
	if on {
		return Alert
	}
	return Text
}
