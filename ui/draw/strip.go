package draw

import (
	"cmp"
	"math"
	"slices"
	"time"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// window is how far back a strip chart looks.
const window = 2 * time.Minute

// pick takes one number of a Point.
type pick func(*frame.Point) sensors.Number

// level is a threshold across a strip chart.
type level struct {
	at    float64
	label string
	// alert draws it red: the value is beyond it. chip marks the bytes that a precision needs.
	alert bool
	chip  bool
	// bare has words only, no line.
	bare bool
	p    policy.Precision
}

// strip is a chart of the last two minutes.
type strip struct {
	x, y, w, h float64
	lo, hi     float64
	now        time.Time
	// timed is whether the times stand below it, and its ends beside it in units of unit.
	timed bool
	unit  float64
}

// gutter is the room right of a strip chart for the words of its levels, chipGutter for those with a chip.
const (
	gutter     = 40
	chipGutter = 62
)

// bounds are the least and greatest of a number among the points since a time.
func bounds(points []frame.Point, since time.Time, f pick) (lo, hi float64, any bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := len(points) - 1; i >= 0 && !points[i].At.Before(since); i-- {
		if v, ok := f(&points[i]).Get(); ok {
			lo, hi, any = min(lo, v), max(hi, v), true
		}
	}
	return lo, hi, any
}

// windowBounds are the bounds of a number within the window, the present value included.
func windowBounds(c Context, f pick, now float64) (lo, hi float64) {
	lo, hi, _ = bounds(c.points(), c.Frame.Sample.Time.Add(-window), f)
	return min(lo, now), max(hi, now)
}

// steady widens a range to whole steps of 1, 2 or 5 with a little room at the top. The extremes of a sliding window
// change seldom, and the steps seldomer: the scale stands still while values move.
func steady(lo, hi float64) (float64, float64) {
	step := niceStep((hi - lo) / 3)
	top := math.Ceil(hi/step) * step
	if top-hi < (top-lo)*0.04 {
		top += step / 2
	}
	return math.Floor(lo/step) * step, top
}

// niceStep is the least of 1, 2, 5 times a power of ten that is at least v.
func niceStep(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	p := 1.0
	for p > v && p > 1e-300 {
		p /= 10
	}
	for p*10 <= v && p < 1e300 {
		p *= 10
	}
	for _, k := range [...]float64{1, 2, 5} {
		if p*k >= v {
			return p * k
		}
	}
	return p * 10
}

func (s strip) toX(at time.Time) float64 {
	return s.x + s.w*(1-float64(s.now.Sub(at))/float64(window))
}

func (s strip) toY(v float64) float64 {
	if !(s.hi > s.lo) {
		return s.y + s.h/2
	}
	return s.y + s.h*(1-min(max((v-s.lo)/(s.hi-s.lo), 0), 1))
}

// plot draws a number's course: one run of points a stretch without gaps, two points a unit of width at most.
func (b *board) plot(s strip, points []frame.Point, f pick, c Role, area bool) {
	first := len(points)
	for first > 0 && points[first-1].At.After(s.now.Add(-window)) {
		first--
	}
	points = points[first:]
	var run []Point
	var lastY float64
	column := math.Inf(-1)
	flush := func() {
		b.run(s, run, c, area)
		run, column = nil, math.Inf(-1)
	}
	for i := range points {
		p := &points[i]
		v, ok := f(p).Get()
		if !ok || p.At.After(s.now) {
			if ok = false; len(run) > 0 {
				flush()
			}
			continue
		}
		if len(run) > 0 && p.Gap {
			flush()
		}
		x, y := s.toX(p.At), s.toY(v)
		if run == nil {
			run = make([]Point, 0, min(len(points)-i, int(2*s.w)+4))
		}
		// Within one column only what reaches further than before adds a point.
		if math.Floor(x) == column && len(run) > 1 && (y-lastY)*(y-run[len(run)-2].Y) <= 0 {
			continue
		}
		if math.Floor(x) == column && math.Abs(y-lastY) < 0.5 {
			continue
		}
		column, lastY = math.Floor(x), y
		run = append(run, Point{x, y})
	}
	if len(run) > 0 {
		flush()
	}
}

func (b *board) run(s strip, run []Point, c Role, area bool) {
	if len(run) == 1 {
		b.add(Item{Kind: Circle, X: run[0].X, Y: run[0].Y, R: 1, Fill: c})
		return
	}
	if area {
		under := make([]Point, 0, len(run)+2)
		under = append(under, Point{run[0].X, s.y + s.h})
		under = append(under, run...)
		under = append(under, Point{run[len(run)-1].X, s.y + s.h})
		b.add(Item{Kind: Poly, Fill: Area, Closed: true, Points: under})
	}
	b.add(Item{Kind: Poly, Stroke: c, Width: 1.5, Points: run})
}

// tall is the height from which a strip has words for its axes.
const tall = 84

// base draws a strip's base line, and in a tall one the times below it.
func (b *board) base(s strip) {
	b.rule(s.x, s.y+s.h, s.w, 0, 0, Grid)
	if !s.timed {
		return
	}
	y, ink := s.y+s.h+13, noteStyle.at(10.5)
	b.text(s.x, y, s.w/3, "−2 min", ink)
	b.text(s.x+s.w/2, y, s.w/3, "−1 min", ink.middle())
	b.text(s.x+s.w, y, s.w/3, "now", ink.end())
}

// levelGap is the least distance of the words of two levels.
const levelGap = 14

// levels draws thresholds that lie in the range, with their words in the gutter: as many as have room, those given first. Words
// that would touch are moved apart and led back to their lines; the chart's ends are named where nothing else stands.
func (b *board) levels(s strip, ls []level) {
	type mark struct {
		level
		y, at float64
	}
	var marks [6]mark
	n := 0
	for _, l := range ls {
		if n < min(int((s.h-8)/levelGap)+1, len(marks)) && l.at >= s.lo && l.at <= s.hi {
			y := s.toY(l.at)
			marks[n] = mark{l, y, min(max(y, s.y+4), s.y+s.h-4)}
			n++
		}
	}
	shown := marks[:n]
	slices.SortFunc(shown, func(a, b mark) int { return cmp.Compare(a.y, b.y) })
	for i := 1; i < n; i++ {
		shown[i].at = max(shown[i].at, shown[i-1].at+levelGap)
	}
	for i, lowest := n-1, s.y+s.h-4; i >= 0; i-- {
		shown[i].at = min(shown[i].at, lowest)
		lowest = shown[i].at - levelGap
	}
	if s.timed {
		for _, end := range [...]float64{s.hi, s.lo} {
			y := min(max(s.toY(end), s.y+4), s.y+s.h-4)
			free := func(m mark) bool { return math.Abs(m.at-y) < levelGap }
			if n < len(marks) && !slices.ContainsFunc(marks[:n], free) {
				marks[n] = mark{level{at: end, label: roundText(end / s.unit), bare: true}, y, y}
				n++
			}
		}
	}
	for _, l := range marks[:n] {
		c := Muted
		if l.alert {
			c = Alert
		}
		if !l.bare {
			b.rule(s.x, l.y, s.w, 0, 3, c)
		}
		x := s.x + s.w + 6
		if math.Abs(l.at-l.y) > 1.5 {
			b.add(Item{Kind: Poly, Stroke: c, Width: 1, Points: []Point{{s.x + s.w + 1, l.y}, {x - 1.5, l.at}}})
		}
		if l.chip {
			b.chip(x, l.at, l.p, 8.5, true)
			x += chipWidth(8.5) + 4
		}
		ink := style{size: 10.5, weight: SemiBold, color: c}
		if l.bare {
			ink.weight = Regular
		}
		b.text(x, middleOf(l.at, 10.5), b.W-8-x, l.label, ink)
	}
}

// now marks the value of the present moment at the chart's right edge.
func (b *board) now(s strip, v float64, c Role) {
	b.add(Item{Kind: Circle, X: s.x + s.w - 1, Y: s.toY(v), R: 3, Fill: c, Stroke: Card, Width: 1})
}
