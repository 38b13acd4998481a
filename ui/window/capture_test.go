//go:build cgo || !darwin

package window

import (
	"fmt"
	"image"
	drawimage "image/draw"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"headroom/policy/workload"
	"headroom/sensors/budget"
)

func newSettings() budget.Settings { return budget.Settings{Workload: workload.Default()} }

func fileURI(t *testing.T, name string) fyne.URI {
	t.Helper()
	return storage.NewFileURI(filepath.Join(t.TempDir(), name))
}

// capture is the window as Fyne's software painter draws it.
func capture(w fyne.Window) image.Image { return w.Canvas().Capture() }

// differing is the share of pixels in which two pictures of one size differ clearly.
func differing(a, b image.Image) float64 {
	p, q := rgba(a), rgba(b)
	if p.Rect.Size() != q.Rect.Size() {
		return 1
	}
	n := 0
	for y := range p.Rect.Dy() {
		u, v := p.Pix[y*p.Stride:][:4*p.Rect.Dx()], q.Pix[y*q.Stride:][:4*q.Rect.Dx()]
		for i := 0; i < len(u); i += 4 {
			if apart(u[i], v[i]) || apart(u[i+1], v[i+1]) || apart(u[i+2], v[i+2]) {
				n++
			}
		}
	}
	return float64(n) / float64(p.Rect.Dx()*p.Rect.Dy())
}

// rgba is the picture in one form, its corner at the origin.
func rgba(img image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	drawimage.Draw(out, out.Rect, img, img.Bounds().Min, drawimage.Src)
	return out
}

func apart(a, b uint8) bool { return max(a, b)-min(a, b) > 32 }

// objects are all objects of a canvas, the parts of widgets included.
func objects(c fyne.Canvas) map[fyne.CanvasObject]bool {
	found := map[fyne.CanvasObject]bool{}
	var walk func(fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if found[o] {
			return
		}
		found[o] = true
		switch x := o.(type) {
		case *fyne.Container:
			for _, child := range x.Objects {
				walk(child)
			}
		case fyne.Widget:
			for _, child := range test.WidgetRenderer(x).Objects() {
				walk(child)
			}
		}
	}
	walk(c.Content())
	for _, o := range c.Overlays().List() {
		walk(o)
	}
	return found
}

// manyModels is a catalogue of a hundred models of different sizes.
func manyModels() []workload.Model {
	models := make([]workload.Model, 100)
	for i := range models {
		m := llama()
		m.ID, m.Name = fmt.Sprintf("model-%02d", i), fmt.Sprintf("Model %02d", i)
		m.Params = uint64(i+1) * 1e9
		models[i] = m
	}
	return models
}
