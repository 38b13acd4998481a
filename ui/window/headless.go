//go:build cgo || !darwin

package window

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"headroom/ui/draw"
	_ "headroom/ui/fynelog" // a picture's Fyne complains, too
)

// headless is an application without a display, for pictures. It is Fyne's own for tests but for text, which it measures
// as draw paints it: with the embedded font alone, where Fyne would look through the fonts of this machine too.
type headless struct{ fyne.App }

func newHeadless() fyne.App {
	a := headless{test.NewApp()}
	fyne.SetCurrentApp(a)
	return a
}

func (a headless) Driver() fyne.Driver { return headlessDriver{a.App.Driver()} }

type headlessDriver struct{ fyne.Driver }

func (headlessDriver) RenderedTextSize(text string, size float32, style fyne.TextStyle, _ fyne.Resource) (fyne.Size, float32) {
	weight := weightOf(style)
	height, baseline := draw.TextHeight(float64(size), weight)
	return fyne.NewSize(float32(draw.TextWidth(text, float64(size), weight)), float32(height)), float32(baseline)
}

func weightOf(style fyne.TextStyle) draw.Weight {
	if style.Bold {
		return draw.SemiBold
	}
	return draw.Regular
}
