//go:build cgo || !darwin

package window

import (
	"image"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/ui/draw"
)

// figure shows one of draw's figures. The engine paints it; the widget only swaps images, and redraws when one comes. The
// pointer, or the arrow keys while focused, visit its hotspots.
type figure struct {
	widget.BaseWidget
	id   int
	name string
	kept bool
	v    *view

	img    *image.RGBA
	scene  draw.Scene
	raster *canvas.Raster
	ring   *canvas.Rectangle // around the whole figure while focused
	mark   *canvas.Rectangle // around the hotspot under the pointer or the keyboard

	focused bool
	spot    int // the hotspot visited; −1 for none
}

func newFigure(v *view, id int, name string, kept bool) *figure {
	f := &figure{id: id, name: name, kept: kept, v: v, spot: -1}
	f.raster = canvas.NewRaster(f.pixels)
	f.raster.ScaleMode = canvas.ImageScalePixels // images have the screen's own pixels: nothing is to be smoothed
	f.ring = canvas.NewRectangle(color.Transparent)
	f.mark = canvas.NewRectangle(color.Transparent)
	f.raster.Hide() // until there is an image
	f.ring.Hide()
	f.mark.Hide()
	f.ExtendBaseWidget(f)
	return f
}

// pixels gives the last image painted; while the window is being resized it is stretched until the next one comes.
func (f *figure) pixels(w, _ int) image.Image {
	f.v.watchIconified()
	if f.img.Rect.Dx() != w {
		fyne.Do(f.v.sendAsk) // the canvas has another scale now
	}
	return f.img
}

// swap shows a new image, where there is one, and returns the one that it replaces.
func (f *figure) swap(p painted) *image.RGBA {
	f.scene = p.scene
	if f.spot >= len(f.scene.Hotspots) {
		f.leave()
	} else if f.spot >= 0 {
		f.visit(f.spot)
	}
	if p.img == nil {
		return nil
	}
	old := f.img
	f.img = p.img
	f.raster.Show()
	f.raster.Refresh()
	return old
}

// unit is one unit of the scene in Fyne's units.
func (f *figure) unit() float32 { return f.v.look.zoom }

func (f *figure) visit(i int) {
	f.spot = i
	h := f.scene.Hotspots[i]
	u := f.unit()
	f.mark.StrokeColor, f.mark.StrokeWidth, f.mark.CornerRadius = roleColor(draw.Curve), 1, 5*u
	if f.focused {
		f.mark.StrokeWidth = 2
	}
	f.mark.Move(fyne.NewPos(float32(h.X)*u, float32(h.Y)*u))
	f.mark.Resize(fyne.NewSize(float32(h.W)*u, float32(h.H)*u))
	whole := h.W >= f.scene.W-1 && h.H >= f.scene.H-1
	show := !whole && (f.focused || h.Action != draw.Explain)
	if show != f.mark.Visible() {
		f.mark.Hidden = !show
	}
	canvas.Refresh(f.mark)
	if h.Tip != "" {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(f)
		x, top := at.X+float32(h.X)*u, at.Y+float32(h.Y)*u
		f.v.tips.show(h.Tip, fyne.NewPos(x, top+float32(h.H)*u+6), top)
	}
}

func (f *figure) leave() {
	if f.spot < 0 {
		return
	}
	f.spot = -1
	f.mark.Hide()
	f.v.tips.hide()
}

func (f *figure) at(p fyne.Position) int {
	u := f.unit()
	hit, ok := f.scene.At(float64(p.X/u), float64(p.Y/u))
	if !ok {
		return -1
	}
	for i := len(f.scene.Hotspots) - 1; i >= 0; i-- {
		if f.scene.Hotspots[i] == hit {
			return i
		}
	}
	return -1
}

func (f *figure) MouseIn(e *desktop.MouseEvent) { f.MouseMoved(e) }
func (f *figure) MouseMoved(e *desktop.MouseEvent) {
	i := f.at(e.Position)
	if i == f.spot {
		return
	}
	if i < 0 {
		f.leave()
		return
	}
	f.visit(i)
}
func (f *figure) MouseOut() { f.leave() }

func (f *figure) Cursor() desktop.Cursor {
	if f.spot >= 0 && f.scene.Hotspots[f.spot].Action != draw.Explain {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

func (f *figure) Tapped(e *fyne.PointEvent) {
	f.v.canvas().Focus(f)
	if i := f.at(e.Position); i >= 0 {
		f.v.act(f.scene.Hotspots[i])
	}
}

func (f *figure) TappedSecondary(e *fyne.PointEvent) { f.v.figureMenu(f, e.AbsolutePosition) }

func (f *figure) FocusGained() {
	f.focused = true
	f.v.focusedFigure = f
	f.ring.StrokeColor, f.ring.StrokeWidth, f.ring.CornerRadius = roleColor(draw.Curve), 2, theme.Size(theme.SizeNameCardRadius)
	f.ring.Show()
}

func (f *figure) FocusLost() {
	f.focused = false
	f.ring.Hide()
	f.leave()
}

func (f *figure) TypedRune(r rune) { f.v.typedRune(r) }

func (f *figure) TypedKey(e *fyne.KeyEvent) {
	n := len(f.scene.Hotspots)
	switch {
	case n > 0 && (e.Name == fyne.KeyRight || e.Name == fyne.KeyDown):
		f.visit((f.spot + 1) % n)
	case n > 0 && (e.Name == fyne.KeyLeft || e.Name == fyne.KeyUp):
		f.visit((max(f.spot, 0) + n - 1) % n)
	case f.spot >= 0 && (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter):
		f.v.act(f.scene.Hotspots[f.spot])
	case e.Name == desktop.KeyMenu:
		f.v.figureMenu(f, fyne.CurrentApp().Driver().AbsolutePositionForObject(f).AddXY(16, 16))
	default:
		f.v.typedKey(e)
	}
}

func (f *figure) CreateRenderer() fyne.WidgetRenderer { return &figureRenderer{f} }

type figureRenderer struct{ f *figure }

func (r *figureRenderer) Destroy()           {}
func (r *figureRenderer) MinSize() fyne.Size { return fyne.Size{} }
func (r *figureRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.raster, r.f.mark, r.f.ring}
}

func (r *figureRenderer) Layout(s fyne.Size) {
	r.f.raster.Resize(s)
	r.f.ring.Resize(s)
}

// Refresh redraws after a change of theme; the image itself comes from the engine.
func (r *figureRenderer) Refresh() {
	r.f.ring.StrokeColor = roleColor(draw.Curve)
	r.f.mark.StrokeColor = roleColor(draw.Curve)
	canvas.Refresh(r.f)
}
