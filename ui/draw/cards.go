package draw

import (
	"slices"
	"strings"
	"time"

	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// card is what the four cards have in common.
type card struct {
	title string
	// judgement is in red; short is for where it does not fit.
	judgement, short string
	state            sensors.State
	value, unit      string
	// note stands right of the number: the least and the greatest of the window.
	note, source, tip, reading string
	// less is the source where all of it does not fit.
	less string
	// gutter is the room right of the chart.
	gutter float64
}

// draw lays out a card and returns the place of its chart; its height is 0 where there is no room.
func (k card) draw(b *board, c Context) (strip, bool) {
	b.ground()
	p := pad(b.W)
	b.heading(k.title, k.judgement, k.short, k.state)
	size := float64(big)
	if b.H < 110 {
		size = 20
	}
	base := 34 + size*0.88
	room := b.W - 2*p
	used := b.text(p, base, room, k.value, style{size: size, weight: SemiBold, color: Text})
	used += 5 + b.text(p+used+5, base, room-used-5, k.unit, style{size: lead, color: Muted})
	if !b.whole(b.W-p, base, room-used-10, k.note, noteStyle.end()) {
		_, short, _ := strings.Cut(k.note, ": ")
		b.whole(b.W-p, base, room-used-10, short, noteStyle.end())
	}
	foot := b.H - 14
	if k.less == "" || noteStyle.width(k.source) <= room {
		k.less = k.source
	}
	b.text(p, foot, room, k.less, noteStyle)
	b.Hotspots = append(b.Hotspots, Hotspot{W: b.W, H: b.H, Tip: k.tip, Action: ShowReading, ID: k.reading})
	s := strip{x: p, y: base + 11, w: room - k.gutter, now: c.Frame.Sample.Time}
	s.h = foot - 17 - s.y
	if s.h >= tall {
		s.timed = true
		s.h -= 18
	}
	return s, s.h >= 12 && s.w >= 40
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
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	t := c.Frame.Budget.Thermal
	f := func(p *frame.Point) sensors.Number { return p.HeadroomC }
	k := card{
		title: title, state: t.State, value: fixedPoint(t.HeadroomC, 1), unit: "°C", source: t.Source,
		tip: withDetail(t.Source, t.Detail), reading: t.ReadingID,
		note: rangeNote(c.points(), c.Frame.Sample.Time, f, 1, 1), gutter: gutter,
	}
	tight := c.Frame.Plan.TightHeat
	if tight {
		k.judgement = "tight"
	}
	b := newBoard(w, h, title, 24)
	b.Desc = k.value + " °C, " + frame.StateWords(t.State) + ". " + k.source
	s, ok := k.draw(b, c)
	if !ok {
		return b.Scene
	}
	lo, hi := windowBounds(c, f, t.HeadroomC)
	s.unit = 1
	s.lo, s.hi = steady(min(lo, 0), max(hi, 2*policy.TightHeadroomC))
	b.base(s)
	b.plot(s, c.points(), f, Curve, true)
	b.levels(s, []level{{at: policy.TightHeadroomC, label: "5 °C", alert: tight}})
	b.now(s, t.HeadroomC, alertIf(tight))
	return b.Scene
}

// PowerCard shows the power budget, its course, and the battery.
func PowerCard(c Context, w, h float64) Scene {
	const title = "Power budget"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	t := c.Frame.Budget.Power
	f := func(p *frame.Point) sensors.Number { return p.PowerMW }
	k := card{
		title: title, state: t.State, value: fixedPoint(t.BudgetMW/1000, 1), unit: "W", source: t.Source,
		tip: withDetail(t.Source, t.Detail), reading: t.ReadingID,
		note: rangeNote(c.points(), c.Frame.Sample.Time, f, 1000, 1), gutter: gutter,
	}
	tight := c.Frame.Plan.TightPower
	if tight {
		k.judgement = "tight"
	}
	battery := batteryWords(c.Frame)
	b := newBoard(w, h, title, 32)
	b.Desc = k.value + " W, " + frame.StateWords(t.State) + ". " + k.source + ". " + battery
	k.tip += "\n" + battery
	// The battery stands in the title's line where it has room, else before the source.
	below := battery != "" && w-2*pad(w)-titleStyle.width(title)-stateWidth(t.State)-24 < batteryWidth(battery)+alertWidth(k.judgement)
	if below {
		k.source = ""
	}
	s, ok := k.draw(b, c)
	switch p := pad(w); {
	case below:
		x := b.battery(c.Frame, p, h-18, w-2*p, battery)
		b.text(x, h-14, w-p-x, "· "+t.Source, noteStyle)
	case battery != "":
		b.battery(c.Frame, w-p-stateWidth(t.State)-alertWidth(k.judgement)-batteryWidth(battery)-14, 20, w, battery)
	}
	if !ok {
		return b.Scene
	}
	lo, hi := windowBounds(c, f, t.BudgetMW)
	s.unit = 1000
	s.lo, s.hi = steady(min(lo, 0), max(hi, 2*policy.TightPowerMW))
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

// batteryCell is the width of the battery's sign.
const batteryCell = 28

func batteryWidth(words string) float64 { return batteryCell + noteStyle.width(words) }

// battery draws the battery's sign and words from x on, centred on y; it returns where they end.
func (b *board) battery(f frame.Frame, x, y, room float64, words string) float64 {
	b.add(Item{Kind: Rect, X: x, Y: y - 5, W: 20, H: 10, R: 2.5, Stroke: Muted, Width: 1})
	b.box(x+21, y-2, 2, 4, 1, Muted)
	if v, ok := f.Budget.Battery.Percent.Get(); ok {
		b.box(x+2, y-3, 16*min(max(v, 0), 100)/100, 6, 1, Text)
	}
	x += batteryCell
	return x + b.text(x, middleOf(y, small), room-batteryCell, words, noteStyle) + 5
}

// MemoryCard shows the memory budget, its course, and the bytes that each precision needs.
func MemoryCard(c Context, w, h float64) Scene {
	const title = "Memory budget"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	t, l := c.Frame.Budget.Memory, c.Frame.Ledger()
	size := unitSize(l)
	f := func(p *frame.Point) sensors.Number { return p.MemoryBudget }
	k := card{
		title: title, state: t.State, value: l.Budget.Text, unit: l.Unit, source: memoryWords(l, t.Source),
		tip: withDetail(t.Source, t.Detail), note: rangeNote(c.points(), c.Frame.Sample.Time, f, size, decimalsOf(l)), gutter: chipGutter,
	}
	known := c.Frame.MemoryKnown()
	switch {
	case !known:
		k.value, k.unit, k.source = unknown, "", withDash(t.Source, t.Detail)
	case !c.Frame.Plan.Fits:
		k.judgement, k.short = "nothing fits", "no fit"
	}
	b := newBoard(w, h, title, 40)
	b.Desc = k.value + " " + k.unit + ", " + frame.StateWords(t.State) + ". " + k.source
	s, ok := k.draw(b, c)
	if !ok || !known {
		return b.Scene
	}
	now := float64(t.Budget)
	_, top := windowBounds(c, f, now)
	// The range reaches the next precision up, so that the line to cross is in sight; what q4 lacks is always shown.
	rungs, reach := c.Frame.Plan.Rungs, 2.0
	if !c.Frame.Plan.Fits {
		reach = 60
	}
	for i := len(rungs) - 1; i >= 0; i-- {
		if need := float64(rungs[i].Need); need > now {
			if need <= reach*max(now, size) {
				top = max(top, need)
			}
			break
		}
	}
	_, s.hi = steady(0, max(top/size, 0.1))
	s.hi *= size
	s.unit = size
	b.base(s)
	b.plot(s, c.points(), f, Curve, true)
	b.levels(s, rungLevels(rungs, l, now))
	b.now(s, now, alertIf(!c.Frame.Plan.Fits))
	return b.Scene
}

// unitSize is the bytes of the ledger's unit, and decimalsOf the decimals that its figures have.
func unitSize(l frame.Ledger) float64 {
	if l.Unit == "MiB" {
		return frame.MiB
	}
	return frame.GiB
}

func decimalsOf(l frame.Ledger) int {
	if l.Unit == "MiB" {
		return 0
	}
	return 1
}

// memoryWords is how the budget came about: the parts of what is free, less what the workload needs beside its weights.
func memoryWords(l frame.Ledger, source string) string {
	if len(l.Free) == 0 {
		return source
	}
	var words strings.Builder
	for i, part := range l.Free {
		switch figure, negative := strings.CutPrefix(part.Text, "−"); {
		case negative:
			words.WriteString(" − " + figure + " " + part.Name)
		case i > 0:
			words.WriteString(" + " + part.Name + " " + part.Text)
		default:
			words.WriteString(part.Name + " " + part.Text)
		}
	}
	if l.KV.Exact > 0 {
		words.WriteString(" − KV " + l.KV.Text)
	}
	if l.Compute.Exact > 0 {
		words.WriteString(" − compute " + l.Compute.Text)
	}
	return words.String()
}

// rungLevels are the bytes of each precision as levels, the one nearest to the budget first.
func rungLevels(rungs [4]policy.Rung, l frame.Ledger, now float64) []level {
	ls := make([]level, 0, len(rungs))
	for i, r := range rungs {
		ls = append(ls, level{at: float64(r.Need), label: axisText(l, l.Rungs[i].Need), chip: true, p: r.Precision})
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
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	t := c.Frame.Budget.Throttle
	cpu, gpu := c.Frame.Clocks()
	cpuNow, cpuMost := clockValues(cpu)
	gpuNow, gpuMost := clockValues(gpu)
	throttled := throttleWords(t)
	k := card{
		title: title, state: sensors.StateNotOffered, value: unknown,
		source: strings.TrimPrefix(clockWords(cpuNow, cpuMost, gpuNow, gpuMost)+" · "+throttled, " · "),
		less:   clockWords(cpuNow, cpuMost, gpuNow, gpuMost), tip: throttled, gutter: gutter,
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
	s, ok := k.draw(b, c)
	if !ok || !now.Known() {
		return b.Scene
	}
	_, top := windowBounds(c, lead, max(now.Or(0), most.Or(0)))
	if second != nil {
		_, high := windowBounds(c, second, gpuNow.Or(0))
		top = max(top, high)
	}
	_, s.hi = steady(0, max(top, 1000))
	s.unit = 1000
	b.base(s)
	b.plot(s, c.points(), lead, Curve, true)
	if second != nil && gpuNow.Known() {
		b.plot(s, c.points(), second, Second, false)
	}
	b.throttled(s, c.points())
	var ls [2]level
	n := 0
	if m, ok := most.Get(); ok {
		ls[n] = level{at: m, label: "max"}
		n++
	}
	if second != nil && gpuNow.Known() {
		ls[n] = level{at: gpuNow.Or(0), label: "GPU", bare: true}
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

// withDash is a source and what is special of it on one line.
func withDash(source, detail string) string {
	if detail == "" {
		return source
	}
	return source + " · " + detail
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
