package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func svgOf(t *testing.T, s Scene, th Theme) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.SVG(&b, th); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read parses an SVG and gives its texts by element.
func read(t *testing.T, doc []byte) map[string][]string {
	t.Helper()
	texts := map[string][]string{}
	d := xml.NewDecoder(bytes.NewReader(doc))
	var open []string
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			open = append(open, e.Name.Local)
			if e.Name.Local != "title" && e.Name.Local != "desc" && e.Name.Local != "text" {
				continue
			}
			texts[e.Name.Local] = append(texts[e.Name.Local], "")
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if n := len(open); n > 0 && len(texts[open[n-1]]) > 0 {
				list := texts[open[n-1]]
				list[len(list)-1] += string(e)
			}
		}
	}
}

func TestSVGHasRealTextTitleAndDescription(t *testing.T) {
	for _, state := range []string{"long names", "nofit", "waiting"} {
		for name, figure := range Figures {
			s := figure(hostile()[state], 640, 300)
			texts := read(t, svgOf(t, s, Dark))
			if len(texts["title"]) != 1 || strings.TrimSpace(texts["title"][0]) == "" {
				t.Errorf("%s, %s: no title", state, name)
			}
			if len(texts["desc"]) != 1 || strings.TrimSpace(texts["desc"][0]) == "" {
				t.Errorf("%s, %s: no description", state, name)
			}
			if got, want := len(texts["text"]), len(labels(s)); got != want {
				t.Errorf("%s, %s: %d texts, want %d", state, name, got, want)
			}
		}
	}
}

func TestSVGEmbedsItsFont(t *testing.T) {
	doc := string(svgOf(t, Live(nice()["tight"], 1280, 800), Light))
	if n := strings.Count(doc, "@font-face"); n != 2 {
		t.Errorf("%d fonts are embedded, want both weights", n)
	}
	for _, outside := range []string{"http://", "https://", "href"} {
		rest := strings.ReplaceAll(doc, "http://www.w3.org/2000/svg", "")
		if strings.Contains(rest, outside) {
			t.Errorf("the picture points outside: %q", outside)
		}
	}
}

func TestTransparentPicturesHaveNoGround(t *testing.T) {
	s := ThermalCard(nice()["tight"], 300, 130)
	if a := s.Image(Dark.Clear(), 1).RGBAAt(0, 0).A; a != 0 {
		t.Errorf("the corner has an alpha of %d, want 0", a)
	}
	if a := s.Image(Dark, 1).RGBAAt(0, 0).A; a != 255 {
		t.Errorf("with a ground the corner has an alpha of %d, want 255", a)
	}
	if page := hex(Dark.Color(Page)); bytes.Contains(svgOf(t, Scene{W: 10, H: 10}, Dark.Clear()), []byte(page)) {
		t.Errorf("a transparent SVG paints the page %s", page)
	}
}

func TestSamePictureSameBytes(t *testing.T) {
	for _, state := range []string{"tight", "nofit"} {
		a, b := Live(nice()[state], 1280, 800), Live(nice()[state], 1280, 800)
		if !a.Equal(b) {
			t.Errorf("%s: two scenes of the same samples differ", state)
		}
		if !bytes.Equal(svgOf(t, a, Dark), svgOf(t, b, Dark)) {
			t.Errorf("%s: two SVGs differ", state)
		}
		var x, y bytes.Buffer
		if err := errors.Join(a.PNG(&x, Dark, 1.5), b.PNG(&y, Dark, 1.5)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(x.Bytes(), y.Bytes()) {
			t.Errorf("%s: two PNGs differ", state)
		}
	}
}

func TestSVGNumbersDoNotHangOnTheLastBit(t *testing.T) {
	// What one processor adds up to just below a half, another to just above it.
	for _, v := range []float64{0.125, 1.005, 2.675, 1234.565, -3.145} {
		for _, nudge := range []float64{-1e-12, 0, 1e-12} {
			var got, want svg
			got.num(v + nudge)
			want.num(v)
			if got.String() != want.String() {
				t.Errorf("%v and %v are written %s and %s", v+nudge, v, &got, &want)
			}
		}
	}
}
