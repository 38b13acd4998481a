//go:build cgo && !nogui

package window

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/trace"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// noFeed gives no Samples: the tests hand them to the engine themselves.
type noFeed struct{}

func (noFeed) Run(ctx context.Context, _ func(sensors.Sample)) error {
	<-ctx.Done()
	return ctx.Err()
}

// bench is a window on Fyne's test driver, whose engine takes its turns when it is told.
type bench struct {
	*view
	t *testing.T
}

func newBench(t *testing.T, o Options, state remembered) *bench {
	t.Helper()
	app := test.NewApp()
	t.Cleanup(app.Quit)
	if o.Feed == nil {
		o.Feed = noFeed{}
	}
	b := &bench{newView(t.Context(), app, o, state), t}
	b.beside = func(work func()) { work() }
	b.settle()
	return b
}

// settle lets the engine take turns until there is nothing more to show, and returns how often something was shown and
// how many figures were painted.
func (b *bench) settle() (times, painted int) {
	for range 100 {
		s, ok := b.eng.turn()
		if !ok {
			return times, painted
		}
		times++
		painted += len(s.figures)
		b.apply(s)
	}
	b.t.Fatal("the engine never comes to rest")
	return 0, 0
}

func (b *bench) sample(s sensors.Sample) (times, painted int) {
	b.eng.emit(s)
	return b.settle()
}

func (b *bench) press(r rune) {
	b.typedRune(r)
	b.settle()
}

func (b *bench) pressKey(k fyne.KeyName) {
	b.typedKey(&fyne.KeyEvent{Name: k})
	b.settle()
}

// said is all that the live page's figures say, in words.
func (b *bench) said() string {
	var text []string
	for _, pl := range b.live.places {
		text = append(text, pl.f.scene.Title, pl.f.scene.Desc)
		for _, it := range pl.f.scene.Items {
			text = append(text, it.Text)
		}
	}
	return strings.Join(text, "\n")
}

func (b *bench) scene(name string) draw.Scene {
	for _, pl := range b.live.places {
		if pl.slot.figure == name {
			return pl.f.scene
		}
	}
	b.t.Fatalf("no figure %q is on show", name)
	return draw.Scene{}
}

