//go:build cgo || !darwin

package window

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"headroom/policy/workload"
	"headroom/ui/draw"
)

func TestFramesChangeWhatIsShown(t *testing.T) {
	frames := filepath.Join(t.TempDir(), "frames.jsonl")
	b := newBench(t, Options{FramesFile: frames}, defaults())
	if !strings.Contains(b.said(), "Reading the sensors") {
		t.Errorf("before the first sample the page says %q", b.said())
	}
	cool, hot := coolAndHot(t)
	b.sample(cool)
	before := capture(b.win)
	if got := b.scene("verdict").Title; !strings.HasPrefix(got, "Runs at f16 on the GPU") {
		t.Errorf("cool: the verdict says %q", got)
	}
	b.sample(hot)
	after := capture(b.win)
	if got := b.scene("verdict").Title; !strings.HasPrefix(got, "Runs at q8 on the GPU") {
		t.Errorf("hot: the verdict says %q", got)
	}
	if !strings.Contains(b.said(), "tight") {
		t.Error("hot: nothing is marked as tight")
	}
	if share := differing(before, after); share < 0.02 {
		t.Errorf("the picture changed in %.1f %% of its pixels only", share*100)
	}
	if got := planPrecisions(t, frames); strings.Join(got, " ") != "f16 q8" {
		t.Errorf("the frames file holds %v, want f16 and q8", got)
	}
}

func planPrecisions(t *testing.T, path string) []string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range bytes.Lines(raw) {
		var s struct {
			Schema string
			Plan   struct{ Precision string }
		}
		if err := json.Unmarshal(line, &s); err != nil || s.Schema != "headroom.snapshot/1" {
			t.Fatalf("line %q: %v", line, err)
		}
		got = append(got, s.Plan.Precision)
	}
	return got
}

func TestNothingIsMadeAnewWithEachFrame(t *testing.T) {
	b := newBench(t, Options{Models: []workload.Model{llama()}}, defaults())
	s := script(t, "thin-laptop")
	for _, page := range pageNames {
		b.turnTo(page)
		for d := time.Duration(0); d < 5*time.Second; d += time.Second {
			b.sample(s.SampleAt(d))
		}
		capture(b.win)
		before := objects(b.win.Canvas())
		images := map[*image.RGBA]bool{}
		for d := 5 * time.Second; d < 65*time.Second; d += time.Second {
			b.sample(s.SampleAt(d))
			for _, f := range b.figures {
				images[f.img] = true
			}
		}
		after := objects(b.win.Canvas())
		for o := range after {
			if !before[o] {
				t.Errorf("page %s: an object of type %T was made while frames came", page, o)
			}
		}
		if len(after) != len(before) {
			t.Errorf("page %s: %d objects became %d", page, len(before), len(after))
		}
		if most := 2*len(b.figures) + 1; len(images) > most {
			t.Errorf("page %s: %d images for %d figures", page, len(images), len(b.figures))
		}
	}
}

func TestNothingIsDrawnWhileNothingChanges(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	if _, painted := b.settle(); painted != 0 {
		t.Errorf("%d figures were painted at rest", painted)
	}
	if _, painted := b.sample(cool); painted != 0 {
		t.Errorf("the same sample again painted %d figures", painted)
	}
	b.hidden = true
	b.sendAsk()
	b.settle()
	_, hot := coolAndHot(t)
	if _, painted := b.sample(hot); painted != 0 {
		t.Errorf("an iconified window painted %d figures", painted)
	}
	b.hidden = false
	b.sendAsk()
	if _, painted := b.settle(); painted == 0 {
		t.Error("nothing was painted when the window came back")
	}
}

