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
	b := newBoard(w, h, "Verdict", 32)
	b.ground()
	p := pad(w)
	if c.waiting() {
		b.text(p, middleOf(h/2, 20), w-2*p, "Reading the sensors…", style{size: 20, weight: SemiBold, color: Muted})
		b.Desc = "Nothing was read yet."
		return b.Scene
	}
	v, plan := c.Frame.Verdict(), c.Frame.Plan
	b.Title = v.Headline()
	b.Desc = strings.Join([]string{v.Because, v.Change}, " ")

	bar := fillOf(plan.Precision)
	if !plan.Fits {
		bar = Alert
	}
	b.box(p, 14, 4, h-28, 2, bar)
	left := p + 18
	right := b.facts(c) - 20
	room := right - left

	step := (h - 28) / 3
	line := func(i int) float64 { return 14 + step*(float64(i)+0.5) }
	end := right
	if n := b.pills(v.Assumed, v.Pinned, right, line(0), room-headlineWidth(v.Before, v.After, plan.Precision, 18, plan.Fits)-16); n > 0 {
		end = right - n
		b.headline(v.Before, v.After, plan, left, line(0), end-left)
		end = right
	} else {
		b.headline(v.Before, v.After, plan, left, line(0), room)
		if n := b.pills(v.Assumed, v.Pinned, right, line(2), room*0.6); n > 0 {
			end = right - n - 12
		}
	}
	b.text(left, middleOf(line(1), lead), room, v.Because, style{size: lead, color: Text})
	b.since(c, v.Change, left, line(2), end)
	b.spot(left, 14, room, h-28, strings.TrimSpace(v.Because+"\n"+v.Change))
	return b.Scene
}

// headlineWidth is what the sentence takes with its chip.
func headlineWidth(before, after string, p policy.Precision, size float64, fits bool) float64 {
	w := TextWidth(strings.TrimSpace(before), size, SemiBold) + chipWidth(p, size*0.85) + TextWidth(strings.TrimSpace(after), size, SemiBold) + size*0.6
	if !fits {
		w += size + 4
	}
	return w
}

// headline writes the sentence with the precision as a chip, as large as its room allows.
func (b *board) headline(before, after string, plan policy.Plan, x, y, room float64) {
	before, after = strings.TrimSpace(clean(before)), strings.TrimSpace(clean(after))
	size := 20.0
	for size > 13 && headlineWidth(before, after, plan.Precision, size, plan.Fits) > room {
		size--
	}
	s := style{size: size, weight: SemiBold, color: Text}
	end := x + room
	if !plan.Fits {
		b.triangle(x, y, size*0.8, Alert)
		x += size + 4
		s.color = Alert
	}
	if n := b.text(x, middleOf(y, size), end-x, before, s); n > 0 {
		x += n + size*0.3
	}
	if x+chipWidth(plan.Precision, size*0.85) > end {
		return
	}
	x += b.chip(x, y, plan.Precision, size*0.85, plan.Fits) + size*0.3
	if strings.HasPrefix(after, ",") || strings.HasPrefix(after, ".") || strings.HasPrefix(after, ":") {
		x -= size * 0.2
	}
	b.text(x, middleOf(y, size), end-x, after, s.in(Text))
}

// pills names what is assumed and what is pinned, ending at x; it returns the width, 0 where there is nothing or no room.
func (b *board) pills(assumed, pinned []string, x, y, room float64) float64 {
	used := 0.0
	for _, k := range [...]struct {
		name  string
		words []string
		it    Item
		color Role
	}{
		{"pinned", pinned, Item{Fill: Text, Stroke: Text}, Card},
		{"assumed", assumed, Item{Stroke: Muted, Dash: 3}, Text},
	} {
		if len(k.words) == 0 {
			continue
		}
		s := style{size: small, weight: SemiBold, color: k.color, anchor: Middle}
		text := k.name + ": " + strings.Join(k.words, ", ")
		if s.width(clean(text))+18 > room-used {
			text = cut(clean(text), max(room-used-18, 0), s.size, s.weight)
		}
		n := s.width(clean(text)) + 18
		if text == "" || n < 60 || n > room-used {
			continue
		}
		k.it.Kind, k.it.X, k.it.Y, k.it.W, k.it.H, k.it.R, k.it.Width = Rect, x-used-n, y-10, n, 20, 10, 1
		b.add(k.it)
		b.text(x-used-n/2, middleOf(y, small), n-16, text, s)
		b.spot(x-used-n, y-10, n, 20, k.name+": "+strings.Join(k.words, ", "))
		used += n + 8
	}
	return used
}

