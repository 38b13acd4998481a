//go:build cgo || !darwin

package window

import (
	"context"
	"testing"

	"fyne.io/fyne/v2/test"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// A figure that looks as it did is not painted again, so that the window is not redrawn, but answers with its new words.
func TestFiguresThatLookAlikeAreNotPaintedAgain(t *testing.T) {
	tip, text := "5 s ago", "60 °C"
	draw.Figures["telling"] = func(_ draw.Context, w, h float64) draw.Scene {
		return draw.Scene{
			W: w, H: h,
			Items:    []draw.Item{{Kind: draw.Label, Text: text, Size: 12, Y: 20, Fill: draw.Text}},
			Hotspots: []draw.Hotspot{{W: w, H: h, Tip: tip}},
		}
	}
	defer delete(draw.Figures, "telling")
	e := &engine{plates: map[int]*plate{}, ask: ask{scale: 1, theme: draw.Dark}}
	sl := slot{id: 1, figure: "telling", w: 100, h: 40}
	for _, step := range []struct {
		what, tip, text string
		told, painted   bool
	}{
		{"at first", "5 s ago", "60 °C", true, true},
		{"with nothing new", "5 s ago", "60 °C", false, false},
		{"with another tip", "6 s ago", "60 °C", true, false},
		{"with the same tip again", "6 s ago", "60 °C", false, false},
		{"with another text", "6 s ago", "61 °C", true, true},
	} {
		tip, text = step.tip, step.text
		p, told := e.paint(sl, frame.Frame{})
		if told != step.told || (p.img != nil) != step.painted {
			t.Errorf("%s: told %v, painted %v; want %v, %v", step.what, told, p.img != nil, step.told, step.painted)
		}
		if told && p.scene.Hotspots[0].Tip != step.tip {
			t.Errorf("%s: the tip is %q", step.what, p.scene.Hotspots[0].Tip)
		}
	}
}

// Each figure of the page is asked for once, however often the page was laid out while figures were added to it.
func TestEachFigureIsAskedForOnce(t *testing.T) {
	v := newView(context.Background(), test.NewApp(), Options{Feed: noFeed{}}, defaults())
	asked := map[string]int{}
	for _, sl := range v.live.slots() {
		asked[sl.figure]++
	}
	if len(asked) < 8 {
		t.Errorf("only %d figures are asked for", len(asked))
	}
	for name, n := range asked {
		if n != 1 {
			t.Errorf("%s is asked for %d times", name, n)
		}
	}
}
