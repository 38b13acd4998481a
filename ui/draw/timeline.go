package draw

import (
	"time"

	"headroom/policy"
	"headroom/ui/frame"
)

// kept is how far back the timeline looks: as long as the history.
const kept = 10 * time.Minute

// Timeline shows the decisions of the last ten minutes and every change with its cause.
func Timeline(c Context, w, h float64) Scene {
	const title = "Timeline"
	if c.waiting() {
		return waitingCard(w, h, title)
	}
	b := newBoard(w, h, title, 64)
	b.ground()
	p := pad(w)
	now := c.Frame.Sample.Time
	long := w - 2*p
	toX := func(at time.Time) float64 {
		return p + long*min(max(1-float64(now.Sub(at))/float64(kept), 0), 1)
	}
	shown := 0
	changes := c.changes()
	for i := range changes {
		if now.Sub(changes[i].At) <= kept && !changes[i].At.After(now) {
			shown++
		}
	}
	words := "no change in 10 min"
	if shown > 0 {
		words = plural(shown, "change") + " in 10 min"
	}
	b.text(p, middleOf(20, body), long, title, titleStyle)
	b.whole(w-p, middleOf(20, small), long-titleStyle.width(title)-12, words, noteStyle.end())
	b.Desc = words + "."

	thick := min(18, h-62)
	if thick < 6 {
		thick = max(h-42, 0)
	}
	y := h - 24 - thick
	if h < 62 {
		y = h - 10 - thick
	}
	b.box(p, y, long, thick, 4, Well)
	for _, s := range stretches(c.points(), now) {
		x0, x1 := toX(s.from), toX(s.to)
		it := Item{Kind: Rect, X: x0, Y: y, W: max(x1-x0, 1.5), H: thick, R: 3, Fill: fillOf(s.precision), Stroke: Rim, Width: 1}
		ink := style{size: small, weight: SemiBold, color: inkOn(s.precision), anchor: Middle}
		name := s.precision.String()
		if !s.fits {
			it.Fill, it.Hatch, it.Stroke = Card, Stripe, Alert
			ink.color, name = Text, "nothing fits"
			if ink.width(name)+20 > it.W {
				name = "no fit"
			}
		}
		b.add(it)
		if wide := ink.width(name) + 8; thick >= 13 && wide <= it.W-4 {
			if !s.fits {
				b.box((x0+x1)/2-wide/2, y+2, wide, thick-4, 3, Card)
			}
			b.text((x0+x1)/2, middleOf(y+thick/2, small), it.W, name, ink)
		}
	}
	if h >= 62 {
		b.text(p, h-9, long/2, "−10 min", noteStyle.at(10.5))
		b.text(w-p, h-9, long/2, "now", noteStyle.at(10.5).end())
	}
	b.marks(changes, now, toX, y, thick, h >= 72)
	return b.Scene
}

// marks sets a tick and a cause at each change; words that would touch their neighbour are left to the tooltip. The
// newest speaks first.
func (b *board) marks(changes []frame.Change, now time.Time, toX func(time.Time) float64, y, thick float64, words bool) {
	free := b.W - pad(b.W)
	s := noteStyle
	for i := len(changes) - 1; i >= 0; i-- {
		ch := &changes[i]
		if now.Sub(ch.At) > kept || ch.At.After(now) {
			continue
		}
		x := toX(ch.At)
		b.add(Item{Kind: Line, X: x, Y: y - 5, H: thick + 5, Stroke: Text, Width: 1.5})
		text := ch.At.Format("15:04:05") + " " + ch.Cause
		b.Hotspots = append(b.Hotspots, Hotspot{
			X: x - 5, Y: y - 22, W: 10, H: thick + 24, Tip: text, Action: ShowChange, Index: i,
		})
		if !words {
			continue
		}
		room := free - x
		switch {
		case room >= min(s.width(clean(text)), 110):
			b.text(x, y-9, room, text, s)
			free = x - 12
		case x-pad(b.W) > 120 && free > x-4:
			// At the right end the words stand left of their mark.
			room = min(x-pad(b.W), s.width(clean(text)))
			b.text(min(x+2, free), y-9, room, text, s.end())
			free = min(x+2, free) - room - 12
		}
	}
}

// stretch is a time of one decision.
type stretch struct {
	from, to  time.Time
	precision policy.Precision
	fits      bool
}

// stretches folds points into times of one decision; a silence ends one.
func stretches(points []frame.Point, now time.Time) []stretch {
	var out []stretch
	for i := range points {
		p := &points[i]
		if now.Sub(p.At) > kept || p.At.After(now) {
			continue
		}
		if n := len(out); n > 0 && !p.Gap {
			out[n-1].to = p.At
			if out[n-1].precision == p.Precision && out[n-1].fits == p.Fits {
				continue
			}
		}
		out = append(out, stretch{p.At, p.At, p.Precision, p.Fits})
	}
	return out
}
