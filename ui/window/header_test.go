//go:build cgo || !darwin

package window

import (
	"testing"

	"fyne.io/fyne/v2"
)

// With large type in a small window parts of the header give way; none lies over another or beyond the edge.
func TestTheHeadersPartsDoNotOverlap(t *testing.T) {
	for _, zoom := range []float32{1, 1.4, 2} {
		for _, width := range []float32{900, 1024, 1280, 1920} {
			state := defaults()
			state.Type = zoom
			b := newBench(t, Options{Prove: &fakeProver{}}, state)
			b.win.Resize(fyne.NewSize(width, 800))
			b.sample(script(t, "apu").SampleAt(0))
			b.header.layoutNow()
			var end float32
			for _, name := range []string{"model", "pages", "state", "menu", "help"} {
				parts := map[string][]*button{"model": {b.header.model}, "pages": b.header.pages, "state": {b.header.state}, "menu": {b.header.menu}, "help": {b.header.help}}[name]
				for _, part := range parts {
					if part.Position().X < end-0.5 {
						t.Errorf("type %g, %g wide: %s %q begins at %g, before %g", zoom, width, name, part.label, part.Position().X, end)
					}
					end = part.Position().X + part.Size().Width
				}
			}
			if end > width {
				t.Errorf("type %g, %g wide: ends at %g", zoom, width, end)
			}
		}
	}
}
