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

// overlay lays a card over the window: a picker or a sheet. The page behind it is dimmed, and a click there closes it.
type overlay struct {
	widget.BaseWidget
	v    *view
	body fyne.CanvasObject
	// box is where the card stands in a window of a size.
	box  func(window fyne.Size) (fyne.Position, fyne.Size)
	dim  *canvas.Rectangle
	card *ground
}

func (v *view) overlay(body fyne.CanvasObject, box func(fyne.Size) (fyne.Position, fyne.Size)) *overlay {
	o := &overlay{v: v, body: body, box: box, dim: canvas.NewRectangle(color.Transparent), card: newGround(draw.Card, draw.Grid)}
	o.ExtendBaseWidget(o)
	v.canvas().Overlays().Add(o)
	o.Resize(v.canvas().Size())
	return o
}

func (o *overlay) close() { o.v.closeOverlay(o) }

// Tapped closes the overlay when the tap lies beside the card.
func (o *overlay) Tapped(e *fyne.PointEvent) {
	at, size := o.box(o.Size())
	if e.Position.X < at.X || e.Position.Y < at.Y || e.Position.X > at.X+size.Width || e.Position.Y > at.Y+size.Height {
		o.close()
	}
}

func (o *overlay) TappedSecondary(e *fyne.PointEvent) { o.Tapped(e) }

func (o *overlay) CreateRenderer() fyne.WidgetRenderer {
	r := &overlayRenderer{o}
	r.Refresh()
	return r
}

type overlayRenderer struct{ o *overlay }

func (r *overlayRenderer) Destroy()           {}
func (r *overlayRenderer) MinSize() fyne.Size { return fyne.Size{} }
func (r *overlayRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.o.dim, r.o.card, r.o.body}
}

func (r *overlayRenderer) Layout(s fyne.Size) {
	r.o.dim.Resize(s)
	at, size := r.o.box(s)
	r.o.card.Move(at)
	r.o.card.Resize(size)
	pad := theme.InnerPadding() + 2
	r.o.body.Move(at.AddXY(pad, pad))
	r.o.body.Resize(size.SubtractWidthHeight(2*pad, 2*pad))
}

func (r *overlayRenderer) Refresh() {
	r.o.dim.FillColor = color.NRGBA{0, 0, 0, 0x60}
	r.Layout(r.o.Size())
	canvas.Refresh(r.o)
}
