package draw

import (
	"math"

	"headroom/policy"
	"headroom/ui/frame"
)

// Tiles shows the weights as a matrix cut into tiles, and how memory adds up beside it.
func Tiles(c Context, w, h float64) Scene {
	const title = "Tiles and memory"
	if c.waiting() {
		return waitingCard(w, h, title)
	}
	b := newBoard(w, h, title, 96)
	b.ground()
	p := pad(w)
	f := c.Frame
	b.text(p, middleOf(20, body), w-2*p, title, titleStyle)
	room := w - 2*p - titleStyle.width(title) - 12
	note := tilesNote(f)
	if f.Plan.Tiles > 1 {
		b.alertEnd(w-p, 20, room, note)
	} else {
		b.text(w-p, middleOf(20, small), room, note, noteStyle.end())
	}
	b.Desc = note

	top, bottom := 42.0, h-14
	foot := bindingWords(f)
	if foot != "" && bottom-top > 90 {
		b.text(p, bottom, w-2*p, foot, noteStyle)
		bottom -= 20
	}
	tall := bottom - top
	if tall < 40 {
		return b.Scene
	}
	side := min((w-2*p)*0.44, tall*1.5)
	if w-2*p-side < 150 {
		side = max(w-2*p-150-16, 0)
	}
	if side >= 60 {
		b.matrix(f, p, top, side, tall)
		b.ledger(f, p+side+20, top, w-2*p-side-20, tall)
	} else {
		b.ledger(f, p, top, w-2*p, tall)
	}
	return b.Scene
}

// tilesNote is the count of tiles with its reason.
func tilesNote(f frame.Frame) string {
	switch {
	case !f.MemoryKnown():
		return "the free memory is unknown"
	case f.Plan.Tiles > 1:
		return frame.Count(uint64(f.Plan.Tiles)) + " tiles · " + f.ReasonWords(policy.DecideTiles)
	}
	return f.ReasonWords(policy.DecideTiles)
}

// bindingWords is what a storage binding's limit makes of the largest tensor; empty where shapes are unknown.
func bindingWords(f frame.Frame) string {
	in := f.Budget.Inputs
	if f.Plan.BindingTiles == 0 {
		return ""
	}
	largest := float64(in.LargestTensor) * f.Plan.Precision.BytesPerWeight()
	words := "largest tensor " + frame.Bytes(uint64(largest))
	limit := " (limit " + frame.Bytes(in.MaxBinding) + ")"
	if f.Plan.BindingTiles == 1 {
		return words + " binds whole" + limit
	}
	return words + " is bound in " + frame.Count(uint64(f.Plan.BindingTiles)) + " pieces" + limit
}

// leastCell is the side under which cells are no longer told apart: then one cell stands for many tiles.
const leastCell = 9

// grid is n cells as rows of nearly equal counts; each row's height follows its count, so that all cells have one area.
type grid struct {
	n, rows int
}

func gridOf(n int, w, h float64) grid {
	rows := int(math.Round(math.Sqrt(float64(n) * h / w)))
	return grid{n, min(max(rows, 1), n)}
}

// row is how many cells the i-th row has.
func (g grid) row(i int) int { return g.n*(i+1)/g.rows - g.n*i/g.rows }

// aggregate is how many tiles one cell stands for, so that cells stay visible: 1, 2, 5, 10, …
func aggregate(tiles uint64, w, h float64) uint64 {
	most := max(math.Floor(w/leastCell)*math.Floor(h/leastCell), 1)
	if float64(tiles) <= most {
		return 1
	}
	return uint64(niceStep(float64(tiles) / most))
}

// matrix draws the weights as one area, cut into tiles.
func (b *board) matrix(f frame.Frame, x, y, w, h float64) {
	plan := f.Plan
	tiles := uint64(max(plan.Tiles, 1))
	per := aggregate(tiles, w, h)
	cells := int((tiles + per - 1) / per)
	g := gridOf(cells, w, h)
	gap := 2.0
	if cells > 60 {
		gap = 1
	}
	fill := Item{Kind: Rect, R: 4, Fill: fillOf(plan.Precision), Stroke: Rim, Width: 1}
	if cells > 30 {
		fill.R = 1
	}
	switch {
	case !f.MemoryKnown():
		fill.Fill, fill.Stroke, fill.Dash = Well, Muted, 3
	case !plan.Fits:
		fill.Fill, fill.Hatch, fill.Stroke = Card, Stripe, fillOf(plan.Precision)
		if tiles > 1 {
			// Each tile by itself does fit: only the first is on the device at a time.
			fill.Width = 1.5
		}
	}
	top := y
	at := 0
	for i := range g.rows {
		n := g.row(i)
		tall := h * float64(n) / float64(g.n)
		wide := w / float64(n)
		for j := range n {
			it := fill
			it.X, it.Y, it.W, it.H = x+wide*float64(j), top, wide-gap, tall-gap
			if i == 0 && j == 0 && !plan.Fits && tiles > 1 {
				it.Fill, it.Hatch, it.Stroke, it.Width = fillOf(plan.Precision), None, Rim, 1
			}
			b.add(it)
			at++
		}
		top += tall
	}
	b.tileLabel(f, x, y, w, h, cells, per)
	b.spot(x, y, w, h, tilesNote(f))
}

