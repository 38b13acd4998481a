//go:build cgo || !darwin

package window

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// quietSlider is Fyne's slider, told of the user's changes only, not of the values that it is made to show.
type quietSlider struct {
	widget.Slider
	v      *view
	moving bool
}

func newQuietSlider(v *view, least, most, step float64, slid func(float64)) *quietSlider {
	s := &quietSlider{v: v}
	s.Min, s.Max, s.Step = least, most, step
	s.Orientation = widget.Horizontal
	s.OnChanged = func(x float64) {
		if !s.moving {
			slid(x)
		}
	}
	s.ExtendBaseWidget(s)
	return s
}

// show moves the slider to a value without telling anyone.
func (s *quietSlider) show(x float64) {
	x = min(max(x, s.Min), s.Max)
	if math.Abs(s.Value-x) < s.Step/2 {
		return
	}
	s.moving = true
	s.SetValue(x)
	s.moving = false
}

func (s *quietSlider) TypedRune(r rune) { s.v.typedRune(r) }

func (s *quietSlider) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown:
		s.Slider.TypedKey(e)
	default:
		s.v.typedKey(e)
	}
}
