//go:build cgo || !darwin

package window

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/policy"
	"headroom/ui/draw"
)

// chip is a precision's name on its colour; one that does not fit has an empty ground and a red rim.
type chip struct {
	widget.BaseWidget
	of   policy.Precision
	fits bool
	rect *canvas.Rectangle
	text *canvas.Text
}

func newChip() *chip {
	c := &chip{fits: true, rect: canvas.NewRectangle(color.Transparent), text: canvas.NewText("", nil)}
	setFont(c.text, true)
	c.ExtendBaseWidget(c)
	return c
}

func (c *chip) set(p policy.Precision, fits bool) {
	if c.of != p || c.fits != fits {
		c.of, c.fits = p, fits
		c.Refresh()
	}
}

func (c *chip) CreateRenderer() fyne.WidgetRenderer {
	r := &chipRenderer{c}
	r.Refresh()
	return r
}

type chipRenderer struct{ c *chip }

func (r *chipRenderer) Destroy()                     {}
func (r *chipRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.c.rect, r.c.text} }

// MinSize is the same for every precision, so that columns of them align.
func (r *chipRenderer) MinSize() fyne.Size {
	m := measure("f32", theme.TextSize()-0.5, true)
	return fyne.NewSize(m.Width+2*theme.InnerPadding(), m.Height+2)
}

func (r *chipRenderer) Layout(s fyne.Size) {
	r.c.rect.Resize(s)
	m := r.c.text.MinSize()
	r.c.text.Move(fyne.NewPos((s.Width-m.Width)/2, (s.Height-m.Height)/2))
	r.c.text.Resize(m)
}

func (r *chipRenderer) Refresh() {
	c := r.c
	c.text.Text, c.text.TextSize = c.of.String(), theme.TextSize()-0.5
	c.rect.CornerRadius, c.rect.StrokeWidth = 4*theme.TextSize()/13, 1
	if c.fits {
		c.rect.FillColor, c.rect.StrokeColor = roleColor(draw.F32+draw.Role(c.of)), roleColor(draw.Rim)
		c.text.Color = roleColor(draw.OnF32 + draw.Role(c.of))
	} else {
		c.rect.FillColor, c.rect.StrokeColor, c.text.Color = color.Transparent, roleColor(draw.Alert), roleColor(draw.Text)
	}
	r.Layout(c.Size())
	canvas.Refresh(c)
}
