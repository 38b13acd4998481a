package draw

import (
	"strings"
	"unicode/utf8"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// The sizes of type and the gaps between things.
const (
	small = 11
	body  = 12
	lead  = 13
	big   = 26

	// capHeight is the height of capitals and digits as a share of the size.
	capHeight = 0.727

	corner = 10
)

// board is a scene being drawn.
type board struct{ Scene }

func newBoard(w, h float64, title string, items int) *board {
	return &board{Scene{W: w, H: h, Title: title, Items: make([]Item, 0, items)}}
}

func (b *board) add(it Item) { b.Items = append(b.Items, it) }

func (b *board) box(x, y, w, h, r float64, fill Role) {
	if w > 0 && h > 0 {
		b.add(Item{Kind: Rect, X: x, Y: y, W: w, H: h, R: r, Fill: fill})
	}
}

// rule is a line of one unit; dash 0 is solid.
func (b *board) rule(x, y, w, h, dash float64, c Role) {
	b.add(Item{Kind: Line, X: x, Y: y, W: w, H: h, Stroke: c, Width: 1, Dash: dash})
}

// style is how a text looks.
type style struct {
	size   float64
	weight Weight
	color  Role
	anchor Anchor
}

func (s style) end() style            { s.anchor = End; return s }
func (s style) middle() style         { s.anchor = Middle; return s }
func (s style) in(c Role) style       { s.color = c; return s }
func (s style) at(size float64) style { s.size = size; return s }

var (
	titleStyle = style{size: body, weight: SemiBold, color: Text}
	noteStyle  = style{size: small, color: Muted}
	strong     = style{size: small, weight: SemiBold, color: Text}
)

// width is the width that a text would take.
func (s style) width(text string) float64 { return TextWidth(text, s.size, s.weight) }

// text writes one line with its baseline at y, cut to a width, and returns the width it took.
func (b *board) text(x, y, width float64, text string, s style) float64 {
	if !(width > 0) || text == "" {
		return 0
	}
	text = cut(clean(text), width, s.size, s.weight)
	if text == "" {
		return 0
	}
	b.add(Item{Kind: Label, X: x, Y: y, W: width, Text: text, Size: s.size, Weight: s.weight, Fill: s.color, Anchor: s.anchor})
	return s.width(text)
}

// whole writes a text only where all of it fits.
func (b *board) whole(x, y, width float64, text string, s style) bool {
	if s.width(text) > width {
		return false
	}
	return b.text(x, y, width, text, s) > 0
}

// first writes the first text that fits whole, else the last one cut.
func (b *board) first(x, y, width float64, s style, texts ...string) float64 {
	for _, text := range texts {
		if s.width(text) <= width {
			return b.text(x, y, width, text, s)
		}
	}
	return b.text(x, y, width, texts[len(texts)-1], s)
}

// clean replaces what does not belong on one line: names come from outside.
func clean(s string) string {
	ok := utf8.ValidString(s)
	for i := 0; ok && i < len(s); i++ {
		ok = s[i] >= 0x20 && s[i] != 0x7f
	}
	if ok {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
}

// middleOf is the baseline that centres capitals on y.
func middleOf(y, size float64) float64 { return y + size*capHeight/2 }

func (b *board) spot(x, y, w, h float64, tip string) {
	b.Hotspots = append(b.Hotspots, Hotspot{X: x, Y: y, W: w, H: h, Tip: tip})
}

// ground draws a card's ground.
func (b *board) ground() {
	b.add(Item{Kind: Rect, W: b.W, H: b.H, R: corner, Fill: Card, Stroke: Edge, Width: 1})
}

// pad is a card's inner margin.
func pad(w float64) float64 {
	if w < 260 {
		return 12
	}
	return 16
}

// chip is a precision's name on its colour, centred on y; it returns its width. One that does not fit is
// empty, and hatched in red where it is large.
func (b *board) chip(x, y float64, p policy.Precision, size float64, fits bool) float64 {
	w, h := chipWidth(size), size*1.5
	it := Item{Kind: Rect, X: x, Y: y - h/2, W: w, H: h, R: size * 0.32, Stroke: Rim, Width: 1}
	if !fits {
		ink := Muted
		it.Stroke = Stripe
		if size > 13 {
			it.Fill, it.Hatch, it.Stroke, it.Width, ink = Card, Alert, Alert, 1.5, Text
		}
		b.add(it)
		if it.Hatch != None {
			b.box(x+size*0.32, y-size*0.55, w-size*0.64, size*1.1, size*0.2, Card)
		}
		b.text(x+w/2, middleOf(y, size), w, p.String(), style{size, SemiBold, ink, Middle})
		return w
	}
	it.Fill = fillOf(p)
	b.add(it)
	b.text(x+w/2, middleOf(y, size), w, p.String(), style{size, SemiBold, inkOn(p), Middle})
	return w
}

// chipWidth is the same for all precisions, so that columns of chips are even.
func chipWidth(size float64) float64 { return TextWidth("f32", size, SemiBold) + size*1.0 }

// triangle is the mark of the tight envelope and of "does not fit": it stands beside every red word.
func (b *board) triangle(x, y, size float64, c Role) {
	h := size * 0.82
	b.add(Item{Kind: Poly, Fill: c, Closed: true, Points: []Point{{x, y + h/2}, {x + size/2, y - h/2}, {x + size, y + h/2}}})
}

// alertEnd writes red words with their mark, ending at x: the first that fit, else the mark alone. It returns the width.
func (b *board) alertEnd(x, y, width float64, words ...string) float64 {
	s := strong.in(Alert).end()
	for _, text := range words {
		if w := s.width(text); w+12 <= width {
			b.text(x, middleOf(y, small), w+0.5, text, s)
			b.triangle(x-w-12, y, 8, Alert)
			return w + 12
		}
	}
	if width < 8 {
		return 0
	}
	b.triangle(x-8, y, 8, Alert)
	return 8
}

// alertWidth is what alertEnd takes with a gap after it.
func alertWidth(words string) float64 {
	if words == "" {
		return 0
	}
	return strong.width(words) + 12 + 8
}

// stateWidth is what badgeEnd takes.
func stateWidth(st sensors.State) float64 {
	if st == sensors.StateOK {
		return noteStyle.width(frame.StateWords(st))
	}
	return strong.at(badgeSize).width(frame.StateWords(st)) + 14
}

const badgeSize = 10.5

// badge is a reading's state in a pill that ends at x, centred on y: dashed for assumed, filled for pinned, plain words
// for ok. It returns its width.
func (b *board) badgeEnd(x, y, width float64, st sensors.State) float64 {
	words := frame.StateWords(st)
	if st == sensors.StateOK {
		if !b.whole(x, middleOf(y, small), width, words, noteStyle.end()) {
			return 0
		}
		return noteStyle.width(words)
	}
	s := strong.at(badgeSize)
	w := stateWidth(st)
	if w > width {
		return 0
	}
	it := Item{Kind: Rect, X: x - w, Y: y - 9, W: w, H: 18, R: 9, Stroke: Muted, Width: 1}
	s.color = Text
	switch st {
	case sensors.StateAssumed, sensors.StateStale:
		it.Dash = 3
	case sensors.StatePinned:
		it.Fill, it.Stroke, s.color = Text, Text, Card
	}
	b.add(it)
	b.text(x-w/2, middleOf(y, s.size), w, words, s.middle())
	return w
}

// heading writes a card's title, its judgement and its state; it returns the y of the line's centre.
func (b *board) heading(title, judgement, short string, st sensors.State) float64 {
	p, y := pad(b.W), 20.0
	right := b.W - p
	room := b.W - 2*p
	need := titleStyle.width(title) + 10
	if w := b.badgeEnd(right, y, room-min(need, room), st); w > 0 {
		right -= w + 8
	}
	if judgement != "" {
		if w := b.alertEnd(right, y, right-p-min(need, room), judgement, short); w > 0 {
			right -= w + 8
		}
	}
	b.fitted(p, y, right-p, titleStyle, []float64{body, small}, title)
	return y
}
