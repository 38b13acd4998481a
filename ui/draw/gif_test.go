package draw

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"strings"
	"testing"
	"time"
)

func TestAnimationEndsAsItsLastScene(t *testing.T) {
	states := nice()
	scenes := []Scene{
		ThermalCard(states["roomy"], 300, 134), ThermalCard(states["roomy"], 300, 134),
		ThermalCard(states["tight"], 300, 134), ThermalCard(states["assumed"], 300, 134),
	}
	var b bytes.Buffer
	if err := GIF(&b, Dark, 1, 500*time.Millisecond, scenes); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != 3 {
		t.Errorf("%d pictures, want 3: what stands still is shown longer, not again", len(g.Image))
	}
	if g.Delay[0] != 100 {
		t.Errorf("the first stands for %d hundredths, want 100", g.Delay[0])
	}
	shown := image.NewRGBA(image.Rect(0, 0, 300, 134))
	for _, img := range g.Image {
		draw.Draw(shown, img.Rect, img, img.Rect.Min, draw.Over)
	}
	want := scenes[3].Image(Dark, 1)
	far := 0
	for i := range want.Pix {
		if d := int(want.Pix[i]) - int(shown.Pix[i]); d > 24 || d < -24 {
			far++
		}
	}
	if far > len(want.Pix)/500 {
		t.Errorf("%d of %d values are far from the last scene", far, len(want.Pix))
	}
}

func TestAnimationOfNothingIsAnError(t *testing.T) {
	if err := GIF(&bytes.Buffer{}, Dark, 1, time.Second, nil); err == nil {
		t.Error("an animation without pictures was written")
	}
}

func TestCalloutsAreNumberedAndKeptInside(t *testing.T) {
	s := ThermalCard(nice()["tight"], 300, 134)
	before := len(labels(s))
	s.Call([]Callout{{X: 20, Y: 20, Words: "the first"}, {X: 9999, Y: -50, Words: "the second"}, {X: 150, Y: 60}})
	added := labels(s)[before:]
	if len(added) != 3 || added[0].text != "1" || added[2].text != "3" {
		t.Fatalf("the marks are %v, want 1, 2, 3", added)
	}
	for _, l := range added {
		if l.x0 < 0 || l.y0 < 0 || l.x1 > s.W || l.y1 > s.H {
			t.Errorf("mark %s lies outside: %+v", l.text, l)
		}
	}
	if !strings.Contains(s.Desc, "1: the first") || !strings.Contains(s.Desc, "2: the second") {
		t.Errorf("the description is %q, want the marks' words in it", s.Desc)
	}
}
