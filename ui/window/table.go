//go:build cgo || !darwin

package window

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/policy"
	"headroom/ui/draw"
)

// column is one column of a table. Its width is a share of what the fixed ones leave, or fixed where share is 0.
type column struct {
	title        string
	share, fixed float32
	right        bool
	lead         float32 // more room before it than the usual gap
	drop         float32 // left out of a table narrower than this
	out          bool    // left out altogether
}

// cell is one text of a row.
type cell struct {
	text   string
	role   draw.Role // None is Text
	bold   bool
	indent bool
	// tail keeps the end where the text is too long: the end of a path says more than its start.
	tail bool
	// chip draws the text as a precision's name on its colour; hatched where it does not fit.
	chip     bool
	chipFits bool
	of       policy.Precision
}

// tableRow is what one line of a table shows.
type tableRow struct {
	cells   [maxColumns]cell
	heading bool // a family's title across the columns
	marked  bool // the chosen one
}

const maxColumns = 9

// table is a virtualised list with columns: only the lines in view have objects, and those are reused.
type table struct {
	widget.BaseWidget
	columns []column
	rows    []tableRow
	onPick  func(int)
	heads   []*button
	list    *keyList
	shape   int // changes with the columns, so that lines lay themselves out anew
	// lit is the line that a picker's arrow keys stand on; −1 for none.
	lit int
}

func newTable(v *view, columns []column, onPick func(int), onSort func(column int)) *table {
	t := &table{columns: slices.Clone(columns), onPick: onPick, lit: -1}
	for i, c := range columns {
		var tap func()
		if onSort != nil {
			tap = func() { onSort(i) }
		}
		h := newButton(c.title, tap, v.tips, v)
		h.plain = true
		h.disabled = tap == nil
		t.heads = append(t.heads, h)
	}
	t.list = newKeyList(v, func() int { return len(t.rows) },
		func() fyne.CanvasObject { return newRowWidget(t) },
		func(i widget.ListItemID, o fyne.CanvasObject) { o.(*rowWidget).set(t.rows[i], i == t.lit) })
	t.list.OnSelected = func(i widget.ListItemID) {
		if t.onPick != nil && i < len(t.rows) {
			t.onPick(i)
		}
	}
	t.list.HideSeparators = true
	t.ExtendBaseWidget(t)
	return t
}

// set shows other rows; it redraws only on a difference.
func (t *table) set(rows []tableRow) {
	if len(rows) == len(t.rows) {
		same := true
		for i := range rows {
			if rows[i] != t.rows[i] {
				same = false
				break
			}
		}
		if same {
			return
		}
	}
	t.rows = rows
	t.list.Refresh()
}

// leaveOut leaves a column out that has nothing to say, or takes it in again.
func (t *table) leaveOut(column int, out bool) {
	if t.columns[column].out != out {
		t.columns[column].out = out
		t.shape++
		t.Refresh()
		t.list.Refresh()
	}
}

// light moves the picker's mark to a line and scrolls it into view.
func (t *table) light(i int) {
	i = min(max(i, 0), len(t.rows)-1)
	t.lit = i
	if i >= 0 {
		t.list.Highlight(i)
	}
}

// scrollTop scrolls so that a line is the first in view.
func (t *table) scrollTop(i int) {
	t.list.ScrollToOffset(float32(i) * (rowHeight() + theme.Padding()))
}

// sortedBy marks the column that the rows are sorted by.
func (t *table) sortedBy(column int, descending bool) {
	moved := false
	for i, h := range t.heads {
		title := t.columns[i].title
		if i == column {
			title += map[bool]string{false: " ↑", true: " ↓"}[descending]
		}
		moved = moved || h.label != title
		h.set(title, "", false)
	}
	if moved {
		t.Refresh() // the mark needs room
	}
}

// span is a column's place: its left edge and its width.
type span struct{ left, width float32 }

func (t *table) spans(width float32) []span {
	zoom := theme.TextSize() / 13
	free, shares := width-2*rowPad()-float32(len(t.columns)-1)*gap(), float32(0)
	for _, c := range t.columns {
		if c.out || c.drop*zoom > width {
			free += gap()
			continue
		}
		free -= (c.fixed + c.lead) * zoom
		shares += c.share
	}
	x := rowPad()
	spans := make([]span, 0, len(t.columns))
	for _, c := range t.columns {
		if c.out || c.drop*zoom > width {
			spans = append(spans, span{x, 0})
			continue
		}
		x += c.lead * zoom
		w := c.fixed * zoom
		if c.share > 0 {
			w = max(free, 0) * c.share / shares
		}
		spans = append(spans, span{x, w})
		x += w + gap()
	}
	return spans
}

func (t *table) titled() bool { return t.columns[0].title != "" }

func gap() float32       { return 2 * theme.InnerPadding() }
func rowHeight() float32 { return theme.TextSize() + 12 }
func rowPad() float32    { return 2 * theme.InnerPadding() }

func (t *table) CreateRenderer() fyne.WidgetRenderer {
	r := &tableRenderer{t: t, rule: canvas.NewRectangle(color.Transparent)}
	if t.titled() {
		for _, h := range t.heads {
			r.objects = append(r.objects, h)
		}
	}
	r.objects = append(r.objects, r.rule, t.list)
	r.Refresh()
	return r
}

type tableRenderer struct {
	t       *table
	rule    *canvas.Rectangle
	objects []fyne.CanvasObject
}

func (r *tableRenderer) Destroy()                     {}
func (r *tableRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *tableRenderer) MinSize() fyne.Size           { return fyne.NewSize(300, 120) }
func (r *tableRenderer) Refresh() {
	r.rule.FillColor = roleColor(draw.Edge)
	r.Layout(r.t.Size())
	canvas.Refresh(r.t)
}

func (r *tableRenderer) Layout(s fyne.Size) {
	h := controlHeight()
	if !r.t.titled() {
		r.rule.Hide()
		r.t.list.Move(fyne.Position{})
		r.t.list.Resize(s)
		return
	}
	spans := r.t.spans(s.Width)
	for i, b := range r.t.heads {
		if b.Hidden = spans[i].width == 0; b.Hidden {
			continue
		}
		m := min(b.MinSize().Width, spans[i].width+2*buttonPad())
		x := spans[i].left - buttonPad()
		if r.t.columns[i].right {
			x = spans[i].left + spans[i].width + buttonPad() - m
		}
		b.Move(fyne.NewPos(x, 0))
		b.Resize(fyne.NewSize(m, h))
	}
	r.rule.Move(fyne.NewPos(0, h+2))
	r.rule.Resize(fyne.NewSize(s.Width, 1))
	r.t.list.Move(fyne.NewPos(0, h+5))
	r.t.list.Resize(fyne.NewSize(s.Width, max(s.Height-h-5, 0)))
}

// keyList is Fyne's list, letting the window have the keys that it does not use.
type keyList struct {
	widget.List
	v *view
}

func newKeyList(v *view, length func() int, create func() fyne.CanvasObject, update func(widget.ListItemID, fyne.CanvasObject)) *keyList {
	l := &keyList{v: v}
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.ExtendBaseWidget(l)
	return l
}

func (l *keyList) TypedRune(r rune) { l.v.typedRune(r) }

func (l *keyList) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyUp, fyne.KeyDown, fyne.KeySpace:
		l.List.TypedKey(e)
	case fyne.KeyReturn, fyne.KeyEnter:
		l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		l.v.typedKey(e)
	}
}
