package draw

import (
	"slices"
	"strings"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// MemoryCard shows the memory budget, its course, and the bytes that each precision needs.
func MemoryCard(c Context, w, h float64) Scene {
	const title = "Memory budget"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	t, l := c.Frame.Budget.Memory, c.Frame.Ledger()
	size := unitSize(l)
	f := func(p *frame.Point) sensors.Number { return p.MemoryBudget }
	k := card{
		title: title, state: t.State, value: l.Budget.Text, unit: l.Unit, source: memoryWords(l, t.Source),
		tip: withDetail(t.Source, t.Detail), note: rangeNote(c.points(), c.Frame.Sample.Time, f, size, decimalsOf(l)), gutter: chipGutter,
		less: []string{l.FreeTotal.Text + " free" + besideWords(l), l.FreeTotal.Text + " " + l.Unit + " free"},
	}
	known := c.Frame.MemoryKnown()
	switch {
	case !known:
		k.value, k.unit, k.source, k.less = unknown, "", withDash(t.Source, t.Detail), []string{t.Detail, "free memory unknown"}
	case !c.Frame.Plan.Fits:
		k.judgement, k.short = "nothing fits", "no fit"
	}
	b := newBoard(w, h, title, 40)
	// A ghost has its memory before anything is taken off: what this workload needs beside its weights is taken off here.
	beside := float64(l.KV.Exact + l.Compute.Exact)
	ghost := func(p *frame.Point) sensors.Number {
		free, ok := p.MemoryBudget.Get()
		if !ok {
			return sensors.Number{}
		}
		return sensors.Num(max(free-beside, 0))
	}
	k.bare = !known
	b.Desc = k.value + " " + k.unit + ", " + frame.StateWords(t.State) + ". " + k.source
	if known {
		k.tip = withDetail(k.tip, c.ghostWords(ghost, size, decimalsOf(l), l.Unit))
		b.Desc = withSentence(b.Desc, c.ghostWords(ghost, size, decimalsOf(l), l.Unit))
	}
	s, ok := k.draw(b, c)
	if !ok || !known {
		return b.Scene
	}
	now := float64(t.Budget)
	_, top := windowBounds(c, f, now)
	_, top = c.withGhost(0, top, ghost)
	// The range reaches the next precision up, so that the line to cross is in sight; what q4 lacks is always shown.
	rungs, reach := c.Frame.Plan.Rungs, 2.0
	if !c.Frame.Plan.Fits {
		reach = 60
	}
	for i := len(rungs) - 1; i >= 0; i-- {
		if need := float64(rungs[i].Need); need > now {
			if need <= reach*max(now, size) {
				top = max(top, need)
			}
			break
		}
	}
	_, s.hi = steady(0, max(top/size, 0.1))
	s.hi *= size
	s.unit = size
	b.base(s)
	b.course(s, c, f, ghost)
	b.levels(s, rungLevels(rungs, l, now))
	b.now(s, now, alertIf(!c.Frame.Plan.Fits))
	return b.Scene
}

// unitSize is the bytes of the ledger's unit, and decimalsOf the decimals that its figures have.
func unitSize(l frame.Ledger) float64 {
	if l.Unit == "MiB" {
		return frame.MiB
	}
	return frame.GiB
}

func decimalsOf(l frame.Ledger) int {
	if l.Unit == "MiB" {
		return 0
	}
	return 1
}

// memoryWords is how the budget came about: the parts of what is free, less what the workload needs beside its weights.
func memoryWords(l frame.Ledger, source string) string {
	if len(l.Free) == 0 {
		return source
	}
	var words strings.Builder
	for i, part := range l.Free {
		switch figure, negative := strings.CutPrefix(part.Text, "−"); {
		case negative:
			words.WriteString(" − " + figure + " " + part.Name)
		case i > 0:
			words.WriteString(" + " + part.Name + " " + part.Text)
		default:
			words.WriteString(part.Name + " " + part.Text)
		}
	}
	return words.String() + besideWords(l)
}

// besideWords is what the workload needs beside its weights.
func besideWords(l frame.Ledger) string {
	words := ""
	if l.KV.Exact > 0 {
		words += " − KV " + l.KV.Text
	}
	if l.Compute.Exact > 0 {
		words += " − compute " + l.Compute.Text
	}
	return words
}

// rungLevels are the bytes of each precision as levels: the one taken first, then the others by how near they are to the
// budget.
func rungLevels(rungs [4]policy.Rung, l frame.Ledger, now float64) []level {
	ls := make([]level, 0, len(rungs))
	for i, r := range rungs {
		ls = append(ls, level{at: float64(r.Need), label: axisText(l, l.Rungs[i].Need), chip: true, p: r.Precision})
	}
	taken := func(l level) bool { return rungs[l.p].Taken }
	slices.SortStableFunc(ls, func(a, b level) int {
		switch da, db := distanceOf(a.at, now), distanceOf(b.at, now); {
		case taken(a):
			return -1
		case taken(b):
			return 1
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
	return ls
}

func distanceOf(a, b float64) float64 { return max(a-b, b-a) }
