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
