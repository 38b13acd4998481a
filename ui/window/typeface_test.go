//go:build cgo || !darwin

package window

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// The first picture needs our fonts alone: a text without a font of its own, or an entry that is laid out, has Fyne search
// the system's first.
func TestTheFirstPictureNeedsNoOtherFonts(t *testing.T) {
	v := newView(context.Background(), test.NewApp(), Options{Feed: noFeed{}}, defaults())
	texts := 0
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if !o.Visible() {
			return
		}
		switch o := o.(type) {
		case *canvas.Text:
			texts++
			if o.FontSource == nil {
				t.Errorf("the text %q is left to the theme", o.Text)
			}
		case *widget.Entry:
			t.Errorf("an entry is seen at first: %q", o.PlaceHolder)
		case *fyne.Container:
			for _, c := range o.Objects {
				walk(c)
			}
		case fyne.Widget:
			for _, c := range test.WidgetRenderer(o).Objects() {
				walk(c)
			}
		}
	}
	walk(v.win.Content())
	if texts < 10 {
		t.Errorf("only %d texts are seen", texts)
	}
	if size := v.models.root.Size(); !size.IsZero() {
		t.Errorf("the Models page is laid out before it is shown, at %v", size)
	}
}
