package draw

import (
	"slices"
	"strings"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/ui/frame"
)

// Fusion shows the ops of the workload from left to right, grouped into the passes that are left after fusion.
func Fusion(c Context, w, h float64) Scene {
	const title = "Fusion"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	b := newBoard(w, h, title, 128)
	b.ground()
	p := pad(w)
	b.text(p, middleOf(20, body), w-2*p, title, titleStyle)
	seq := sequenceOf(c)
	if len(seq.Ops) == 0 {
		b.Desc = c.Frame.ReasonWords(policy.DecideFusion)
		b.text(w/2, middleOf(h/2+6, body), w-2*p, b.Desc, noteStyle.middle())
		return b.Scene
	}
	passes := slices.Collect(seq.Groups())
	b.Desc = fusionNote(c, seq, passes, 2)
	room := w - 2*p - titleStyle.width(title) - 16
	for detail := 2; detail >= 0; detail-- {
		if b.whole(w-p, middleOf(20, small), room, fusionNote(c, seq, passes, detail), noteStyle.end()) {
			break
		}
	}

	a := flow{x: p, y: 40, w: w - 2*p, h: h - 40 - 12}
	if h >= 118 && w >= 420 {
		b.legend(p, h-17, w-2*p)
		a.h -= 22
	}
	if repeats := repeatsOf(c, seq); c.Whole && repeats > 1 {
		n := b.repeat(a, repeats)
		a.x += n
		a.w -= n
	}
	b.ops(a, seq, passes)
	return b.Scene
}

// sequenceOf is the workload's ops at the plan's precision in the chosen phase.
func sequenceOf(c Context) *workload.Sequence {
	w := &c.Frame.Settings.Workload
	at := min(c.Frame.Plan.Precision, policy.Q4)
	if c.Phase == Prefill {
		return &w.Prefill[at]
	}
	return &w.Decode[at]
}

// repeatsOf is how often the shown layer stands in the model.
func repeatsOf(c Context, seq *workload.Sequence) int {
	if seq.Repeats > 0 {
		return int(seq.Repeats)
	}
	return c.Frame.Settings.Workload.Layers
}

// fused reports whether a pass has more than one op.
func fused(g workload.Group) bool { return g.To-g.From > 1 }

// avoided is the bytes that a fused pass neither writes nor reads again.
func avoided(seq *workload.Sequence, g workload.Group) uint64 {
	var apart uint64
	for _, n := range seq.Bytes[g.From:g.To] {
		apart += n
	}
	return apart - min(g.Bytes, apart)
}

// fusionNote says what is shown and what fusion saves, in three lengths.
func fusionNote(c Context, seq *workload.Sequence, passes []workload.Group, detail int) string {
	w := &c.Frame.Settings.Workload
	var parts []string
	phase := "decoding a token"
	if c.Phase == Prefill {
		phase = "reading the prompt"
	}
	if detail == 2 {
		what := "one layer"
		switch n := repeatsOf(c, seq); {
		case c.Whole:
			what = "whole model"
		case n > 1:
			what = "one of " + frame.Count(uint64(n)) + " layers"
		}
		if w.Bare {
			what = "a Llama-like layer of that size"
		}
		parts = append(parts, what+", "+phase)
	}
	layer := count(len(seq.Ops), len(passes), detail)
	whole := ""
	if seq.WholeOps > 0 {
		whole = "whole model: " + count(int(seq.WholeOps), int(seq.WholePasses), detail)
	}
	if c.Whole && whole != "" {
		layer, whole = count(int(seq.WholeOps), int(seq.WholePasses), detail), ""
		if rest := int(seq.WholeOps) - repeatsOf(c, seq)*len(seq.Ops); rest > 0 && detail > 0 {
			whole = plural(rest, "op") + " beside these layers"
		}
	}
	parts = append(parts, layer)
	if whole != "" && detail > 0 {
		parts = append(parts, whole)
	}
	return strings.Join(parts, " · ")
}

func count(ops, passes, detail int) string {
	s := frame.Count(uint64(ops)) + " ops in " + frame.Count(uint64(passes)) + " passes"
	if detail == 2 && passes < ops {
		s += ", " + frame.Count(uint64(ops-passes)) + " saved"
	}
	return s
}

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

// repeat draws the bracket of a layer that stands many times; it returns the width that it takes.
func (b *board) repeat(a flow, times int) float64 {
	words := "× " + frame.Count(uint64(times))
	s := style{size: lead, weight: SemiBold, color: Text}
	n := s.width(words)
	b.text(a.x, middleOf(a.y+a.h/2, lead), n+1, words, s)
	x := a.x + n + 10
	b.rule(x, a.y, 0, a.h, 0, Muted)
	b.rule(x, a.y, 5, 0, 0, Muted)
	b.rule(x, a.y+a.h, 5, 0, 0, Muted)
	b.spot(a.x, a.y, n+14, a.h, "the model has "+frame.Count(uint64(times))+" layers like this one")
	return n + 22
}

// legend explains the shapes.
func (b *board) legend(x, y, room float64) {
	for _, k := range [...]struct {
		it    Item
		words string
	}{
		{Item{R: 2, Fill: Well, Stroke: Edge, Width: 1}, "barrier, a pass of its own"},
		{Item{R: 5, Fill: Card, Stroke: Second, Width: 1}, "element-wise"},
		{Item{R: 6, Stroke: Text, Width: 1.5}, "same shape, fused into one pass"},
	} {
		n := noteStyle.width(k.words)
		if n+24 > room {
			return
		}
		k.it.Kind, k.it.X, k.it.Y, k.it.W, k.it.H = Rect, x, y-6, 16, 12
		b.add(k.it)
		b.text(x+22, middleOf(y, small), n+1, k.words, noteStyle)
		x += 22 + n + 20
		room -= 22 + n + 20
	}
}
