//go:build cgo || !darwin

package window

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"headroom/ui/draw"
)

// scenery makes a scene of the objects on a canvas, and words of what they say. Figures are put in as the scenes that they
// are.
type scenery struct {
	scene draw.Scene
	theme draw.Theme
	clip  area
	said  []string
	err   error
}

// area is a rectangle on the canvas.
type area struct{ x0, y0, x1, y1 float32 }

func (a area) within(b area) area {
	return area{max(a.x0, b.x0), max(a.y0, b.y0), min(a.x1, b.x1), min(a.y1, b.y1)}
}

func (a area) empty() bool { return a.x1 <= a.x0 || a.y1 <= a.y0 }

// newScenery is for a canvas of a size.
func newScenery(s fyne.Size, th draw.Theme) *scenery {
	return &scenery{scene: draw.Scene{W: float64(s.Width), H: float64(s.Height)}, theme: th, clip: area{0, 0, s.Width, s.Height}}
}

// add puts an object, whose parent lies at a place, and all that it consists of into the scene.
func (s *scenery) add(o fyne.CanvasObject, parent fyne.Position) {
	if !o.Visible() {
		return
	}
	at := parent.Add(o.Position())
	place := area{at.X, at.Y, at.X + o.Size().Width, at.Y + o.Size().Height}
	switch o := o.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			s.add(child, at)
		}
	case *figure:
		s.figure(o, at)
	case fyne.Widget:
		s.widget(o, at, place)
	case *canvas.Rectangle:
		s.rectangle(o, place)
	case *canvas.Circle:
		s.circle(o, place)
	case *canvas.Text:
		s.text(o, place)
	case *canvas.LinearGradient, *canvas.RadialGradient:
		// The shadows of an edge that can be scrolled: a picture cannot.
	default:
		s.err = fmt.Errorf("picture a %T: no scene has the like", o)
	}
}

// widget adds what a widget consists of, kept within it where the widget scrolls.
func (s *scenery) widget(o fyne.Widget, at fyne.Position, place area) {
	r := test.WidgetRenderer(o)
	_, scrolls := o.(fyne.Scrollable)
	_, clips := r.(interface{ IsClip() })
	before := s.clip
	if scrolls || clips {
		if s.clip = before.within(place); s.clip.empty() {
			s.clip = before
			return
		}
		s.keep(s.clip)
	}
	s.hear(o)
	for _, child := range r.Objects() {
		s.add(child, at)
	}
	if s.clip != before {
		s.clip = before
		s.keep(before)
	}
}

// keep bounds what follows; the whole canvas needs no bounds.
func (s *scenery) keep(a area) {
	it := draw.Item{Kind: draw.Clip}
	if whole := (area{0, 0, float32(s.scene.W), float32(s.scene.H)}); a != whole {
		it.X, it.Y, it.W, it.H = extent(a)
	}
	s.scene.Items = append(s.scene.Items, it)
}

// hear adds the words of a widget, uncut.
func (s *scenery) hear(o fyne.Widget) {
	switch o := o.(type) {
	case *words:
		s.say(o.text)
	case *rowWidget:
		var cells []string
		for i, c := range o.row.cells {
			if c.text != "" && (i == 0 || !o.t.columns[i].out) {
				cells = append(cells, c.text)
			}
		}
		s.say(strings.Join(cells, ", "))
	}
}

func (s *scenery) say(text string) {
	if text = strings.TrimSpace(text); text != "" {
		s.said = append(s.said, text)
	}
}

func (s *scenery) figure(f *figure, at fyne.Position) {
	in := f.scene
	in.Enlarge(float64(f.unit()))
	s.scene.Place(in, settle(at.X), settle(at.Y))
	s.say(f.scene.Title + ": " + f.scene.Desc)
}

// put adds an item that may be seen.
func (s *scenery) put(it draw.Item, place area) {
	if !place.within(s.clip).empty() {
		s.scene.Items = append(s.scene.Items, it)
	}
}

// role is a colour's, with its transparency as a fade.
func (s *scenery) role(c color.Color) (draw.Role, float64) {
	if c == nil {
		return draw.None, 0
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	if n.A == 0 {
		return draw.None, 0
	}
	r, ok := s.theme.RoleOf(n)
	if !ok {
		s.err = fmt.Errorf("picture the colour %v: no role has it", n)
	}
	return r, 1 - float64(n.A)/255
}

func (s *scenery) rectangle(o *canvas.Rectangle, place area) {
	it := draw.Item{Kind: draw.Rect, R: settle(o.CornerRadius)}
	it.X, it.Y, it.W, it.H = extent(place)
	var faded float64
	if it.Fill, it.Fade = s.role(o.FillColor); o.StrokeWidth > 0 {
		if it.Stroke, faded = s.role(o.StrokeColor); it.Stroke != draw.None {
			it.Width, it.Fade = settle(o.StrokeWidth), max(it.Fade, faded)
		}
	}
	if it.Fill != draw.None || it.Stroke != draw.None {
		s.put(it, place)
	}
}

func (s *scenery) circle(o *canvas.Circle, place area) {
	it := draw.Item{Kind: draw.Circle, X: settle((place.x0 + place.x1) / 2), Y: settle((place.y0 + place.y1) / 2)}
	it.R = settle(min(place.x1-place.x0, place.y1-place.y0) / 2)
	if it.Fill, it.Fade = s.role(o.FillColor); o.StrokeWidth > 0 {
		it.Stroke, _ = s.role(o.StrokeColor)
		it.Width = settle(o.StrokeWidth)
	}
	if it.R > 0 && (it.Fill != draw.None || it.Stroke != draw.None) {
		s.put(it, place)
	}
}

func (s *scenery) text(o *canvas.Text, place area) {
	if strings.TrimSpace(o.Text) == "" {
		return
	}
	height, baseline := draw.TextHeight(float64(o.TextSize), weightOf(o.TextStyle))
	it := draw.Item{Kind: draw.Label, Text: o.Text, Size: settle(o.TextSize), Weight: weightOf(o.TextStyle), X: settle(place.x0)}
	it.W = settle(place.x1 - place.x0)
	switch o.Alignment {
	case fyne.TextAlignCenter:
		it.X, it.Anchor = settle((place.x0+place.x1)/2), draw.Middle
	case fyne.TextAlignTrailing:
		it.X, it.Anchor = settle(place.x1), draw.End
	}
	it.Y = settle((place.y0+place.y1)/2 - float32(height/2-baseline))
	it.Fill, it.Fade = s.role(o.Color)
	if it.Fill != draw.None {
		place.x1 = max(place.x1, place.x0+o.MinSize().Width)
		s.put(it, place)
	}
}

func extent(a area) (x, y, w, h float64) {
	x, y = settle(a.x0), settle(a.y0)
	return x, y, settle(a.x1) - x, settle(a.y1) - y
}

// settle rounds a length to a twentieth. Fyne's lengths have seven digits, the last of which processors compute differently;
// the nudge keeps what lies between two twentieths on one side.
func settle(x float32) float64 { return math.Floor(float64(x)*20+0.5+0.002) / 20 }
