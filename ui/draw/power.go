package draw

import (
	"strings"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// PowerCard shows the power budget, its course, and the battery.
func PowerCard(c Context, w, h float64) Scene {
	const title = "Power budget"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	t := c.Frame.Budget.Power
	f := func(p *frame.Point) sensors.Number { return p.PowerMW }
	source := sourceLine(t.Source, t.Detail, t.ReadingID, t.State)
	k := card{
		title: title, state: t.State, value: fixedPoint(t.BudgetMW/1000, 1), unit: "W", source: source,
		tip: withDetail(t.Source, t.Detail), reading: t.ReadingID,
		note: rangeNote(c.points(), c.Frame.Sample.Time, f, 1000, 1), gutter: gutter,
	}
	tight := c.Frame.Plan.TightPower
	if tight {
		k.judgement = "tight"
	}
	battery := batteryWords(c.Frame)
	b := newBoard(w, h, title, 32)
	b.Desc = withSentence(k.value+" W, "+frame.StateWords(t.State)+". "+withDash(k.source, battery), c.ghostWords(f, 1000, 1, "W"))
	k.tip = withDetail(withDetail(k.tip, battery), c.ghostWords(f, 1000, 1, "W"))
	// The battery stands in the title's line, in short where it must, else before the source.
	room := w - 2*pad(w) - titleStyle.width(title) - stateWidth(t.State) - 20 - alertWidth(k.judgement)
	words := battery
	if batteryWidth(words) > room {
		words = batteryShort(c.Frame)
	}
	below := battery != "" && batteryWidth(words) > room
	k.less = append(powerSources(source)[1:], strings.TrimSuffix(source, " is readable"))
	if below {
		k.source, k.less = "", nil
	}
	s, ok := k.draw(b, c)
	switch p := pad(w); {
	case below:
		x := b.battery(c.Frame, p, h-18, w-2*p, batteryShort(c.Frame))
		b.first(x, h-14, w-p-x, noteStyle, append(powerSources("· "+source), "")...)
	case battery != "":
		b.battery(c.Frame, w-p-stateWidth(t.State)-alertWidth(k.judgement)-batteryWidth(words)-14, 20, w, words)
	}
	if !ok {
		return b.Scene
	}
	lo, hi := windowBounds(c, f, t.BudgetMW)
	lo, hi = c.withGhost(lo, hi, f)
	s.unit = 1000
	s.lo, s.hi = steady(min(lo, 0), max(hi, 2*policy.TightPowerMW))
	b.base(s)
	b.course(s, c, f, f)
	b.levels(s, []level{{at: policy.TightPowerMW, label: "15 W", alert: tight}})
	b.now(s, t.BudgetMW, alertIf(tight))
	return b.Scene
}

// powerSources are the words for the source, the longest first: at last "45.0 − 14.0 W" for a limit and a draw.
func powerSources(source string) []string {
	out := segments(source)
	return append(out, strings.NewReplacer(" W limit − ", " − ", " W drawn", " W").Replace(out[len(out)-1]))
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

// batteryShort is the charge with an arrow for whether it grows.
func batteryShort(f frame.Frame) string {
	v, ok := f.Budget.Battery.Percent.Get()
	if !ok {
		return ""
	}
	words := fixedPoint(v, 0) + " %"
	switch f.Budget.Battery.Status {
	case sensors.Discharging:
		words += " ↓"
	case sensors.Charging:
		words += " ↑"
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
