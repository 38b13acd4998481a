package draw

import "slices"

// Kind says what an Item is.
type Kind uint8

// The kinds of item.
const (
	// Rect spans X, Y, W, H with corner radius R. Its stroke lies inside the edge.
	Rect Kind = iota
	// Line runs from X, Y to X+W, Y+H.
	Line
	// Poly runs through Points; Closed joins the last to the first. A filled Poly is always closed.
	Poly
	// Circle has its centre at X, Y and radius R.
	Circle
	// Label is one line of text with its baseline at Y and its anchor at X; W is the width it may take.
	Label
	// Clip keeps what follows within X, Y, W, H, in place of an earlier one; without a size it ends that.
	Clip
)

// Weight is the weight of a text.
type Weight uint8

// The weights.
const (
	Regular Weight = iota
	SemiBold
)

// Anchor says which point of a text lies at X.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Point is a place in a scene.
type Point struct{ X, Y float64 }

// Item is one mark. Lengths are in the scene's units: one is one pixel at scale 1.
type Item struct {
	Kind       Kind
	X, Y, W, H float64
	// R is the corner radius of a Rect or the radius of a Circle.
	R float64
	// Fill, Stroke and Hatch are colours by role; None paints nothing. Hatch draws diagonal stripes over the fill of a Rect.
	Fill, Stroke, Hatch Role
	// Width is the stroke's width. Dash is the length of dashes and gaps of a Line or Rect; 0 is solid.
	Width, Dash float64
	// Fade is the share of transparency, 0 (opaque) to 1.
	Fade   float64
	Points []Point
	Closed bool
	// Text, Size (height of the em), Weight and Anchor belong to a Label. Its text has been cut to W already.
	Text   string
	Size   float64
	Weight Weight
	Anchor Anchor
}

// Action says what a click on a hotspot asks for.
type Action string

// The actions.
const (
	// Explain has a tooltip only.
	Explain Action = ""
	// ShowReading asks for the reading named by the hotspot's ID.
	ShowReading Action = "reading"
	// ShowChange asks for the Frame of History.Changes()[Index].
	ShowChange Action = "change"
)

// Hotspot is a rectangle that explains itself or can be clicked.
type Hotspot struct {
	X, Y, W, H float64
	Tip        string
	Action     Action
	ID         string
	Index      int
}

// Scene is a picture of W by H units. Items are painted in order. Title and Desc say in words what is seen.
type Scene struct {
	W, H        float64
	Title, Desc string
	// Zoom is how much the stripes of hatches are enlarged; 0 is 1.
	Zoom     float64
	Items    []Item
	Hotspots []Hotspot
}

// At finds the topmost hotspot at a place.
func (s Scene) At(x, y float64) (Hotspot, bool) {
	for i := len(s.Hotspots) - 1; i >= 0; i-- {
		h := s.Hotspots[i]
		if x >= h.X && x < h.X+h.W && y >= h.Y && y < h.Y+h.H {
			return h, true
		}
	}
	return Hotspot{}, false
}

// pitch is the distance of a hatch's stripes.
func (s Scene) pitch() float64 {
	if s.Zoom > 0 {
		return hatchPitch * s.Zoom
	}
	return hatchPitch
}

// Equal reports whether both scenes look and answer alike.
func (s Scene) Equal(t Scene) bool {
	return s.Looks(t) && s.Title == t.Title && s.Desc == t.Desc && slices.Equal(s.Hotspots, t.Hotspots)
}

// Looks reports whether both scenes look alike: then there is nothing to repaint, though they may tell something else of it.
func (s Scene) Looks(t Scene) bool {
	return s.W == t.W && s.H == t.H && s.Zoom == t.Zoom && slices.EqualFunc(s.Items, t.Items, sameItem)
}

func sameItem(a, b Item) bool {
	return a.Kind == b.Kind && a.X == b.X && a.Y == b.Y && a.W == b.W && a.H == b.H && a.R == b.R &&
		a.Fill == b.Fill && a.Stroke == b.Stroke && a.Hatch == b.Hatch && a.Width == b.Width && a.Dash == b.Dash &&
		a.Fade == b.Fade && a.Closed == b.Closed && a.Text == b.Text && a.Size == b.Size && a.Weight == b.Weight &&
		a.Anchor == b.Anchor && slices.Equal(a.Points, b.Points)
}

// Place puts a scene into another, moved by x and y.
func (s *Scene) Place(in Scene, x, y float64) {
	for _, it := range in.Items {
		it.X += x
		it.Y += y
		if len(it.Points) > 0 {
			moved := make([]Point, len(it.Points))
			for i, p := range it.Points {
				moved[i] = Point{p.X + x, p.Y + y}
			}
			it.Points = moved
		}
		s.Items = append(s.Items, it)
	}
	for _, h := range in.Hotspots {
		h.X += x
		h.Y += y
		s.Hotspots = append(s.Hotspots, h)
	}
}