// script is a built-in scenario; its Samples are the same at every run.
func script(t *testing.T, name string) *trace.Script {
	t.Helper()
	s, err := trace.Scenario(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// cool and hot are moments of one laptop at which f16, and q8 for the heat, are taken.
func coolAndHot(t *testing.T) (cool, hot sensors.Sample) {
	s := script(t, "thin-laptop")
	set := newSettings()
	for d := time.Duration(0); d < s.Length; d += time.Second {
		sample := s.SampleAt(d)
		p := frame.New(sample, set).Plan
		switch {
		case cool.Time.IsZero() && p.Precision == policy.F16:
			cool = sample
		case hot.Time.IsZero() && p.TightHeat && p.Precision == policy.Q8:
			hot = sample
		}
	}
	if cool.Time.IsZero() || hot.Time.IsZero() {
		t.Fatal("the scenario thin-laptop lacks a cool or a hot moment")
	}
	return cool, hot
}

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

func TestPinsDecideAtOnceAndAreReleasedByOneKey(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('h')
	entry := b.whatIf.pins[0].entry
	if b.canvas().Focused() != entry || !b.state.WhatIf {
		t.Fatal("H does not lead into the thermal headroom's entry")
	}
	entry.SetText("3 °C")
	entry.OnSubmitted(entry.Text)
	b.settle()
	if p := b.last.frame.Plan; !p.TightHeat || p.Precision != policy.Q8 {
		t.Errorf("with 3 °C pinned the plan is %v, tight %v", p.Precision, p.Tight)
	}
	if !strings.Contains(b.said(), "pinned") {
		t.Error("the figures do not say that the input is pinned")
	}
	if b.header.whatIf.detail != "1 held" || b.whatIf.pins[0].state.text != "pinned" {
		t.Errorf("header says %q, panel %q", b.header.whatIf.detail, b.whatIf.pins[0].state.text)
	}
	if b.state.Pins.ThermalC.Or(0) != 3 {
		t.Error("the pin is not remembered")
	}
	b.press('u')
	if b.set.Pins.Any() || b.last.frame.Plan.TightHeat || strings.Contains(b.said(), "pinned") {
		t.Error("U does not release the pin")
	}
}

func TestASliderPinsAndFollowsItsSensorOtherwise(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.press('p')
	cool, hot := coolAndHot(t)
	b.sample(cool)
	row := b.whatIf.pins[1]
	if b.set.Pins.Any() {
		t.Fatal("showing a value on the slider pinned it")
	}
	row.slider.SetValue(12)
	b.settle()
	if got := b.set.Pins.PowerMW.Or(0); got != 12_000 {
		t.Errorf("the slider at 12 W pinned %v mW", got)
	}
	if !b.last.frame.Plan.TightPower {
		t.Error("12 W is under 15 W, and is not tight")
	}
	b.sample(hot)
	if row.slider.Value != 12 {
		t.Errorf("the slider of a held input moved to %v", row.slider.Value)
	}
}

func TestWrongTypedValuesAreToldInPlace(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('v')
	for _, text := range []string{"", "lots", "-1 GiB", "NaN", "1e400", "9999999 EiB"} {
		b.whatIf.pins[2].fault.set("")
		b.whatIf.pins[2].typed(text)
		if b.whatIf.pins[2].fault.text == "" || b.set.Pins.Any() {
			t.Errorf("%q: fault %q, pins %+v", text, b.whatIf.pins[2].fault.text, b.set.Pins)
		}
	}
	if len(b.canvas().Overlays().List()) != 0 {
		t.Error("a wrong value opened a dialog")
	}
}

func TestAComparisonKeepsOneFrameBesideWhatFollows(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.press('x')
	b.sample(hot)
	var kept, now draw.Scene
	for _, pl := range b.live.places {
		if pl.slot.figure == "verdict" {
			if pl.slot.kept {
				kept = pl.f.scene
			} else {
				now = pl.f.scene
			}
		}
	}
	if !strings.HasPrefix(kept.Title, "Runs at f16") || !strings.HasPrefix(now.Title, "Runs at q8") {
		t.Errorf("side by side: %q and %q", kept.Title, now.Title)
	}
	if got := b.live.compare.diff.text; !strings.Contains(got, "f16 → q8") {
		t.Errorf("what differs: %q", got)
	}
	b.press('x')
	if b.live.compare.root.Visible() || !strings.HasPrefix(b.scene("verdict").Title, "Runs at q8") {
		t.Error("the comparison does not end")
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

func TestTheSettledAnswerWaitsAndTheRawOneStaysInView(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.press('s')
	b.setHold("10")
	cool, hot := coolAndHot(t)
	at := func(s sensors.Sample, seconds int) {
		s.Time = cool.Time.Add(time.Duration(seconds) * time.Second)
		b.sample(s)
	}
	at(cool, 0)
	at(cool, 20)
	at(hot, 21)
	if b.settled.chip.of != policy.F16 || !strings.Contains(b.settled.text.text, "raw answer, q8") {
		t.Errorf("settled %v, beside it %q", b.settled.chip.of, b.settled.text.text)
	}
	if !strings.HasPrefix(b.scene("verdict").Title, "Runs at q8") {
		t.Error("the raw answer is not shown at once")
	}
	at(hot, 32)
	if b.settled.chip.of != policy.Q8 || !strings.Contains(b.settled.text.text, "the same") {
		t.Errorf("after 11 s: settled %v, %q", b.settled.chip.of, b.settled.text.text)
	}
}

func TestHoldingThePictureKeepsItWhileSamplesCome(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.press(' ')
	b.sample(hot)
	if !strings.HasPrefix(b.scene("verdict").Title, "Runs at f16") || b.header.state.label != "held" {
		t.Errorf("held: %q, %q", b.scene("verdict").Title, b.header.state.label)
	}
	b.press(' ')
	if !strings.HasPrefix(b.scene("verdict").Title, "Runs at q8") {
		t.Errorf("let go: %q", b.scene("verdict").Title)
	}
}

func TestEveryKeyIsOnTheSheetAndInTheMenuOnce(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	seen := map[string]string{}
	for _, a := range b.actions {
		if a.key == "" || a.name == "" || a.group == "" {
			t.Errorf("%+v lacks a key, a name or a group", a)
		}
		if other, twice := seen[a.key]; twice {
			t.Errorf("%s stands for %q and %q", a.key, other, a.name)
		}
		seen[a.key] = a.name
	}
	b.press('?')
	var sheet []string
	for o := range objects(b.canvas()) {
		if w, ok := o.(*words); ok {
			sheet = append(sheet, w.text)
		}
	}
	text := strings.Join(sheet, "\n")
	for _, a := range b.actions {
		if !strings.Contains(text, a.name) {
			t.Errorf("the sheet lacks %q", a.name)
		}
	}
	b.pressKey(fyne.KeyEscape)
	if len(b.canvas().Overlays().List()) != 0 {
		t.Error("Esc does not close the sheet")
	}
}

func TestKeysTurnPagesAndWorkWhereverTheFocusIs(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	for r, page := range map[rune]string{'2': pageModels, '3': pageSensors, '1': pageLive} {
		b.press(r)
		if b.state.Page != page {
			t.Errorf("%c shows %s, want %s", r, b.state.Page, page)
		}
	}
	b.press('1')
	b.canvas().FocusNext()
	for range 40 {
		f := b.canvas().Focused()
		if f == nil {
			t.Fatal("Tab leaves the window")
		}
		if _, typing := f.(*fieldEntry); !typing {
			b.turnTo(pageLive)
			b.canvas().Focus(f)
			f.TypedRune('3')
			if b.state.Page != pageSensors {
				t.Fatalf("3 does nothing while the focus is on %T", f)
			}
			b.turnTo(pageLive)
			b.canvas().Focus(f)
		}
		b.canvas().FocusNext()
	}
}

func TestAFocusedFigureIsWalkedWithArrows(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	f := b.live.byName["thermal"]
	b.canvas().Focus(f)
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if f.spot < 0 || len(b.tips.lines) == 0 {
		t.Fatal("the arrow shows no explanation")
	}
	for range f.scene.Hotspots {
		if f.scene.Hotspots[f.spot].Action == draw.ShowReading {
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			break
		}
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	}
	b.settle()
	if b.state.Page != pageSensors || b.sensors.chosen != b.last.frame.Budget.Thermal.ReadingID {
		t.Errorf("Enter leads to page %s, reading %q; want the driving sensor %q", b.state.Page, b.sensors.chosen, b.last.frame.Budget.Thermal.ReadingID)
	}
}

func TestThePointerShowsTipsAndFollowsHotspots(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	f := b.live.byName["thermal"]
	f.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(40, 40)}})
	if len(b.tips.lines) == 0 {
		t.Error("no tip under the pointer")
	}
	f.MouseOut()
	if len(b.tips.lines) != 0 {
		t.Error("the tip stays when the pointer leaves")
	}
	f.Tapped(&fyne.PointEvent{Position: fyne.NewPos(40, 40)})
	b.settle()
	if b.state.Page != pageSensors {
		t.Error("a click on the thermal card does not lead to its reading")
	}
}

func TestAFigureCanBeEnlarged(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.canvas().Focus(b.live.byName["map"])
	b.press('z')
	if len(b.live.places) != 1 || b.live.places[0].slot.figure != "map" || b.live.places[0].slot.w < 1000 {
		t.Errorf("enlarged: %+v", b.live.places)
	}
	b.pressKey(fyne.KeyEscape)
	b.pressKey(fyne.KeyEscape)
	if len(b.live.places) < 8 {
		t.Error("Esc does not bring the page back")
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

func TestDroppedFilesAreOpenedBesideTheWindow(t *testing.T) {
	model := llama()
	model.Name = "dropped model"
	o := Options{OpenModel: func(path string) (workload.Workload, error) {
		switch filepath.Base(path) {
		case "good.gguf":
			return model.At(workload.Options{}), nil
		case "panics.gguf":
			panic("index out of range")
		case "empty.gguf":
			return workload.Workload{}, nil
		}
		return workload.Workload{}, errors.New("read " + path + ": not a model")
	}}
	b := newBench(t, o, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	for _, name := range []string{"bad.txt", "panics.gguf", "empty.gguf"} {
		b.dropped(fyne.Position{}, []fyne.URI{fileURI(t, name)})
		b.settle()
		if !strings.Contains(b.notices.top().text, name) {
			t.Errorf("%s: notice %q", name, b.notices.top().text)
		}
	}
	b.dropped(fyne.Position{}, []fyne.URI{fileURI(t, "good.gguf")})
	b.settle()
	if b.last.frame.Settings.Workload.Name != "dropped model" || b.notices.root.Visible() {
		t.Errorf("workload %q, notice %q", b.last.frame.Settings.Workload.Name, b.notices.top().text)
	}
	if !strings.HasSuffix(b.state.Model.Path, "good.gguf") {
		t.Errorf("remembered is %+v", b.state.Model)
	}
}

func TestWhatIsRememberedGivesWayToWhatIsAskedFor(t *testing.T) {
	state := defaults()
	state.Model = modelChoice{Params: 70e9}
	state.Pins.PowerMW = sensors.Num(9000)
	state.IntervalMS = 250
	if b := newBench(t, Options{}, state); b.set.Workload.Params != 70e9 || b.set.Pins.PowerMW.Or(0) != 9000 || b.interval() != 250*time.Millisecond {
		t.Errorf("nothing asked for: %+v, %v", b.set.Pins, b.set.Workload.Params)
	}
	o := Options{Interval: 2 * time.Second}
	o.Settings.Workload = workload.Bare(8e9)
	o.Settings.Pins.ThermalC = sensors.Num(3)
	if b := newBench(t, o, state); b.set.Workload.Params != 8e9 || b.set.Pins.PowerMW.Known() || b.interval() != 2*time.Second {
		t.Errorf("asked for: %+v, %v", b.set.Pins, b.set.Workload.Params)
	}
	b := newBench(t, Options{Origin: "scenario thin-laptop"}, state)
	if b.set.Pins.Any() || b.set.Workload.Params == 70e9 {
		t.Error("what is played takes what is remembered of this machine")
	}
	b.press('p')
	b.setPin(&b.set.Pins.ThermalC, sensors.Num(1))
	if b.state.Pins.ThermalC.Known() {
		t.Error("a pin on what is played is remembered for this machine")
	}
	if b.header.state.label != "scenario thin-laptop" {
		t.Errorf("the header says %q", b.header.state.label)
	}
}

func TestTheChooserTakesModelsCountsAndContexts(t *testing.T) {
	other := llama()
	other.ID, other.Name = "other", "Other 8B"
	b := newBench(t, Options{Models: []workload.Model{llama(), other}}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	enter := func(open rune, text string) {
		b.press(open)
		e, ok := b.canvas().Focused().(*pickEntry)
		if !ok {
			t.Fatalf("%c opens no chooser", open)
		}
		e.SetText(text)
		e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		b.settle()
	}
	enter('m', "other")
	if b.last.frame.Settings.Workload.Name != "Other 8B" || b.state.Model.ID != "other" {
		t.Errorf("chosen %q", b.last.frame.Settings.Workload.Name)
	}
	enter('c', "32k")
	if got := b.last.frame.Settings.Workload.Context; got != 32768 {
		t.Errorf("context %d", got)
	}
	enter('k', "q8_0")
	if got := b.last.frame.Settings.Workload; got.KVType != workload.KVQ80 || got.Context != 32768 {
		t.Errorf("KV %s at %d", got.KVType, got.Context)
	}
	enter('m', "70B")
	if got := b.last.frame.Settings.Workload; !got.Bare || got.Params != 70e9 {
		t.Errorf("70B gives %+v", got)
	}
	enter('m', "no such model")
	if got := b.last.frame.Settings.Workload; got.Params != 70e9 {
		t.Errorf("a name that is not there changed the workload to %q", got.Name)
	}
	b.pressKey(fyne.KeyEscape)
	b.press('c')
	if len(b.canvas().Overlays().List()) != 0 {
		t.Error("a bare count has no context, and is asked for one")
	}
}

func TestTheCommandMenuDoesWhatItSays(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.commandMenu()
	e := b.canvas().Focused().(*pickEntry)
	e.SetText("sensors pages")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	if b.state.Page != pageSensors || len(b.canvas().Overlays().List()) != 0 {
		t.Errorf("page %s, overlays %d", b.state.Page, len(b.canvas().Overlays().List()))
	}
}

func TestADeviceAndALimitAreChosenOnTheSensorsPage(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('3')
	driving := b.last.frame.Budget.Thermal.ReadingID
	b.sensors.find(driving)
	d := b.sensors.detail
	if d.row.ID != driving || !strings.Contains(d.drives.text, "thermal headroom") {
		t.Fatalf("chosen %q, says %q", d.row.ID, d.drives.text)
	}
	was, _ := b.last.frame.Budget.Thermal.Limit.Get()
	d.typed("60")
	b.settle()
	if got, _ := b.last.frame.Budget.Thermal.Limit.Get(); got != 60 || was == 60 {
		t.Errorf("the limit is %v after it was held at 60 °C (before: %v)", got, was)
	}
	if !d.row.Pinned || d.hold.label != "Release" {
		t.Errorf("the row does not say that it is held: %+v", d.row)
	}
	d.toggle()
	b.settle()
	if got, _ := b.last.frame.Budget.Thermal.Limit.Get(); got != was {
		t.Errorf("released, the limit is %v, want %v", got, was)
	}
	for _, r := range b.sensors.rows {
		if r.Pin == pinDevice {
			b.sensors.find(r.ID)
			d.useIt()
			b.settle()
			if b.last.frame.Settings.Device != r.Device {
				t.Errorf("device %q, want %q", b.last.frame.Settings.Device, r.Device)
			}
		}
	}
}

func TestSearchLeavesWhatItFindsOnTheSensorsPage(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('3')
	b.press('/')
	if b.canvas().Focused() != b.sensors.search {
		t.Fatal("/ does not lead into the search")
	}
	b.sensors.search.SetText("coretemp")
	if n := len(b.sensors.table.rows); n < 2 || n > 5 {
		t.Errorf("%d lines hold coretemp", n)
	}
	b.sensors.search.SetText("no such thing")
	if len(b.sensors.table.rows) != 0 || b.sensors.empty.text == "" {
		t.Error("an empty search is not told")
	}
}

func TestFiguresAreSavedUnderNewNames(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_PICTURES_DIR", "")
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.save("ladder", false, "png")
	b.settle()
	if !strings.Contains(b.notices.top().text, "nothing was read yet") {
		t.Errorf("before the first sample: %q", b.notices.top().text)
	}
	b.sample(cool)
	for range 2 {
		b.save("ladder", false, "png")
		b.save(pagePicture, false, "svg")
		b.settle()
	}
	pngs, _ := filepath.Glob(filepath.Join(home, "headroom-ladder-*.png"))
	svgs, _ := filepath.Glob(filepath.Join(home, "headroom-page-*.svg"))
	if len(pngs) != 2 || len(svgs) != 2 {
		t.Fatalf("saved %v and %v", pngs, svgs)
	}
	f, err := os.Open(pngs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if img, _, err := image.Decode(bufio.NewReader(f)); err != nil || img.Bounds().Dx() < 400 {
		t.Errorf("the picture: %v", err)
	}
	b.copySVG("map", false)
	b.settle()
	if got := b.app.Clipboard().Content(); !strings.Contains(got, "<svg") {
		t.Errorf("the clipboard holds %.40q", got)
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

func TestARunningWorkloadCanBeCountedAsFree(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	held := sensors.Reading{ID: "process/4242/gpu", Kind: "memory", Value: sensors.Num(4 << 30), Unit: sensors.Bytes, State: sensors.StateOK, Source: "fdinfo"}
	cool.Workloads = []sensors.Process{{PID: 4242, Name: "llama-server", Model: "/models/llama.gguf", RAM: held, GPU: held}}
	b.sample(cool)
	b.press('3')
	b.sensors.find("process/4242")
	b.sensors.detail.useIt()
	b.settle()
	if b.last.frame.Settings.CreditPID != 4242 || b.last.frame.Budget.Memory.Credit == 0 {
		t.Errorf("credit %d bytes for process %d", b.last.frame.Budget.Memory.Credit, b.last.frame.Settings.CreditPID)
	}
	b.press('u')
	if b.last.frame.Settings.CreditPID != 0 {
		t.Error("U does not take the credit away")
	}
}
