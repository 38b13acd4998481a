package draw

import (
	"math"
	"strings"

	"headroom/policy"
	"headroom/ui/frame"
)

// Ladder shows the four precisions as bars of the bytes that they need against the memory budget, each with its verdict.
func Ladder(c Context, w, h float64) Scene {
	const title = "Precision ladder"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	b := newBoard(w, h, title, 64)
	b.ground()
	p := pad(w)
	b.text(p, middleOf(20, body), w-2*p, title, titleStyle)
	b.whole(w-p, middleOf(20, small), w-2*p-titleStyle.width(title)-12, "bytes of the weights", noteStyle.end())

	f := c.Frame
	l, verdicts := f.Ledger(), f.RungWords()
	top, bottom := 52.0, h-10
	row := min((bottom-top)/4, 64)
	if row < 22 {
		return b.Scene
	}
	top += min((bottom-top-4*row)/2, 20)
	names := chipWidth(small) + 12
	bytesRoom := 0.0
	for _, r := range l.Rungs {
		bytesRoom = max(bytesRoom, strong.at(body).width(l.Words(r.Need)))
	}
	x := p + names
	long := w - p - x - bytesRoom - 12
	if long < 40 {
		bytesRoom, long = 0, w-p-x
	}
	budget := float64(f.Budget.Memory.Budget)
	scale := ladderScale(f)
	at := x + long*min(budget/scale, 1)

	for i, r := range f.Plan.Rungs {
		b.rung(f, l, r, i, verdicts[i], x, top+row*float64(i), long, row, scale, at)
		words := l.Words(l.Rungs[i].Need)
		if bytesRoom > 0 {
			s := strong.at(body).in(Muted)
			if r.Taken {
				s.color = Text
			}
			b.text(w-p, middleOf(top+row*float64(i)+barAt(row), body), bytesRoom+1, words, s.end())
		}
	}
	if f.MemoryKnown() {
		b.budgetLabel(l, at, top-10, p, w-p, budget > scale)
	}
	b.Desc = ladderWords(verdicts)
	return b.Scene
}

// barAt is the centre of a rung's bar below the rung's top.
func barAt(row float64) float64 { return row/2 - min(row/2-8, 9) }

// ladderScale is the bytes at the right end: f32 and the budget are both in sight, unless one is far beyond the other.
func ladderScale(f frame.Frame) float64 {
	need, budget := float64(f.Plan.Rungs[policy.F32].Need), float64(f.Budget.Memory.Budget)
	top := max(min(max(need, budget*1.02), max(need, 1)*1.6), 1)
	if budget > 0 && top > 24*budget {
		// A budget far below all of them still shows apart from the left end.
		top = max(24*budget, float64(f.Plan.Rungs[policy.Q4].Need)*2)
	}
	return top
}

// rung draws one precision's row.
func (b *board) rung(f frame.Frame, l frame.Ledger, r policy.Rung, i int, words string, x, y, long, row, scale, budgetAt float64) {
	mid := y + barAt(row)
	thick := 12.0
	if r.Taken && f.MemoryKnown() {
		b.box(8, y-1, b.W-16, row-2, 6, Well)
	}
	known := f.MemoryKnown()
	b.chip(pad(b.W), mid, r.Precision, small, r.Fits || !known)
	ground := Well
	if r.Taken && f.MemoryKnown() {
		ground = Card
	}
	b.box(x, mid-thick/2, long, thick, thick/2, ground)
	share := float64(r.Need) / scale
	n := max(long*min(share, 1), 3)
	bar := Item{Kind: Rect, X: x, Y: mid - thick/2, W: n, H: thick, R: thick / 2, Width: 1.5}
	switch {
	case !known:
		bar.Stroke, bar.Dash, bar.Width = Muted, 3, 1
	case !r.Fits:
		bar.Fill, bar.Hatch, bar.Stroke = Card, Stripe, Stripe
		if r.Taken {
			bar.Stroke, bar.Hatch = Alert, Alert
		}
	case !r.Allowed:
		bar.Fill, bar.Stroke = ground, fillOf(r.Precision)
	case r.Taken:
		bar.Fill, bar.Stroke, bar.Width = fillOf(r.Precision), Rim, 1
	default:
		bar.Fill, bar.Stroke, bar.Width = fillOf(r.Precision), Rim, 1
		bar.Fade = 0.45
	}
	b.add(bar)
	if share > 1 {
		// The bar goes on past the end.
		b.add(Item{Kind: Poly, Fill: Text, Closed: true, Points: []Point{{x + n - 9, mid - 4}, {x + n - 3, mid}, {x + n - 9, mid + 4}}})
	}
	if known {
		b.box(budgetAt-1, mid-thick/2-3, 2, thick+6, 1, Text)
	}

	real := b.formats(f, r, x, mid, long, thick, scale)
	s := noteStyle
	if r.Taken && known {
		s = strong
	}
	at := mid + thick/2 + 13
	if row >= 34 {
		left := x
		if known && (!r.Allowed || (r.Taken && !r.Fits)) {
			b.triangle(left, at-4, 8, Alert)
			left += 12
		}
		room := b.W - pad(b.W) - left
		if n := noteStyle.width(real); real != "" && s.width(words)+n+10 <= room {
			b.text(b.W-pad(b.W), at, n+1, real, noteStyle.end())
		}
		b.first(left, at, room, s, rungWords(words)...)
	}
	b.spot(8, y-1, b.W-16, row, r.Precision.String()+": "+l.Words(l.Rungs[i].Need)+"\n"+words+formatTip(f, r.Precision))
}

// rungWords are a rung's words, and shorter ones: "9.2 GiB over, off while hot".
func rungWords(words string) []string {
	if strings.HasPrefix(words, "unknown: ") {
		return []string{words, "unknown: no free memory read", "unknown"}
	}
	short := strings.Replace(words, ", and off", ", off", 1)
	out := []string{words, short}
	if over, big := strings.CutPrefix(short, "too big by "); big {
		by, rest, _ := strings.Cut(over, ",")
		if rest != "" {
			rest = "," + rest
		}
		out = append(out, by+" over"+rest, strings.Replace(by+" over"+rest, ", taken as", ":", 1), by+" over")
	}
	return out
}

// budgetLabel names the budget's line, kept within the card.
func (b *board) budgetLabel(l frame.Ledger, x, y, from, to float64, beyond bool) {
	words := "budget " + l.Words(l.Budget)
	if beyond {
		words += " →"
	}
	s := strong
	half := s.width(words) / 2
	at := min(max(x, from+half), to-half)
	b.text(at, middleOf(y-3, small), to-from, words, s.middle()) // clear of the mark, down to the tail of its g
	if math.Abs(at-x) < half {
		b.add(Item{Kind: Poly, Fill: Text, Closed: true, Points: []Point{{x - 3, y + 6}, {x + 3, y + 6}, {x, y + 10}}})
	}
}

func ladderWords(verdicts [4]string) string {
	parts := make([]string, 0, len(verdicts))
	for i, words := range verdicts {
		parts = append(parts, policy.Precision(i).String()+": "+words+".")
	}
	return strings.Join(parts, " ")
}
