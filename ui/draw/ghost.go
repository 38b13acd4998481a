package draw

import (
	"math"
	"time"

	"headroom/sensors"
	"headroom/ui/frame"
)

// The lengths of a ghost's dashes and of the gaps between them.
const (
	ghostDash = 6.0
	ghostGap  = 4.0
)

// ghost is what is to be seen of the Context's ghost now; nil for nothing.
func (c Context) ghost() *frame.Ghost {
	if c.Ghost.Shown(c.Frame.Sample.Time, window) {
		return c.Ghost
	}
	return nil
}

// withGhost widens a range to all of the ghost, so that the scale stands still while the ghost passes.
func (c Context) withGhost(lo, hi float64, f pick) (float64, float64) {
	g := c.ghost()
	if g == nil {
		return lo, hi
	}
	a, z, any := bounds(g.Points(), time.Time{}, f)
	if !any {
		return lo, hi
	}
	return min(lo, a), max(hi, z)
}

// course draws a number's course over its ground, and between the two that of the ghost.
func (b *board) course(s strip, c Context, f, ghost pick) {
	g := c.ghost()
	if g == nil {
		b.plot(s, c.points(), f, Curve, true)
		return
	}
	b.plot(s, c.points(), f, None, true)
	s.now = g.At(s.now)
	b.dashed(s, g.Points(), ghost)
	s.now = c.Frame.Sample.Time
	b.plot(s, c.points(), f, Curve, false)
}

// dashed draws a number's course in dashes. They are tied to the course's own time, so that they move along with it.
func (b *board) dashed(s strip, points []frame.Point, f pick) {
	whole := time.Duration(float64(window) * (ghostDash + ghostGap) / s.w)
	inked := time.Duration(float64(whole) * ghostDash / (ghostDash + ghostGap))
	first := s.now.Add(-window)
	var run []Point
	flush := func() {
		if len(run) > 1 {
			b.add(Item{Kind: Poly, Stroke: Muted, Width: 1.5, Points: run})
		}
		run = nil
	}
	for i := 1; i < len(points); i++ {
		p, q := &points[i-1], &points[i]
		from, ok := f(p).Get()
		to, too := f(q).Get()
		if !ok || !too || q.Gap || q.At.Before(first) || p.At.After(s.now) {
			flush()
			continue
		}
		span := q.At.Sub(p.At)
		if span <= 0 {
			continue
		}
		at := func(t time.Time) Point {
			return Point{s.toX(t), s.toY(from + (to-from)*float64(t.Sub(p.At))/float64(span))}
		}
		// The step from p to q is cut where a dash begins or ends.
		end := q.At
		if end.After(s.now) {
			end = s.now
		}
		t := p.At
		if t.Before(first) {
			t = first
		}
		for t.Before(end) {
			phase := time.Duration(t.UnixNano()) % whole
			until := t.Add(whole - phase)
			if phase >= inked {
				flush()
				t = until
				continue
			}
			until = until.Add(inked - whole)
			if until.After(end) {
				until = end
			}
			if run == nil {
				run = append(run, at(t))
			}
			run = extend(run, at(until))
			t = until
		}
	}
	flush()
}

// extend adds a point to a run, where it is not in line with the last two to within a tenth of a unit.
func extend(run []Point, p Point) []Point {
	if n := len(run); n > 1 {
		a, z := run[n-2], run[n-1]
		if span := p.X - a.X; span > 0 && math.Abs(a.Y+(p.Y-a.Y)*(z.X-a.X)/span-z.Y) < 0.1 {
			run[n-1] = p
			return run
		}
	}
	return append(run, p)
}

// ghostName says above a chart's right end what the dashed course is; the room is what the number leaves.
func (b *board) ghostName(g *frame.Ghost, right, base, room float64) {
	const sample = 2*ghostDash + ghostGap
	for _, words := range [...]string{"ghost: " + g.Name, "ghost"} {
		if n := noteStyle.width(words); n+sample+6 <= room {
			b.text(right, base, n+1, words, noteStyle.end())
			y := base - small*capHeight/2
			for x := right - n - 6 - sample; x < right-n-6; x += ghostDash + ghostGap {
				b.add(Item{Kind: Line, X: x, Y: y, W: ghostDash, Stroke: Muted, Width: 2})
			}
			return
		}
	}
}

// ghostWords says in words what the ghost shows now; empty without one.
func (c Context) ghostWords(f pick, scale float64, decimals int, unit string) string {
	g := c.ghost()
	if g == nil {
		return ""
	}
	words := "Dashed behind it, the ghost " + g.Name
	if v, ok := ghostNow(g, c.Frame.Sample.Time, f).Get(); ok {
		words += ", now at " + fixedPoint(v/scale, decimals) + " " + unit
	}
	return words
}

// ghostNow is the ghost's number at a moment; unknown once the ghost has ended.
func ghostNow(g *frame.Ghost, now time.Time, f pick) sensors.Number {
	points, at := g.Points(), g.At(now)
	if at.After(points[len(points)-1].At) {
		return sensors.Number{}
	}
	for i := len(points) - 1; i >= 0; i-- {
		if !points[i].At.After(at) {
			return f(&points[i])
		}
	}
	return sensors.Number{}
}
