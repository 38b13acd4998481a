//go:build cgo || !darwin

package window

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/ui/frame"
)

func TestDroppedFilesAreOpenedBesideTheWindow(t *testing.T) {
	model := llama()
	model.Name = "dropped model"
	o := Options{OpenModel: func(path string) (Offer, error) {
		switch filepath.Base(path) {
		case "good.gguf":
			return fileOf(model), nil
		case "panics.gguf":
			panic("index out of range")
		case "empty.gguf":
			return Offer{}, nil
		}
		return Offer{}, errors.New("read " + path + ": not a model")
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

// fileOf is a model file in a format of its own.
func fileOf(m workload.Model) Offer {
	return Offer{Offer: frame.Offer{Model: m, Format: "Q5_K_M", Weights: m.Params * 11 / 16, Exact: true}}
}

func TestADroppedFileIsARowOfItsOwnAndIsOneAgainInTheNextRun(t *testing.T) {
	dropped := llama()
	dropped.Name = "dropped model"
	o := Options{Models: manyModels(), OpenModel: func(path string) (Offer, error) {
		if filepath.Base(path) != "mine.gguf" {
			return Offer{}, errors.New("read " + path + ": it has gone")
		}
		return fileOf(dropped), nil
	}}
	check := func(b *bench) {
		t.Helper()
		cool, _ := coolAndHot(t)
		b.sample(cool)
		b.turnTo(PageModels)
		b.settle()
		i := slices.IndexFunc(b.models.seen, func(r modelRow) bool { return filepath.Base(r.Path) == "mine.gguf" })
		if i != 0 {
			t.Fatalf("the dropped file is row %d of %d", i, len(b.models.seen))
		}
		if r := b.models.seen[0]; r.Format != "Q5_K_M" || !r.Exact || !b.models.chosen(&r) {
			t.Errorf("the row is %s, exact %v, chosen %v", r.Format, r.Exact, b.models.chosen(&r))
		}
		if d := b.models.detail.shown; d.name != "dropped model" || !strings.Contains(d.where, "Opened from:") {
			t.Errorf("the detail shows %q: %q", d.name, d.where)
		}
		n := 0
		for _, r := range b.models.seen {
			if r.Path != "" {
				n++
			}
		}
		if n != 1 {
			t.Errorf("it is listed %d times", n)
		}
	}
	b := newBench(t, o, defaults())
	uri := fileURI(t, "mine.gguf")
	b.dropped(fyne.Position{}, []fyne.URI{uri})
	b.dropped(fyne.Position{}, []fyne.URI{uri})
	check(b)

	state := b.state
	state.Recent = append(slices.Clone(state.Recent), "/gone/other.gguf")
	next := newBench(t, o, state)
	next.openModel(next.openLater.Path)
	next.findHere()
	check(next)
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

func TestAChooserOpensWithNothingTyped(t *testing.T) {
	b := newBench(t, Options{Models: []workload.Model{llama()}}, defaults())
	b.press('m')
	e := b.canvas().Focused().(*pickEntry)
	e.SetText("no such model")
	b.pressKey(fyne.KeyEscape)
	b.press('c')
	e = b.canvas().Focused().(*pickEntry)
	if all := len(e.p.now); e.Text != "" || all < 5 {
		t.Errorf("the next chooser opens with %q typed, and %d lines", e.Text, all)
	}
	e.Undo()
	if e.Text != "" {
		t.Errorf("undo brings back %q, which was typed into another chooser", e.Text)
	}
}