// since writes what would change the answer, and since when it holds; a fresh change is marked.
func (b *board) since(c Context, change string, x, y, end float64) {
	words := ""
	fresh := false
	if c.History != nil && !c.History.Since().IsZero() {
		at := c.History.Since()
		words = "Since " + at.Format("15:04:05")
		fresh = len(c.changes()) > 0 && c.Frame.Sample.Time.Sub(at) < changedFor
	}
	s := style{size: body, color: Muted}
	if fresh {
		t := strong.in(Card)
		n := t.width("changed") + 16
		if n < end-x {
			b.box(x, y-9, n, 18, 9, Text)
			b.text(x+n/2, middleOf(y, small), n, "changed", t.middle())
			x += n + 8
		}
	}
	if n := s.width(words); words != "" && n < (end-x)*0.6 {
		room := end - x - n - 14
		used := b.text(x, middleOf(y, body), room, change, s)
		if used > 0 {
			used += 8
		}
		b.text(x+used, middleOf(y, body), n+1, words, s)
		return
	}
	b.text(x, middleOf(y, body), end-x, change, s)
}

// fact is one of the small columns beside the verdict.
type fact struct{ name, value, note, tip string }

// facts draws the columns at the right and returns where they begin.
func (b *board) facts(c Context) float64 {
	p := pad(b.W)
	fs := factsOf(c)
	value, note := style{size: 17, weight: SemiBold, color: Text}, noteStyle
	room := b.W * 0.46
	if b.W < 620 {
		return b.W - p
	}
	if b.W < 1000 {
		value.size = 14
	}
	var widths [3]float64
	total := 0.0
	for i, f := range fs {
		widths[i] = max(note.width(f.name), value.width(f.value), note.width(f.note)) + 34
		total += widths[i]
	}
	if total > room {
		// The notes give way first: no column grows past what its value needs.
		total = 0
		for i, f := range fs {
			widths[i] = min(widths[i], max(room/3, value.width(f.value)+34))
			total += widths[i]
		}
	}
	if total > b.W*0.6 {
		return b.W - p
	}
	x := b.W - p - total + 17
	start := x - 17
	step := (b.H - 28) / 3
	for i, f := range fs {
		b.rule(x-17, 16, 0, b.H-32, 0, Edge)
		n := widths[i] - 22
		b.text(x, middleOf(14+step*0.5, small), n, f.name, note)
		b.text(x, middleOf(14+step*1.5, value.size), n, f.value, value)
		b.text(x, middleOf(14+step*2.5, small), n, f.note, note)
		b.spot(x-10, 10, widths[i]-6, b.H-20, f.tip)
		x += widths[i]
	}
	return start
}

func factsOf(c Context) [3]fact {
	plan := c.Frame.Plan
	tiles := fact{name: "tiles", value: frame.Count(uint64(plan.Tiles)), note: "fits as one job"}
	switch plan.Reasons[policy.DecideTiles].Kind {
	case policy.TilesMany:
		tiles.note = "of " + frame.Bytes(plan.TileBytes) + " each"
	case policy.TilesNoGPU:
		tiles.note = "no GPU in use"
	}
	weights := fact{name: "weights", value: "mmap direct", note: "shared memory, no staging"}
	switch plan.Reasons[policy.DecideZeroCopy].Kind {
	case policy.ZeroCopyDiscrete:
		weights.value, weights.note = "staging upload", "the GPU has its own memory"
	case policy.ZeroCopyNoAdapter:
		weights.note = "no adapter: host memory"
	}
	passes := fact{name: "passes", value: unknown, note: "ops unknown"}
	if ops, left := wholePasses(c); ops > 0 {
		passes.value = frame.Count(uint64(left)) + " for " + frame.Count(uint64(ops)) + " ops"
		passes.note = "every op is its own"
		if left < ops {
			passes.note = strconv.FormatUint(uint64(ops-left), 10) + " fewer a token"
		}
	}
	tiles.tip, weights.tip, passes.tip = tiles.note, weights.note, passes.note
	return [3]fact{tiles, weights, passes}
}

// wholePasses are the ops and passes of the whole model, else of what the plan counted.
func wholePasses(c Context) (ops, passes uint32) {
	plan := c.Frame.Plan
	seq := &c.Frame.Settings.Workload.Decode[min(plan.Precision, policy.Q4)]
	if seq.WholeOps > 0 {
		return seq.WholeOps, seq.WholePasses
	}
	return plan.Ops, plan.Passes
}
