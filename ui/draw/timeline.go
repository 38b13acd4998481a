package draw

import (
	"strings"
	"time"

	"headroom/policy"
	"headroom/ui/frame"
)

// Timeline shows the decisions of the history's span and every change with its cause.
func Timeline(c Context, w, h float64) Scene {
	const title = "Timeline"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	b := newBoard(w, h, title, 64)
	b.ground()
	p := pad(w)
	now := c.Frame.Sample.Time
	words := countChanges(c.changes(), now)
	b.Desc = words + " in 10 minutes."
	l := line{x: p, w: w - 2*p, now: now}
	if w >= 720 {
		// A wide card has its title beside the line.
		side := max(titleStyle.width(title), noteStyle.width(words)) + 28
		l.x, l.w = p+side, w-2*p-side
		b.text(p, middleOf(h/2-9, body), side, title, titleStyle)
		b.text(p, middleOf(h/2+9, small), side, words, noteStyle)
		l.thick = min(20, h-54)
		l.y = (h-l.thick)/2 + 1
	} else {
		b.text(p, middleOf(20, body), w-2*p, title, titleStyle)
		b.whole(w-p, middleOf(20, small), w-2*p-titleStyle.width(title)-12, words, noteStyle.end())
		l.thick = min(20, h-88)
		l.y = h - 28 - l.thick
	}
	if l.thick < 6 || l.w < 40 {
		return b.Scene
	}
	b.box(l.x, l.y, l.w, l.thick, 4, Well)
	for _, s := range stretches(c.points(), now) {
		b.stretch(l, s)
	}
	b.under(c.Marks, l)
	b.marks(c.changes(), l)
	b.events(c.Marks, l)
	return b.Scene
}

// line is the timeline's place.
type line struct {
	x, y, w, thick float64
	now            time.Time
}

func (l line) toX(at time.Time) float64 {
	return l.x + l.w*min(max(1-float64(l.now.Sub(at))/float64(frame.Span), 0), 1)
}

// shows reports whether a moment lies on the line.
func (l line) shows(at time.Time) bool { return l.now.Sub(at) <= frame.Span && !at.After(l.now) }

func countChanges(changes []frame.Change, now time.Time) string {
	n := 0
	for i := range changes {
		if (line{now: now}).shows(changes[i].At) {
			n++
		}
	}
	if n == 0 {
		return "no change"
	}
	return plural(n, "change")
}

// stretch draws one decision's time.
func (b *board) stretch(l line, s stretch) {
	const least = 1.5
	x0 := min(l.toX(s.from), l.x+l.w-least)
	x1 := max(l.toX(s.to), x0+least)
	it := Item{Kind: Rect, X: x0, Y: l.y, W: x1 - x0, H: l.thick, R: 3, Fill: fillOf(s.precision), Stroke: Rim, Width: 1}
	ink := style{size: small, weight: SemiBold, color: inkOn(s.precision), anchor: Middle}
	name := s.precision.String()
	switch {
	case !s.known:
		it.Fill, it.Stroke, it.Dash = None, Muted, 3
		ink.color, name = Muted, "unknown"
	case !s.fits:
		it.Fill, it.Hatch, it.Stroke = Card, Stripe, Alert
		ink.color, name = Text, "nothing fits"
		if ink.width(name)+20 > it.W {
			name = "no fit"
		}
	}
	b.add(it)
	wide := ink.width(name) + 8
	if l.thick < 13 || wide > it.W-4 {
		return
	}
	if s.known && !s.fits {
		b.box((x0+x1)/2-wide/2, l.y+2, wide, l.thick-4, 3, Card)
	}
	b.text((x0+x1)/2, middleOf(l.y+l.thick/2, small), wide, name, ink)
}

// marks sets a tick and a cause at each change. The newest speaks first, on the side where it has room; words that would
// touch a neighbour's are left to the tooltip.
func (b *board) marks(changes []frame.Change, l line) {
	free := l.x + l.w
	s := noteStyle
	base := l.y - 9
	for i := len(changes) - 1; i >= 0; i-- {
		ch := &changes[i]
		if !l.shows(ch.At) {
			continue
		}
		x := l.toX(ch.At)
		b.add(Item{Kind: Line, X: x, Y: l.y - 6, H: 6, Stroke: Text, Width: 1.5})
		text := clean(ch.At.Format("15:04:05") + " " + ch.Cause)
		b.Hotspots = append(b.Hotspots, Hotspot{X: x - 6, Y: l.y - 22, W: 12, H: l.thick + 24, Tip: text, Action: ShowChange, Index: i})
		if base < 12 {
			continue
		}
		n := s.width(text)
		right, left := free-x, min(x+1, free)-l.x
		const least = 150
		if what, _, named := strings.Cut(ch.Cause, ": "); named && n > max(left, right) {
			// The whole stands in the tooltip; what it is comes before what it is called.
			text = clean(ch.At.Format("15:04:05") + " " + what)
			n = s.width(text)
		}
		switch before := left >= min(n, least) && free >= x; {
		case right >= n || (right >= least && (!before || left < n)):
			b.text(x, base, right, text, s)
			free = x - 14
		case before:
			n = b.text(min(x+1, free), base, left, text, s.end())
			free = min(x+1, free) - n - 14
		}
	}
}

// stretch is a time of one decision; known is whether the free memory was.
type stretch struct {
	from, to    time.Time
	precision   policy.Precision
	fits, known bool
}

// stretches folds points into times of one decision; a gap ends one.
func stretches(points []frame.Point, now time.Time) []stretch {
	var out []stretch
	for i := range points {
		p := &points[i]
		if !(line{now: now}).shows(p.At) {
			continue
		}
		next := stretch{p.At, p.At, p.Precision, p.Fits, p.MemoryBudget.Known()}
		if n := len(out); n > 0 && !p.Gap {
			last := &out[n-1]
			last.to = p.At
			if last.precision == next.precision && last.fits == next.fits && last.known == next.known {
				continue
			}
		}
		out = append(out, next)
	}
	return out
}
