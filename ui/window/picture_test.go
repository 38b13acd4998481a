//go:build cgo || !darwin

package window

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"io"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// hotMoment is a scenario's moment with a minute that led up to it.
func hotMoment(t *testing.T) draw.Context {
	c := draw.Context{History: frame.NewHistory(), Origin: "scenario thin-laptop"}
	for i := range 60 {
		c.Frame = frame.New(script(t, "thin-laptop").SampleAt(80*time.Second+time.Duration(i-59)*time.Second), newSettings())
		c.History.Add(c.Frame)
	}
	return c
}

func picture(t *testing.T, c draw.Context, page string, w, h float64, th draw.Theme) draw.Scene {
	t.Helper()
	t.Cleanup(func() { test.NewApp() })
	s, err := Picture(t.Context(), c, Options{Feed: noFeed{}, Models: manyModels()}, page, w, h, th)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A picture of the window is what Fyne paints of it, but for the shadows of scrolled edges and the last pixel of type.
func TestPictureLooksLikeTheWindow(t *testing.T) {
	c := hotMoment(t)
	for _, page := range []string{PageLive, PageModels, PageSensors} {
		for _, th := range []draw.Theme{draw.Dark, draw.Light} {
			s := picture(t, c, page, 1280, 800, th)
			state := defaults()
			state.Theme, state.Page = th.Name, page
			b := newBench(t, Options{Models: manyModels(), Origin: c.Origin}, state)
			b.win.Canvas().(software.WindowlessCanvas).SetScale(1)
			b.win.Resize(fyne.NewSize(1280, 800))
			b.eng.do(func() { b.eng.look(c) })
			b.settle()
			if page == PageSensors {
				b.sensors.find(c.Frame.Budget.Thermal.ReadingID)
			}
			b.canvas().Unfocus()
			// Two painters set type a little apart: what is compared is where there is how much of it.
			if share := differing(blurred(s.Image(th, 1)), blurred(capture(b.win))); share > 0.012 {
				t.Errorf("%s, %s: %.2f %% of the pixels differ clearly", page, th.Name, share*100)
			}
		}
	}
}

func blurred(img image.Image) image.Image { return halved(halved(halved(img))) }

func TestPictureIsTheSameEachTime(t *testing.T) {
	c := hotMoment(t)
	for _, page := range []string{PageLive, PageModels, PageSensors} {
		first := picture(t, c, page, 1280, 800, draw.Dark)
		picture(t, c, page, 900, 600, draw.Light)
		if again := picture(t, c, page, 1280, 800, draw.Dark); !first.Equal(again) {
			t.Errorf("%s: the second picture of one moment differs from the first", page)
		}
	}
}

// What is listed beyond the table's edge stays within it, in SVG too; words stay real text.
func TestPictureKeepsTablesWithin(t *testing.T) {
	s := picture(t, hotMoment(t), PageModels, 900, 600, draw.Dark)
	var doc bytes.Buffer
	if err := s.SVG(&doc, draw.Dark); err != nil {
		t.Fatal(err)
	}
	depth, clipped, rows := 0, 0, 0
	for d := xml.NewDecoder(&doc); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "g" {
				depth++
				clipped++
			}
		case xml.EndElement:
			if e.Name.Local == "g" {
				depth--
			}
		case xml.CharData:
			if strings.HasPrefix(string(e), "Model ") {
				rows++
				if depth == 0 && string(e) != "Model 00" { // the one that stands in detail
					t.Errorf("the row %q can be seen beyond the table", e)
				}
			}
		}
	}
	if clipped == 0 || rows < 5 {
		t.Errorf("the picture holds %d rows in %d clips", rows, clipped)
	}
}

// The words beside a picture are those on it, uncut and in order, with the figures' own.
func TestPictureSaysWhatItShows(t *testing.T) {
	c := hotMoment(t)
	for page, want := range map[string][]string{
		PageLive:    {"Runs at", "Precision ladder"},
		PageModels:  {"Model 00", "Needed"},
		PageSensors: {"Thermal headroom", "Temperatures"},
	} {
		s := picture(t, c, page, 1280, 800, draw.Dark)
		for _, w := range want {
			if !strings.Contains(s.Desc, w) {
				t.Errorf("%s: the description lacks %q:\n%s", page, w, s.Desc)
			}
		}
		if !strings.Contains(s.Title, "scenario thin-laptop") {
			t.Errorf("%s: the title %q hides that a scenario is shown", page, s.Title)
		}
	}
}

func TestPictureRefusesLessThanTheWindow(t *testing.T) {
	_, err := Picture(t.Context(), hotMoment(t), Options{}, PageLive, 899, 600, draw.Dark)
	if err == nil || !strings.Contains(err.Error(), "900 × 600") {
		t.Errorf("the error is %v, want the least size", err)
	}
}
