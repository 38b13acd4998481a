//go:build cgo && !nogui

package window

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"headroom/policy/workload"
	"headroom/sensors"
)

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
