package draw

import (
	"math"
	"strings"

	"headroom/policy"
	"headroom/ui/frame"
)

// Tiles shows the weights as a matrix cut into tiles, and how memory adds up beside it.
func Tiles(c Context, w, h float64) Scene {
	const title = "Tiles and memory"
	if s, ok := standIn(c, w, h, title); ok {
		return s
	}
	b := newBoard(w, h, title, 96)
	b.ground()
	p := pad(w)
	f := c.Frame
	b.text(p, middleOf(20, body), w-2*p, title, titleStyle)
	room := w - 2*p - titleStyle.width(title) - 12
	note := tilesNote(f)
	switch {
	case f.Plan.Tiles > 1 && f.MemoryKnown():
		b.alertEnd(w-p, 20, room, note, frame.Count(uint64(f.Plan.Tiles))+" tiles")
	case f.Plan.Backend != policy.GPU && f.MemoryKnown():
		b.first(w-p, middleOf(20, small), room, noteStyle.end(), note, "no GPU takes the job", "no GPU")
	default:
		short := "1 tile"
		if !f.MemoryKnown() {
			short = "memory unknown"
		}
		b.first(w-p, middleOf(20, small), room, noteStyle.end(), note, short, strings.TrimPrefix(short, "memory "))
	}
	b.Desc = note

	top, bottom := 42.0, h-14
	foot := bindingWords(f)
	if foot != "" && bottom-top > 90 {
		short, _, _ := strings.Cut(foot, " (")
		b.first(p, bottom, w-2*p, noteStyle, foot, short, strings.Replace(short, "largest tensor ", "", 1))
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
	return "1 tile · " + f.ReasonWords(policy.DecideTiles)
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
	if !plan.Fits && f.MemoryKnown() {
		b.add(Item{Kind: Rect, X: x, Y: y, W: w - gap, H: h - gap, R: 4, Fill: Card, Hatch: Stripe})
	}
	fill := Item{Kind: Rect, R: 4, Fill: fillOf(plan.Precision), Stroke: Rim, Width: 1}
	edge := Muted
	if cells > 30 {
		fill.R, edge = 1, Second
	}
	switch {
	case !f.MemoryKnown():
		fill.Fill, fill.Stroke, fill.Dash = Well, Muted, 3
	case !plan.Fits:
		fill.Fill, fill.Stroke = None, edge
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
				// Each tile by itself does fit: one is on the device at a time.
				it.Fill, it.Stroke = fillOf(plan.Precision), Rim
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
	rows := append(make([]part, 0, 4), part{l.Weights, "weights", fillOf(plan.Precision)})
	if l.KV.Exact > 0 {
		rows = append(rows, part{l.KV, "KV", Curve})
	}
	if l.Compute.Exact > 0 {
		rows = append(rows, part{l.Compute, "compute", Second})
	}
	known := f.MemoryKnown()
	switch {
	case !known:
	case l.Short.Exact > 0:
		rows = append(rows, part{l.Short, "missing", Alert})
	default:
		rows = append(rows, part{l.Left, "free", None})
	}
	row := min(h/float64(len(rows)+1), 54)
	if row < 18 {
		row = h / float64(len(rows))
	}
	from := 0.0
	line := x + w*free/most
	bars := row >= 24
	for i, r := range rows {
		top := y + row*float64(i)
		n := b.text(x+w, top+11, w*0.6, l.Words(r.line), strong.end())
		if r.color == Alert {
			b.triangle(x, top+7, 8, Alert)
			b.first(x+12, top+11, w-n-20, noteStyle.in(Alert), r.line.Name)
		} else {
			b.first(x, top+11, w-n-8, noteStyle.in(Text), r.line.Name, r.short)
		}
		size := float64(max(r.line.Exact, 0))
		if bars {
			at := from
			if r.color == Alert || r.color == None {
				at = min(free, used)
			}
			b.share(r.color, x, top+20, w, min(max(row*0.16, 6), 9), at/most, size/most, i == 0)
			if known {
				b.box(line-1, top+14, 2, 12, 1, Text)
			}
		}
		from += size
	}
	top := y + row*float64(len(rows))
	if top+12 <= y+h {
		value := l.Words(l.FreeTotal)
		if !known {
			value = unknown
		}
		n := b.text(x+w, top+11, w*0.6, value, strong.end())
		b.first(x, top+11, w-n-8, noteStyle, "free "+memoryName(f), "free")
	}
}

// share draws one part's bar on the whole width: from and size are shares of it.
func (b *board) share(c Role, x, y, w, thick, from, size float64, rim bool) {
	b.box(x, y-thick/2, w, thick, thick/2, Well)
	if size <= 0 {
		return
	}
	it := Item{Kind: Rect, X: x + w*min(from, 1), Y: y - thick/2, W: max(w*min(size, 1), 2), H: thick, R: thick / 2, Fill: c, Width: 1}
	it.X = min(it.X, x+w-2)
	it.W = min(it.W, x+w-it.X)
	switch {
	case c == None:
		it.Stroke = Muted
	case c == Alert:
		it.Fill, it.Hatch, it.Stroke = Card, Alert, Alert
	case rim:
		it.Stroke = Rim
	}
	b.add(it)
}

// part is one row of the ledger, with a short name for narrow places.
type part struct {
	line  frame.Line
	short string
	color Role
}

// memoryName is what the free memory is called on this machine.
func memoryName(f frame.Frame) string {
	if f.Plan.Backend == policy.GPU {
		return "for the GPU"
	}
	return "RAM"
}
