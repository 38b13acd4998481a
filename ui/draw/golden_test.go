package draw

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the pictures of testdata anew")

// kept are the pictures that are compared: each figure in the states that it was designed for.
var kept = map[string][]string{
	"verdict":  {"roomy", "tight", "nofit", "assumed", "unknown", "pinned", "waiting"},
	"thermal":  {"tight", "assumed", "waiting"},
	"power":    {"roomy", "none"},
	"memory":   {"roomy", "nofit", "unknown"},
	"clocks":   {"tight", "none"},
	"ladder":   {"roomy", "tight", "nofit", "unknown"},
	"map":      {"tight", "nofit", "unknown"},
	"powermap": {"roomy", "tight"},
	"tiles":    {"roomy", "nofit", "unknown"},
	"fusion":   {"tight"},
	"timeline": {"roomy", "nofit"},
}

func TestPictures(t *testing.T) {
	states := nice()
	places := map[string]Slot{"powermap": {W: 420, H: 240}}
	for _, s := range LiveLayout(1280, 756) {
		places[s.Figure] = s
	}
	for figure, names := range kept {
		for _, state := range names {
			at := places[figure]
			s := Figures[figure](states[state], at.W, at.H)
			for _, th := range []Theme{Dark, Light} {
				compare(t, figure+"-"+state+"-"+th.Name, s, th)
			}
		}
	}
	compare(t, "live-tight-dark", Live(states["tight"], 1280, 800), Dark)
	compare(t, "live-nofit-light", Live(states["nofit"], 1280, 800), Light)
	compare(t, "live-assumed-900x600-dark", Live(states["assumed"], 900, 600), Dark)
}

// compare holds a picture to the one that is kept. Processors may differ in the last bit of a coverage, so a few pixels may
// differ a little.
func compare(t *testing.T, name string, s Scene, th Theme) {
	t.Helper()
	got := s.Image(th, 1)
	path := filepath.Join("testdata", name+".png")
	if *update {
		// Coarser colours keep the files small; the comparison allows for them.
		for i := range got.Pix {
			got.Pix[i] = got.Pix[i]&^15 | 8
		}
		for i := 3; i < len(got.Pix); i += 4 {
			got.Pix[i] = 255
		}
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Errorf("%v; run the test with -update, and look at the picture", err)
		return
	}
	defer f.Close()
	decoded, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	want := image.NewRGBA(decoded.Bounds())
	draw.Draw(want, want.Bounds(), decoded, image.Point{}, draw.Src)
	if want.Bounds() != got.Bounds() {
		t.Errorf("%s: the picture is %v, want %v", name, got.Bounds(), want.Bounds())
		return
	}
	differ := 0
	for i := range got.Pix {
		if d := int(got.Pix[i]) - int(want.Pix[i]); d > 16 || d < -16 {
			differ++
		}
	}
	if most := len(got.Pix) / 5000; differ > most {
		t.Errorf("%s: %d of %d values differ, want %d at most; where the change is meant, run with -update and look", name, differ, len(got.Pix), most)
	}
}