// tileLabel writes the size upon the tiles: on one alone, else on a plate over many.
func (b *board) tileLabel(f frame.Frame, x, y, w, h float64, cells int, per uint64) {
	plan := f.Plan
	value := style{size: 17, weight: SemiBold, color: inkOn(plan.Precision), anchor: Middle}
	note := style{size: small, color: inkOn(plan.Precision), anchor: Middle}
	size, words := frame.Bytes(plan.TileBytes), "one tile"
	if !f.MemoryKnown() {
		value.color, note.color = Text, Text
		b.text(x+w/2, y+h/2, w-8, size, value)
		b.text(x+w/2, y+h/2+18, w-8, "tiles unknown", note)
		return
	}
	if cells == 1 && plan.Tiles <= 1 && plan.Fits {
		if h >= 50 && b.whole(x+w/2, y+h/2, w-8, size, value) {
			b.whole(x+w/2, y+h/2+18, w-8, words, note)
		}
		return
	}
	switch {
	case plan.Tiles > 1:
		words = "× " + frame.Count(uint64(plan.Tiles)) + " tiles"
		if per > 1 {
			words += ", " + frame.Count(per) + " a square"
		}
	case !plan.Fits:
		words = "too big as one"
	}
	value.color, note.color = Text, Text
	wide := max(value.width(size), note.width(words)) + 20
	if wide > w-4 || h < 54 {
		return
	}
	b.add(Item{Kind: Rect, X: x + w/2 - wide/2, Y: y + h/2 - 24, W: wide, H: 48, R: 6, Fill: Card, Stroke: Edge, Width: 1})
	b.text(x+w/2, y+h/2-1, wide, size, value)
	b.text(x+w/2, y+h/2+15, wide, words, note)
}

// ledger draws the parts of memory one after another, each beginning where the one before ended, up to the line of what
// is free: the bars add up before the eye.
func (b *board) ledger(f frame.Frame, x, y, w, h float64) {
	l := f.Ledger()
	plan := f.Plan
	free := float64(max(l.FreeTotal.Exact, 0))
	used := float64(max(l.Used.Exact, 0))
	most := max(free, used, 1)
	rows := []part{
		{l.Weights, fillOf(plan.Precision), !plan.Fits && f.MemoryKnown()},
		{l.KV, Curve, false},
		{l.Compute, Second, false},
	}
	known := f.MemoryKnown()
	switch {
	case !known:
	case l.Short.Exact > 0:
		rows = append(rows, part{l.Short, Alert, true})
	default:
		rows = append(rows, part{l.Left, None, false})
	}
	row := min(h/float64(len(rows)+1), 38)
	if row < 18 {
		row = h / float64(len(rows))
	}
	from := 0.0
	line := x + w*free/most
	bars := row >= 24
	for i, r := range rows {
		top := y + row*float64(i)
		value := r.line.Text + " " + l.Unit
		s := noteStyle.in(Text)
		n := b.text(x+w, top+11, w*0.6, value, strong.end())
		if r.over && i == 3 {
			b.triangle(x, top+7, 8, Alert)
			b.text(x+12, top+11, w-n-20, r.line.Name, s.in(Alert))
		} else {
			b.text(x, top+11, w-n-8, r.line.Name, s)
		}
		if !bars {
			continue
		}
		mid := top + 20
		b.box(x, mid-3, w, 6, 3, Well)
		size := float64(max(r.line.Exact, 0))
		at := from
		if i == 3 {
			at = min(free, used)
		}
		it := Item{Kind: Rect, X: x + w*min(at/most, 1), Y: mid - 3, W: max(w*min(size/most, 1), 0), H: 6, R: 3, Fill: r.color}
		switch {
		case r.color == None:
			it.Stroke, it.Width = Muted, 1
		case i == 0:
			it.Stroke, it.Width = Rim, 1
		}
		if it.X+it.W > x+w {
			it.W = x + w - it.X
		}
		if r.over {
			it.Fill, it.Hatch, it.Stroke, it.Width = Card, Stripe, r.color, 1
		}
		if size > 0 && it.W < 2 {
			it.W = 2
			it.X = min(it.X, x+w-2)
		}
		if size > 0 {
			b.add(it)
		}
		if known {
			b.box(line-1, mid-6, 2, 12, 1, Text)
		}
		from += size
	}
	top := y + row*float64(len(rows))
	if top+12 <= y+h {
		value := l.FreeTotal.Text + " " + l.Unit
		if !known {
			value = unknown
		}
		n := b.text(x+w, top+11, w*0.6, value, strong.end())
		b.text(x, top+11, w-n-8, "free "+memoryName(f), noteStyle)
	}
}

// part is one row of the ledger.
type part struct {
	line  frame.Line
	color Role
	over  bool
}

// memoryName is what the free memory is called on this machine.
func memoryName(f frame.Frame) string {
	if f.Plan.Backend == policy.GPU {
		return "for the GPU"
	}
	return "RAM"
}
