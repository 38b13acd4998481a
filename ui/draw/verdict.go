package draw

import (
	"strconv"
	"strings"
	"time"

	"headroom/policy"
	"headroom/ui/frame"
)

// changedFor is how long a change of decision stays marked.
const changedFor = 8 * time.Second

// Verdict is the whole answer: one sentence, its reason, what would change it, and the facts beside it.
func Verdict(c Context, w, h float64) Scene {
	title := "Verdict"
	if c.waiting() {
		title = "Reading the sensors…"
	}
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	b := newBoard(w, h, title, 32)
	b.ground()
	p := pad(w)
	v := c.Frame.Verdict()
	b.Title = v.Headline()
	b.Desc = strings.Join([]string{v.Because, v.Change}, " ")
	s := sayingOf(c.Frame, v)
	b.box(p, 14, 4, h-28, 2, s.bar)
	left := p + 18
	right := b.facts(c) - 20
	room := right - left
	first, second, third := h*0.285, h*0.575, h*0.79

	// What is assumed or pinned stands beside the sentence where it has room, else at the end of the last line.
	size := 18.0
	if w < 1000 {
		size = 16
	}
	if n := b.pills(v, right, first, room-s.width(size)-20); n > 0 {
		b.headline(s, left, first, room-n-8)
		b.since(c, v.Change, left, third, right)
	} else {
		b.headline(s, left, first, room)
		most := room * 0.6
		if w < 1000 {
			most = min(most, 110) // their count: what would flip the answer needs the line
		}
		n := b.pills(v, right, third, most)
		b.since(c, v.Change, left, third, right-n)
	}
	b.fitted(left, second, room, style{color: Text}, []float64{lead, body, small}, shorter(v.Because)...)
	b.spot(left, 14, room, h-28, strings.TrimSpace(v.Because+"\n"+v.Change)+"\n"+c.Frame.SpeedWords())
	return b.Scene
}

// saying is the sentence with its precision as a chip: hatched and red when nothing fits, without one when nothing can be
// said.
type saying struct {
	before, after string
	precision     policy.Precision
	chip, fits    bool
	bar           Role
}

func sayingOf(f frame.Frame, v frame.Verdict) saying {
	s := saying{
		before: strings.TrimSpace(clean(v.Before)), after: strings.TrimSpace(clean(v.After)),
		precision: f.Plan.Precision, chip: v.Precision != "", fits: f.Plan.Fits, bar: fillOf(f.Plan.Precision),
	}
	switch {
	case !s.chip:
		s.bar = Muted
	case !s.fits:
		s.bar = Alert
	}
	return s
}

// The headline's gaps and the chip's size, as shares of the type's size.
const (
	chipShare = 0.85
	gapShare  = 0.32
	markShare = 1.2
)

func (s saying) width(size float64) float64 {
	w := TextWidth(s.before, size, SemiBold)
	if s.chip {
		w += chipWidth(size*chipShare) + TextWidth(s.after, size, SemiBold) + 2*gapShare*size
	}
	if s.chip && !s.fits {
		w += size * markShare
	}
	return w
}

// headline writes the sentence as large as its room allows.
func (b *board) headline(s saying, x, y, room float64) {
	size := 20.0
	for size > 13 && s.width(size) > room {
		size--
	}
	t := style{size: size, weight: SemiBold, color: Text}
	end := x + room
	if s.chip && !s.fits {
		b.triangle(x, y, size*0.8, Alert)
		x += size * markShare
		t.color = Alert
	}
	x += b.text(x, middleOf(y, size), end-x, s.before, t) + size*gapShare
	if !s.chip || x+chipWidth(size*chipShare) > end {
		return
	}
	x += b.chip(x, y, s.precision, size*chipShare, s.fits) + size*gapShare
	b.text(x, middleOf(y, size), end-x, s.after, t.in(Text))
}

// pills names what is assumed and what is pinned, ending at x. It returns the width with a gap; 0 where there is nothing
// or no room.
func (b *board) pills(v frame.Verdict, x, y, room float64) float64 {
	used := 0.0
	for _, k := range [...]struct {
		name  string
		words []string
		it    Item
		color Role
	}{
		{"pinned", v.Pinned, Item{Fill: Text, Stroke: Text}, Card},
		{"assumed", v.Assumed, Item{Stroke: Muted, Dash: 3}, Text},
	} {
		if len(k.words) == 0 {
			continue
		}
		s := style{size: small, weight: SemiBold, color: k.color, anchor: Middle}
		full := clean(k.name + ": " + strings.Join(k.words, ", "))
		text := full
		if s.width(text)+18 > room-used {
			text = strconv.Itoa(len(k.words)) + " " + k.name
		}
		n := s.width(text) + 18
		if n > room-used {
			continue
		}
		k.it.Kind, k.it.X, k.it.Y, k.it.W, k.it.H, k.it.R, k.it.Width = Rect, x-used-n, y-10, n, 20, 10, 1
		b.add(k.it)
		b.text(x-used-n/2, middleOf(y, small), n, text, s)
		b.spot(x-used-n, y-10, n, 20, full)
		used += n + 8
	}
	return used
}

// since writes what would change the answer, and since when it holds; a fresh change is marked.
func (b *board) since(c Context, change string, x, y, end float64) {
	s := style{size: body, color: Muted}
	at := c.since()
	if at.IsZero() {
		b.fitted(x, y, end-x, s, []float64{body, small}, shorter(change)...)
		return
	}
	words := "Since " + at.Format("15:04:05")
	n := s.width(words)
	fresh := len(c.changes()) > 0 && c.Frame.Sample.Time.Sub(at) < changedFor
	if fresh {
		words = "changed at " + at.Format("15:04:05")
		n = strong.width(words) + 18
	}
	// What would change the answer matters more than since when it stands, which the timeline shows too.
	if n > (end-x)*0.6 || !fresh && s.width(clean(change)) > end-x-n-9 {
		b.fitted(x, y, end-x, s, []float64{body, small}, shorter(change)...)
		return
	}
	if used := b.text(x, middleOf(y, body), end-x-n-9, change, s); used > 0 {
		x += used + 8
	}
	if fresh {
		b.box(x, y-9.5, n, 19, 9.5, Text)
		b.text(x+n/2, middleOf(y, small), n, words, strong.in(Card).middle())
		return
	}
	b.text(x, middleOf(y, body), n+1, words, s)
}
