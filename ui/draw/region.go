package draw

import (
	"math"
	"strings"
	"time"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// axis is the upright axis of a map.
type axis struct {
	title, unit string
	// threshold is the bound of the tight envelope; least and most are the range that is always shown; step is the ticks'.
	threshold, least, most, step float64
	value                        float64
	scale                        float64
	f                            pick
	// tight is whether this axis's own value is tight, other whether another input is, in the words of why.
	tight bool
	other string
}

// HeatMap shows, for this model, which precision follows from each memory budget and thermal headroom, and where the
// machine is.
func HeatMap(c Context, w, h float64) Scene {
	plan := c.Frame.Plan
	a := axis{
		title: "headroom", unit: "°C", threshold: policy.TightHeadroomC, least: 0, most: 30, step: 10, scale: 1,
		value: c.Frame.Budget.Thermal.HeadroomC, tight: plan.TightHeat,
		f: func(p *frame.Point) sensors.Number { return p.HeadroomC },
	}
	if plan.TightPower {
		a.other = "power under 15 W: f32 and f16 are off"
	}
	return regionMap(c, w, h, a)
}

// PowerMap is the map over the power budget.
func PowerMap(c Context, w, h float64) Scene {
	plan := c.Frame.Plan
	a := axis{
		title: "power", unit: "W", threshold: policy.TightPowerMW / 1000, least: 0, most: 40, step: 10, scale: 1000,
		value: c.Frame.Budget.Power.BudgetMW / 1000, tight: plan.TightPower,
		f: func(p *frame.Point) sensors.Number { return p.PowerMW },
	}
	if plan.TightHeat {
		a.other = "headroom under 5 °C: f32 and f16 are off"
	}
	return regionMap(c, w, h, a)
}

// plane is the map's place and its ranges.
type plane struct {
	x, y, w, h float64
	most       float64 // bytes at the right end
	lo, hi     float64
}

func (m plane) toX(bytes float64) float64 { return m.x + m.w*min(max(bytes/m.most, 0), 1) }
func (m plane) toY(v float64) float64 {
	return m.y + m.h*(1-min(max((v-m.lo)/(m.hi-m.lo), 0), 1))
}

func regionMap(c Context, w, h float64, a axis) Scene {
	const title = "Decision map"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	b := newBoard(w, h, title, 64)
	b.ground()
	p := pad(w)
	b.text(p, middleOf(20, body), w-2*p, title, titleStyle)
	room := w - 2*p - titleStyle.width(title) - 12
	if a.other != "" {
		if b.alertEnd(w-p, 20, room, a.other) == 0 {
			b.alertEnd(w-p, 20, room, "tight")
		}
	} else if !b.whole(w-p, middleOf(20, small), room, a.title+" in "+a.unit+" by memory budget, this model", noteStyle.end()) {
		b.whole(w-p, middleOf(20, small), room, a.unit+" by memory", noteStyle.end())
	}
	m := plane{x: p + 30, y: 38, w: w - 2*p - 30, h: h - 38 - 32}
	if m.w < 60 || m.h < 40 {
		return b.Scene
	}
	rungs := c.Frame.Plan.Rungs
	m.most = mapMost(rungs, float64(c.Frame.Budget.Memory.Budget))
	lo, hi, any := bounds(c.points(), time.Time{}, a.f)
	if !any {
		lo, hi = a.value*a.scale, a.value*a.scale
	}
	lo, hi = min(lo/a.scale, a.value, a.least), max(hi/a.scale, a.value, a.most)
	hi += (hi - lo) * 0.05
	step := a.step
	for (hi-lo)/step > max(m.h/18, 1) {
		step *= 2
	}
	m.lo, m.hi = math.Floor(lo/step)*step, math.Ceil(hi/step)*step

	dot := Point{m.toX(float64(c.Frame.Budget.Memory.Budget)), m.toY(a.value)}
	b.regions(m, rungs, dot, a)
	b.mapAxes(c, m, rungs, a, step)
	b.trail(c, m, a)
	b.dot(c, m, a)
	b.spot(m.x, m.y, m.w, m.h, c.Frame.Verdict().Headline())
	l := c.Frame.Ledger()
	b.Desc = "Regions of memory budget and " + a.title + " by precision; the machine is at " +
		l.Words(l.Budget) + " and " + fixedPoint(a.value, 1) + " " + a.unit + "."
	if !c.Frame.MemoryKnown() {
		b.Desc = "Regions of memory budget and " + a.title + " by precision; the machine's budget is unknown."
	}
	return b.Scene
}

// mapMost is the budget at the right end: f32 and the machine's budget in sight, in whole steps.
func mapMost(rungs [4]policy.Rung, budget float64) float64 {
	need := max(float64(rungs[policy.F32].Need), 1)
	most := max(min(max(need*1.25, budget*1.06), need*2.5), 1)
	return most
}

// regions draws the areas: left to right what fits, in two storeys, since f32 and f16 are off below the threshold.
func (b *board) regions(m plane, rungs [4]policy.Rung, dot Point, a axis) {
	b.add(Item{Kind: Rect, X: m.x, Y: m.y, W: m.w, H: m.h, Fill: Well, Hatch: Stripe})
	split := m.toY(a.threshold)
	upper := policy.F32
	if a.other != "" {
		upper = policy.Q8
	}
	b.storey(m, rungs, upper, m.y, split, dot)
	b.storey(m, rungs, policy.Q8, split, m.y+m.h, dot)
	if n := m.toX(float64(rungs[policy.Q4].Need)) - m.x; n > 0 {
		s := strong.at(10.5)
		words := "nothing fits"
		if s.width(words)+12 > n {
			words = "no fit"
		}
		if wide := min(s.width(words)+10, n-2); wide >= s.width(words) {
			y := m.y + 16
			if math.Abs(dot.X-m.x-n/2) < wide/2+10 && math.Abs(dot.Y-y) < 22 {
				y = m.y + m.h*0.6
			}
			b.box(m.x+n/2-wide/2, y-9, wide, 18, 3, Card)
			b.text(m.x+n/2, middleOf(y, s.size), wide, words, s.middle())
		}
	}
}

// storey draws one band of regions between two heights, the finest allowed precision last. Names keep clear of the dot
// and its trail.
func (b *board) storey(m plane, rungs [4]policy.Rung, finest policy.Precision, y0, y1 float64, dot Point) {
	if y1-y0 <= 0 {
		return
	}
	for p := policy.Q4; ; p-- {
		from, to := m.toX(float64(rungs[p].Need)), m.x+m.w
		if p > finest {
			to = m.toX(float64(rungs[p-1].Need))
		}
		if to > from {
			b.add(Item{Kind: Rect, X: from, Y: y0, W: to - from, H: y1 - y0, Fill: fillOf(p), Stroke: Rim, Width: 1})
			s := style{size: lead, weight: SemiBold, color: inkOn(p), anchor: Middle}
			at := y0 + 16
			if y1-y0 < 40 {
				at = (y0 + y1) / 2
			}
			half := s.width(p.String())/2 + 3
			x := (from + to) / 2
			if math.Abs(x-dot.X) < 28 {
				if x = from + (to-from)*0.78; dot.X > x-28 {
					x = from + (to-from)*0.22
				}
				x = min(max(x, from+half), to-half)
			}
			if math.Abs(x-dot.X) < half+8 && math.Abs(at-dot.Y) < 20 {
				at = y1 - 16
			}
			if y1-y0 >= 15 && 2*half < to-from && (y1-y0 >= 40 || math.Abs(x-dot.X) >= half+8) {
				b.text(x, middleOf(at, s.size), to-from, p.String(), s)
			}
		}
		if p == finest {
			return
		}
	}
}

// mapAxes writes the thresholds along both axes.
func (b *board) mapAxes(c Context, m plane, rungs [4]policy.Rung, a axis, step float64) {
	ink := noteStyle.at(10.5)
	split := m.toY(a.threshold)
	cross := Text
	if a.tight {
		cross = Alert
	}
	if a.threshold > m.lo && a.threshold < m.hi {
		b.rule(m.x-4, split, m.w+4, 0, 4, cross)
		b.text(m.x-6, middleOf(split, 10.5), 28, fixedPoint(a.threshold, 0), strong.at(10.5).in(cross).end())
	}
	for v := m.lo; v <= m.hi+step/2; v += step {
		y := min(max(m.toY(v), m.y+4), m.y+m.h-4)
		if math.Abs(y-split) < 12 {
			continue
		}
		b.text(m.x-6, middleOf(y, 10.5), 28, fixedPoint(v, 0), ink.end())
	}
	y := m.y + m.h + 12
	l := c.Frame.Ledger()
	unit := b.text(m.x+m.w, middleOf(y, 10.5), 40, l.Unit, ink.end()) + 8
	last := m.x - 6
	for p := policy.Q4; ; p-- {
		x := m.toX(float64(rungs[p].Need))
		words := axisText(l, l.Rungs[p].Need)
		half := ink.width(words) / 2
		if x-half > last && x+half < m.x+m.w-unit && float64(rungs[p].Need) < m.most {
			b.rule(x, m.y+m.h, 0, 4, 0, Muted)
			b.text(x, middleOf(y, 10.5), 2*half+1, words, ink.middle())
			last = x + half + 6
		}
		if p == policy.F32 {
			break
		}
	}
}

// axisText is a size in the axis's unit; one that rounds to nothing has its own.
func axisText(l frame.Ledger, line frame.Line) string {
	words := l.Words(line)
	if unit, ok := strings.CutSuffix(words, " "+l.Unit); ok {
		return unit
	}
	return words
}

// trail draws where the machine was in the last two minutes.
func (b *board) trail(c Context, m plane, a axis) {
	points := c.points()
	now := c.Frame.Sample.Time
	var run []Point
	for i := range points {
		p := &points[i]
		if p.At.Before(now.Add(-window)) || p.At.After(now) {
			continue
		}
		mem, ok := p.MemoryBudget.Get()
		v, ok2 := a.f(p).Get()
		if !ok || !ok2 {
			continue
		}
		q := Point{m.toX(mem), m.toY(v / a.scale)}
		if n := len(run); n == 0 || math.Abs(q.X-run[n-1].X)+math.Abs(q.Y-run[n-1].Y) > 2 {
			run = append(run, q)
		}
	}
	if len(run) < 2 {
		return
	}
	b.add(Item{Kind: Poly, Points: run, Stroke: Page, Width: 4})
	b.add(Item{Kind: Poly, Points: run, Stroke: Text, Width: 1.5})
}

// dot marks the machine's place; one beyond the edge lies on it with an arrow.
func (b *board) dot(c Context, m plane, a axis) {
	budget := float64(c.Frame.Budget.Memory.Budget)
	x, y := max(m.toX(budget), m.x+8), m.toY(a.value)
	if !c.Frame.MemoryKnown() {
		// Only the height is known: the machine may stand anywhere along the line.
		b.add(Item{Kind: Line, X: m.x, Y: y, W: m.w, Stroke: Page, Width: 4})
		b.add(Item{Kind: Line, X: m.x, Y: y, W: m.w, Stroke: Text, Width: 2, Dash: 6})
		return
	}
	if budget > m.most {
		b.add(Item{Kind: Poly, Closed: true, Fill: Text, Stroke: Page, Width: 1.5, Points: []Point{{x - 14, y - 7}, {x - 1, y}, {x - 14, y + 7}}})
		return
	}
	b.add(Item{Kind: Circle, X: x, Y: y, R: 8, Fill: Page})
	b.add(Item{Kind: Circle, X: x, Y: y, R: 6, Fill: Text})
	if !c.Frame.Plan.Fits {
		b.add(Item{Kind: Circle, X: x, Y: y, R: 3.5, Fill: Alert})
		return
	}
	b.add(Item{Kind: Circle, X: x, Y: y, R: 3.5, Fill: fillOf(c.Frame.Plan.Precision)})
}
