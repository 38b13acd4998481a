//go:build cgo || !darwin

package window

import (
	"testing"

	"fyne.io/fyne/v2"
)

func TestWhatIsClosedLosesTheFocus(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	for name, end := range map[string]func(*overlay){
		"by itself":   func(o *overlay) { o.close() },
		"with others": func(*overlay) { b.closeOverlays() },
		"by Escape":   func(*overlay) { b.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}) },
	} {
		entry := newFieldEntry(b.view, "", nil)
		o := b.overlay(entry, func(size fyne.Size) (fyne.Position, fyne.Size) { return fyne.Position{}, size })
		b.canvas().Focus(entry)
		if !entry.focused {
			t.Fatalf("%s: the entry has no focus", name)
		}
		end(o)
		if entry.focused || len(b.canvas().Overlays().List()) != 0 {
			t.Errorf("%s: the closed entry's cursor blinks on", name)
		}
	}
}
