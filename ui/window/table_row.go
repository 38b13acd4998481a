//go:build cgo || !darwin

package window

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/ui/draw"
)

// rowWidget draws one line; its objects are made once and reused for whatever row scrolls in.
type rowWidget struct {
	widget.BaseWidget
	t     *table
	row   tableRow
	lit   bool
	shape int
	texts [maxColumns]*canvas.Text
	chip  *chip
	mark  *canvas.Rectangle
	glow  *canvas.Rectangle
}

func newRowWidget(t *table) *rowWidget {
	w := &rowWidget{t: t, chip: newChip(), mark: canvas.NewRectangle(color.Transparent), glow: canvas.NewRectangle(color.Transparent)}
	for i := range w.texts {
		w.texts[i] = canvas.NewText("", nil)
	}
	w.ExtendBaseWidget(w)
	return w
}

func (w *rowWidget) set(r tableRow, lit bool) {
	if w.row == r && w.lit == lit && w.shape == w.t.shape {
		return
	}
	w.row, w.lit, w.shape = r, lit, w.t.shape
	w.Refresh()
}

func (w *rowWidget) CreateRenderer() fyne.WidgetRenderer {
	r := &rowRenderer{w}
	r.Refresh()
	return r
}

type rowRenderer struct{ w *rowWidget }

func (r *rowRenderer) Destroy() {}
func (r *rowRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.w.glow, r.w.mark, r.w.chip}
	for i := range r.w.t.columns {
		o = append(o, r.w.texts[i])
	}
	return o
}
func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(100, rowHeight()) }

func (r *rowRenderer) Layout(s fyne.Size) {
	spans := r.w.t.spans(s.Width)
	r.w.glow.Resize(s)
	r.w.mark.Move(fyne.NewPos(2, 3))
	r.w.mark.Resize(fyne.NewSize(3, s.Height-6))
	for i, c := range r.w.t.columns {
		t, cl := r.w.texts[i], r.w.row.cells[i]
		left, width := spans[i].left, spans[i].width
		if r.w.row.heading && i == 0 {
			width = s.Width / 2
		}
		if cl.indent {
			left += 2 * theme.InnerPadding()
			width -= 2 * theme.InnerPadding()
		}
		cut := cutText
		if cl.tail {
			cut = cutFront
		}
		text := cut(cl.text, width, t.TextSize, cl.bold)
		if t.Text != text {
			t.Text = text
		}
		m := t.MinSize()
		x := left
		if c.right {
			x = left + width - m.Width
		}
		if cl.chip {
			m = r.w.chip.MinSize()
			r.w.chip.Move(fyne.NewPos(left, (s.Height-m.Height)/2))
			r.w.chip.Resize(m)
			continue
		}
		t.Move(fyne.NewPos(x, (s.Height-m.Height)/2))
		t.Resize(m)
	}
}

func (r *rowRenderer) Refresh() {
	row := r.w.row
	r.w.mark.FillColor = color.Transparent
	if row.marked {
		r.w.mark.FillColor = roleColor(draw.Text)
	}
	r.w.glow.FillColor, r.w.glow.CornerRadius = color.Transparent, theme.Size(theme.SizeNameSelectionRadius)
	if r.w.lit {
		r.w.glow.FillColor = roleColor(draw.Grid)
	}
	chipped := false
	for i, t := range r.w.texts {
		c := row.cells[i]
		role := c.role
		if role == draw.None {
			role = draw.Text
		}
		setFont(t, c.bold)
		t.TextSize = theme.TextSize() - 0.5
		t.Color = roleColor(role)
		t.Text = c.text
		t.Hidden = c.chip
		if c.chip {
			chipped = true
			r.w.chip.set(c.of, c.chipFits)
		}
	}
	r.w.chip.Hidden = !chipped
	r.Layout(r.w.Size())
	canvas.Refresh(r.w)
}
