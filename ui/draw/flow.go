package draw

import (
	"headroom/policy"
	"headroom/policy/workload"
	"headroom/ui/frame"
)

// flow is the room for the ops.
type flow struct{ x, y, w, h float64 }

// tier is one way to draw ops: with words, or as bare blocks where there is little room.
type tier struct {
	size, box, padding, inner, gap, row float64
	words, labels, shapes               bool
}

// tiers, the most generous first.
var tiers = [...]tier{
	{size: body, box: 42, padding: 24, inner: 5, gap: 12, row: 84, words: true, labels: true, shapes: true},
	{size: small, box: 28, padding: 18, inner: 4, gap: 10, row: 58, words: true, labels: true},
	{size: small, box: 26, padding: 14, inner: 3, gap: 7, row: 48, words: true, labels: true},
	{size: 10.5, box: 22, padding: 10, inner: 3, gap: 5, row: 42, words: true, labels: true},
	{size: 10.5, box: 20, padding: 8, inner: 2, gap: 4, row: 30, words: true},
	{box: 16, padding: 16, inner: 2, gap: 4, row: 24},
	{box: 10, padding: 8, inner: 1, gap: 3, row: 16},
	{box: 6, padding: 4, inner: 1, gap: 2, row: 10},
}

// around is the room that a fused pass's outline takes on each side.
func (t tier) around() float64 {
	if t.words {
		return 4
	}
	return 2
}

func (t tier) op(seq *workload.Sequence, i int) float64 {
	if !t.words {
		return t.padding
	}
	w := TextWidth(nameOf(seq, i), t.size, SemiBold)
	if t.shapes {
		w = max(w, shapeStyle.width(shapeOf(seq, i)))
	}
	return w + t.padding
}

// shapeStyle is how an op's shape stands below its name.
var shapeStyle = style{size: 10, color: Muted, anchor: Middle}

func (t tier) pass(seq *workload.Sequence, g workload.Group) float64 {
	w := 0.0
	for i := g.From; i < g.To; i++ {
		w += t.op(seq, i)
	}
	if fused(g) {
		w += t.inner*float64(g.To-g.From-1) + 2*t.around()
	}
	return w
}

// rows counts the rows that the passes take.
func (t tier) rows(seq *workload.Sequence, passes []workload.Group, width float64) int {
	rows, x := 1, 0.0
	for _, p := range passes {
		n := t.pass(seq, p)
		if x > 0 && x+n > width {
			rows++
			x = 0
		}
		x += n + t.gap
	}
	return rows
}

func nameOf(seq *workload.Sequence, i int) string {
	if i < len(seq.Names) {
		return seq.Names[i]
	}
	return seq.Ops[i].Kind.String()
}

func shapeOf(seq *workload.Sequence, i int) string {
	if i < len(seq.Shapes) {
		return seq.Shapes[i]
	}
	return ""
}

// ops lays the passes out in rows, in the most generous way that fits.
func (b *board) ops(a flow, seq *workload.Sequence, passes []workload.Group) {
	if a.w < 20 || a.h < 10 {
		return
	}
	t := tiers[len(tiers)-1]
	for _, k := range tiers {
		// The last row needs no gap below it.
		if n := k.rows(seq, passes, a.w); float64(n)*k.row <= a.h+k.row*0.25 {
			t = k
			break
		}
	}
	rows := t.rows(seq, passes, a.w)
	spare := max(a.h-float64(rows)*t.row, 0)
	t.row += min(spare/float64(rows+1), 14)
	x, y := a.x, a.y+min(spare/float64(rows+1), 14)/2+t.around()
	for i, p := range passes {
		n := t.pass(seq, p)
		if x > a.x && x+n > a.x+a.w {
			x = a.x
			y += t.row
		}
		if y+t.box > a.y+a.h+4 {
			b.text(a.x+a.w, middleOf(a.y+a.h, small), a.w, "and "+plural(len(passes)-i, "pass")+"es more", noteStyle.end())
			return
		}
		room := n + t.gap
		if (i == 0 || !fused(passes[i-1])) && (i+1 == len(passes) || !fused(passes[i+1])) {
			room = n + 72
		}
		room = min(room, 2*min(x+n/2-a.x+8, a.x+a.w+8-x-n/2))
		b.pass(t, seq, p, x, y, min(n, a.w), room)
		if i+1 < len(passes) {
			if why := frame.BoundaryWords(seq, p.To); why != "" {
				b.spot(x+n-3, y-2, t.gap+6, t.box+4, why)
			}
		}
		x += n + t.gap
	}
}

// pass draws one pass: a box an op, an outline around those that were fused, and below it, in a room of its own, what was
// saved.
func (b *board) pass(t tier, seq *workload.Sequence, g workload.Group, x, y, width, room float64) {
	at := x
	if fused(g) {
		at += t.around()
		n := t.around()
		b.add(Item{
			Kind: Rect, X: x, Y: y - n, W: width, H: t.box + 2*n, R: min(t.box/2, 10) + n/2,
			Stroke: Text, Width: 1.5,
		})
		b.fusedWords(t, seq, g, x+width/2, y, room)
	}
	for i := g.From; i < g.To; i++ {
		name := nameOf(seq, i)
		n := min(t.op(seq, i), x+width-at)
		it := Item{Kind: Rect, X: at, Y: y, W: n, H: t.box, R: 2, Fill: Well, Stroke: Edge, Width: 1}
		s := style{size: t.size, color: Text, anchor: Middle}
		kind := "a barrier"
		if seq.Ops[i].Kind == policy.Elementwise {
			it.R, it.Fill, it.Stroke = min(t.box/2, 8), Card, Second
			s.weight, kind = SemiBold, "element-wise"
		} else if !t.words {
			it.Fill, it.Stroke = Second, None
		}
		b.add(it)
		switch {
		case t.shapes:
			b.text(at+n/2, y+t.box/2-2, n, name, s)
			b.text(at+n/2, y+t.box/2+12, n, shapeOf(seq, i), shapeStyle)
		case t.words:
			b.text(at+n/2, middleOf(y+t.box/2, t.size), n, name, s)
		}
		tip := name + ": " + kind + " over " + shapeOf(seq, i)
		if i < len(seq.Bytes) && seq.Bytes[i] > 0 {
			tip += " · moves " + frame.Bytes(seq.Bytes[i]) + " besides weights"
		}
		if fused(g) {
			tip += "\n" + fusedTip(seq, g)
		}
		b.spot(at, y, n, t.box, tip)
		at += n + t.inner
	}
}

// fusedWords writes under a fused pass, centred on x, what it saves.
func (b *board) fusedWords(t tier, seq *workload.Sequence, g workload.Group, x, y, room float64) {
	if !t.labels {
		return
	}
	s := strong.at(10.5).middle()
	n := uint64(g.To - g.From - 1)
	saved := "1 pass saved"
	if n > 1 {
		saved = frame.Count(n) + " passes saved"
	}
	less := ""
	if bytes := avoided(seq, g); bytes > 0 {
		less = ", −" + frame.Bytes(bytes)
	}
	base := middleOf(y+t.box+12, 10.5)
	for _, words := range [...]string{saved + less, saved, "−" + frame.Count(n)} {
		if b.whole(x, base, room, words, s) {
			return
		}
	}
}

func fusedTip(seq *workload.Sequence, g workload.Group) string {
	tip := plural(g.To-g.From, "op") + " of one shape, " + shapeOf(seq, g.From) + ", in one pass"
	if n := avoided(seq, g); n > 0 {
		tip += ": " + frame.Bytes(n) + " neither written nor read again"
	}
	return tip
}
