package draw

import (
	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// ThermalCard shows the thermal headroom and its course.
func ThermalCard(c Context, w, h float64) Scene {
	const title = "Thermal headroom"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	t := c.Frame.Budget.Thermal
	f := func(p *frame.Point) sensors.Number { return p.HeadroomC }
	k := card{
		title: title, state: t.State, value: fixedPoint(t.HeadroomC, 1), unit: "°C", source: sourceLine(t.Source, t.Detail, t.ReadingID, t.State),
		tip: withDetail(t.Source, t.Detail), reading: t.ReadingID,
		note: rangeNote(c.points(), c.Frame.Sample.Time, f, 1, 1), gutter: gutter,
	}
	if t.ReadingID == "" {
		k.less = []string{"no CPU or GPU sensor", "no sensor"}
	}
	tight := c.Frame.Plan.TightHeat
	if tight {
		k.judgement = "tight"
	}
	b := newBoard(w, h, title, 24)
	k.tip = withDetail(k.tip, c.ghostWords(f, 1, 1, "°C"))
	b.Desc = withSentence(k.value+" °C, "+frame.StateWords(t.State)+". "+k.source, c.ghostWords(f, 1, 1, "°C"))
	s, ok := k.draw(b, c)
	if !ok {
		return b.Scene
	}
	lo, hi := windowBounds(c, f, t.HeadroomC)
	lo, hi = c.withGhost(lo, hi, f)
	s.unit = 1
	s.lo, s.hi = steady(min(lo, 0), max(hi, 2*policy.TightHeadroomC))
	b.base(s)
	b.course(s, c, f, f)
	b.levels(s, []level{{at: policy.TightHeadroomC, label: "5 °C", alert: tight}})
	b.now(s, t.HeadroomC, alertIf(tight))
	return b.Scene
}
