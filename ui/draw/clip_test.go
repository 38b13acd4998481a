package draw

import (
	"bytes"
	"image"
	"image/color"
	"testing"
)

// Every kind of item paints the same within a clip as without one, and nothing beside it.
func TestClipKeepsPaintingWithin(t *testing.T) {
	items := []Item{
		{Kind: Rect, X: 2, Y: 2, W: 60, H: 40, R: 9, Fill: F32, Hatch: Alert, Stroke: Text, Width: 2},
		{Kind: Line, X: 0, Y: 0, W: 64, H: 48, Stroke: Alert, Width: 3},
		{Kind: Poly, Points: []Point{{-20, 10}, {30, -15}, {90, 30}, {20, 70}}, Closed: true, Fill: Q8, Fade: 0.4},
		{Kind: Circle, X: 20, Y: 20, R: 14, Fill: Q4, Stroke: Text, Width: 1.5},
		{Kind: Label, X: 1, Y: 30, Text: "Words across", Size: 13, Fill: Text},
	}
	within := image.Rect(11, 9, 37, 33)
	clip := Item{Kind: Clip, X: 11, Y: 9, W: 26, H: 24}
	whole := Scene{W: 64, H: 48, Items: items}.Image(Dark, 1)
	clipped := Scene{W: 64, H: 48, Items: append([]Item{clip}, items...)}.Image(Dark, 1)
	bare := Scene{W: 64, H: 48}.Image(Dark, 1)
	for y := range 48 {
		for x := range 64 {
			want := bare.RGBAAt(x, y)
			if (image.Point{X: x, Y: y}).In(within) {
				want = whole.RGBAAt(x, y)
			}
			if got := clipped.RGBAAt(x, y); got != want {
				t.Fatalf("at %d, %d stands %v, want %v", x, y, got, want)
			}
		}
	}
	ended := Scene{W: 64, H: 48, Items: append([]Item{clip, {Kind: Clip}}, items...)}.Image(Dark, 1)
	if !bytes.Equal(ended.Pix, whole.Pix) {
		t.Error("a clip that was ended still keeps something back")
	}
}

func TestClipsAreGroupsInSVG(t *testing.T) {
	s := Scene{W: 64, H: 48, Items: []Item{
		{Kind: Clip, X: 1, Y: 2, W: 3, H: 4},
		{Kind: Rect, W: 9, H: 9, Fill: Text},
		{Kind: Clip, X: 5, Y: 6, W: 7, H: 8},
		{Kind: Rect, W: 9, H: 9, Fill: Text},
	}}
	doc := svgOf(t, s, Dark)
	if n, m := bytes.Count(doc, []byte("<g clip-path=")), bytes.Count(doc, []byte("</g>")); n != 2 || m != 2 {
		t.Errorf("the SVG opens %d groups and closes %d, want 2", n, m)
	}
	if !bytes.Contains(doc, []byte(`<clipPath id="c2"><rect x="5" y="6" width="7" height="8"/></clipPath>`)) {
		t.Errorf("the SVG lacks its second clip:\n%s", doc)
	}
}

func TestRoleOfFindsEveryColour(t *testing.T) {
	for _, th := range []Theme{Dark, Light, Dark.Clear()} {
		for r := None + 1; r < numRoles; r++ {
			c := Dark.Color(r)
			if th.Name == Light.Name {
				c = Light.Color(r)
			}
			got, ok := th.RoleOf(color.NRGBA(c))
			if th.Color(Page).A == 0 && r == Page && got == Rim {
				continue // a rim of the page's colour
			}
			if !ok || th.Color(got) != c {
				t.Errorf("%s: the colour of role %d is found as %d (%v)", th.Name, r, got, ok)
			}
		}
	}
}