func TestAWindowThatIsSlowGetsTheLatestFrame(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	s := script(t, "thin-laptop")
	b.eng.emit(s.SampleAt(0))
	first, ok := b.eng.turn()
	if !ok {
		t.Fatal("nothing to show")
	}
	for d := time.Second; d <= 20*time.Second; d += time.Second {
		b.eng.emit(s.SampleAt(d))
		if _, ok := b.eng.turn(); ok {
			t.Fatal("a second result was made before the first was taken")
		}
	}
	b.apply(first)
	b.settle()
	if want := s.SampleAt(20 * time.Second).Time; !b.last.frame.Sample.Time.Equal(want) {
		t.Errorf("shown is the frame of %v, want the latest, %v", b.last.frame.Sample.Time, want)
	}
	if n := len(b.eng.history.Points()); n < 20 {
		t.Errorf("the history holds %d points, want every sample", n)
	}
}

func TestAChangeOfDecisionCanBeLookedAtAgain(t *testing.T) {
	frames := filepath.Join(t.TempDir(), "frames.jsonl")
	b := newBench(t, Options{FramesFile: frames}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.sample(hot)
	later := cool
	later.Time = hot.Time.Add(time.Minute)
	b.sample(later)
	b.act(draw.Hotspot{Action: draw.ShowChange, Index: 0})
	b.settle()
	if !b.last.frame.Sample.Time.Equal(hot.Time) || !strings.HasPrefix(b.scene("verdict").Title, "Runs at q8") {
		t.Errorf("looking at %v, verdict %q", b.last.frame.Sample.Time, b.scene("verdict").Title)
	}
	if !strings.HasPrefix(b.header.state.label, "looking at ") {
		t.Errorf("the header says %q", b.header.state.label)
	}
	b.press(']')
	if !strings.HasPrefix(b.scene("verdict").Title, "Runs at f16") {
		t.Errorf("next change: %q", b.scene("verdict").Title)
	}
	b.pressKey(fyne.KeyEscape)
	if b.last.moment >= 0 {
		t.Error("Esc does not return to now")
	}
	if got := planPrecisions(t, frames); len(got) != 3 {
		t.Errorf("looking back wrote frames: %v", got)
	}
}

func TestARecordedHostIsNotCalledLive(t *testing.T) {
	b := newBench(t, Options{Host: "laptop.json"}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	if label, tip, _ := b.feedState(); label != "laptop.json · 1 s" || !strings.Contains(tip, "not this machine") {
		t.Errorf("the header says %q, its tip %q", label, tip)
	}
	if got := b.title(); got != "Headroom: laptop.json" {
		t.Errorf("the title is %q", got)
	}
}

func TestAFeedThatFailsIsToldInPlaceAndCanBeTriedAgain(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.eng.do(func() { b.eng.feedErr, b.eng.ended, b.eng.dirty = errors.New("read /proc/stat: gone"), true, true })
	b.settle()
	top := b.notices.top()
	if !b.notices.root.Visible() || !strings.Contains(top.text, "gone") || b.header.state.label != "stopped" {
		t.Errorf("notice %+v, header %q", top, b.header.state.label)
	}
	top.do()
	select {
	case <-b.again:
	default:
		t.Error("“Try again” does not start the feed again")
	}
}

func TestAFramesFileThatCannotBeWrittenIsToldOnce(t *testing.T) {
	b := newBench(t, Options{FramesFile: filepath.Join(t.TempDir(), "missing", "frames.jsonl")}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	if !strings.Contains(b.notices.top().text, "frames.jsonl") {
		t.Fatalf("notice %q", b.notices.top().text)
	}
	b.notices.dismiss()
	b.sample(hot)
	if b.notices.root.Visible() {
		t.Errorf("told again: %q", b.notices.top().text)
	}
}

func TestThemesFollowTheSystemOrTheUser(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.setTheme(themeDark)
	b.settle()
	dark := capture(b.win)
	b.setTheme(themeLight)
	b.settle()
	light := capture(b.win)
	if share := differing(dark, light); share < 0.5 {
		t.Errorf("dark and light differ in %.0f %% of the pixels only", share*100)
	}
	if b.state.Theme != themeLight {
		t.Error("the theme is not remembered")
	}
}

func llama() workload.Model { return *workload.Default().Model }
