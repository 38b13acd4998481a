//go:build cgo || !darwin

package window

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"headroom/sensors"
	"headroom/sensors/budget"
)

// fakeRecorder stands for the disk.
type fakeRecorder struct {
	samples  int
	settings int
	marks    []string
	running  bool
	lost     func(error)
	full     error
}

func (r *fakeRecorder) Add(sensors.Sample)                  { r.samples++ }
func (r *fakeRecorder) Settings(time.Time, budget.Settings) { r.settings++ }
func (r *fakeRecorder) Mark(_ time.Time, text string)       { r.marks = append(r.marks, text) }
func (r *fakeRecorder) Start(_ budget.Settings, lost func(error)) (string, error) {
	r.running, r.lost = r.full == nil, lost
	return "/tapes/headroom-1.jsonl", r.full
}

func (r *fakeRecorder) Stop() (int, int64, error) {
	r.running = false
	return 12, 4096, nil
}

func (r *fakeRecorder) Save(budget.Settings) (string, error) { return "/tapes/just-now.jsonl", r.full }

// told is the notice on show.
func (b *bench) told() string { return b.notices.top().text }

func TestRecordWritesUntilItIsStoppedAndShowsForHowLong(t *testing.T) {
	rec := &fakeRecorder{}
	b := newBench(t, Options{Recorder: rec}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	if b.header.record.label != "Record" {
		t.Errorf("the key says %q", b.header.record.label)
	}
	begin := time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC)
	b.record.now = func() time.Time { return begin }
	b.press('o')
	if !rec.running || !strings.Contains(b.told(), "headroom-1.jsonl") {
		t.Errorf("recording is %v, the notice says %q", rec.running, b.told())
	}
	b.record.now = func() time.Time { return begin.Add(12 * time.Second) }
	b.sample(hot)
	if k := b.header.record; k.label != "0:12" || k.detail != "stop" {
		t.Errorf("after 12 s the key says %q, %q", k.label, k.detail)
	}
	if rec.samples != 2 {
		t.Errorf("%d samples came to the recorder, want both", rec.samples)
	}
	b.press('a') // changes no setting
	before := rec.settings
	b.press('k')
	b.closeOverlays()
	b.setPin(&b.set.Pins.ThermalC, sensors.Num(3))
	b.settle()
	if rec.settings != before+1 {
		t.Errorf("%d changes of settings were recorded, want 1", rec.settings-before)
	}
	b.header.record.Tapped(nil)
	b.settle()
	if rec.running || b.header.record.label != "Record" || !strings.Contains(b.told(), "12 samples") {
		t.Errorf("stopped: recording is %v, the key says %q, the notice %q", rec.running, b.header.record.label, b.told())
	}
	b.press('j')
	if !strings.Contains(b.told(), "just-now.jsonl") {
		t.Errorf("the last minutes: the notice says %q", b.told())
	}
}

func TestAFullDiskIsToldOnceAndTheWindowGoesOn(t *testing.T) {
	rec := &fakeRecorder{}
	b := newBench(t, Options{Recorder: rec}, defaults())
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.press('o')
	rec.lost(errors.New("no space left on device"))
	if b.record.running() || !strings.Contains(b.told(), "no space left") || !b.notices.top().fault {
		t.Errorf("the notice says %q, recording is %v", b.told(), b.record.running())
	}
	if n := len(b.notices.notices); n != 1 {
		t.Errorf("%d notices, want one", n)
	}
	b.sample(hot)
	if !strings.HasPrefix(b.scene("verdict").Title, "Runs at q8") {
		t.Error("the window does not go on")
	}
	rec.full = errors.New("no space left on device")
	b.press('o')
	if b.record.running() || !strings.Contains(b.told(), "Nothing is recorded") {
		t.Errorf("a recording that cannot begin: the notice says %q", b.told())
	}
	if off := b.record.off(); off != "" {
		t.Errorf("Record cannot be tried again: %s", off)
	}
}

func TestMarksStandOnTheTimelineAndInTheRecording(t *testing.T) {
	rec := &fakeRecorder{}
	b := newBench(t, Options{Recorder: rec}, defaults())
	b.press('b')
	if !strings.Contains(b.told(), "nothing to mark") {
		t.Errorf("before the first sample the notice says %q", b.told())
	}
	cool, hot := coolAndHot(t)
	b.sample(cool)
	b.press('b')
	for _, r := range "fan off" {
		b.canvas().Focused().TypedRune(r)
	}
	b.canvas().Focused().TypedKey(keyEvent("Return"))
	b.settle()
	b.press('b')
	b.canvas().Focused().TypedKey(keyEvent("Return"))
	b.settle()
	if strings.Join(rec.marks, "|") != "fan off|" {
		t.Errorf("recorded marks %q", rec.marks)
	}
	b.sample(hot)
	tips := 0
	for _, h := range b.scene("timeline").Hotspots {
		if strings.Contains(h.Tip, "marked") {
			tips++
		}
	}
	if tips != 2 || !strings.Contains(b.said(), "fan off") {
		t.Errorf("the timeline has %d marks", tips)
	}
}

func TestARecordingThatIsShownIsNotRecordedAgain(t *testing.T) {
	b := newBench(t, Options{Origin: "recording r.jsonl"}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	for _, r := range "ojb" {
		b.press(r)
	}
	if b.header.record.Visible() || b.record.running() {
		t.Errorf("Record is offered: %v", b.header.record.Visible())
	}
	if got := b.told(); got != "B does nothing now: what is shown is a recording" {
		t.Errorf("the notice says %q", got)
	}
	for _, a := range b.actions {
		if a.group == "On stage" && a.off() == "" {
			t.Errorf("%q can be chosen", a.name)
		}
	}
}

func keyEvent(name fyne.KeyName) *fyne.KeyEvent { return &fyne.KeyEvent{Name: name} }

func TestNoKeyStandsForTwoActions(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	names := map[string]string{}
	for _, a := range b.actions {
		if was, ok := names[a.key]; ok && a.key != "" {
			t.Errorf("%s stands for %q and for %q", a.key, was, a.name)
		}
		names[a.key] = a.name
	}
}
