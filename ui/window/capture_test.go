//go:build cgo && !nogui

package window

import (
	"fmt"
	"image"
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
	r := a.Bounds()
	if r != b.Bounds() {
		return 1
	}
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if apart(r1, r2) || apart(g1, g2) || apart(b1, b2) {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

func apart(a, b uint32) bool { return max(a, b)-min(a, b) > 0x2000 }

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
