//go:build cgo && !nogui

package cli

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
)

func TestTheWindowsRecorderWritesWhatItIsFedFromStartToStop(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	script, err := trace.Scenario("thin-laptop")
	if err != nil {
		t.Fatal(err)
	}
	r := newRecorder(filepath.Join(t.TempDir(), "new", "folder"), "scenario thin-laptop")
	defer r.Close()
	if _, err := r.Save(budget.Settings{}); err == nil {
		t.Error("the last minutes were saved before there were any")
	}
	feed := func(from, to int) {
		for i := from; i < to; i++ {
			r.Add(script.SampleAt(time.Duration(i) * time.Second))
		}
	}
	pinned := func(watts float64) budget.Settings {
		return budget.Settings{Pins: budget.Pins{PowerMW: sensors.Num(watts * 1000)}}
	}
	r.Settings(script.Start, pinned(1))
	feed(0, 5)
	r.Mark(script.SampleAt(4*time.Second).Time, "before")
	path, err := r.Start(pinned(1), func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Start(budget.Settings{}, nil); err == nil {
		t.Error("a second recording began while the first was running")
	}
	feed(5, 7)
	r.Settings(script.SampleAt(6*time.Second).Time, pinned(2))
	feed(7, 12)
	r.Mark(script.SampleAt(11*time.Second).Time, "fan off")
	samples, size, err := r.Stop()
	if err != nil || samples != 7 || size == 0 {
		t.Errorf("stopped with %d samples in %d bytes, %v; want 7", samples, size, err)
	}
	if _, _, err := r.Stop(); err == nil {
		t.Error("nothing was recorded and it was stopped")
	}
	feed(12, 15)
	recent, err := r.Save(pinned(2))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]struct {
		samples int
		marks   string
	}{path: {7, "fan off"}, recent: {15, "before, fan off"}} {
		rec, err := trace.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		var marks []string
		for _, m := range rec.Marks() {
			marks = append(marks, m.Text)
		}
		if got := strings.Join(marks, ", "); rec.Len() != want.samples || got != want.marks {
			t.Errorf("%s: %d samples, marks %q; want %d and %q", filepath.Base(file), rec.Len(), got, want.samples, want.marks)
		}
		for i := range rec.Len() {
			s, _, err := rec.At(i)
			if err != nil {
				t.Fatal(err)
			}
			watts := 1.0
			if s.Time.Sub(script.Start) > 6*time.Second {
				watts = 2
			}
			if set, err := rec.SettingsAt(i); err != nil || set.Pins != pinned(watts).Pins {
				t.Errorf("%s: sample %d is under %v, want %v W pinned (%v)", filepath.Base(file), i, set.Pins, watts, err)
			}
		}
		if got := rec.Header().Origin; got != "scenario thin-laptop" {
			t.Errorf("%s is of %q", filepath.Base(file), got)
		}
		rec.Close()
	}
}

func TestAFullDiskEndsTheRecordingWithOneErrorAndTheNextOneCanBegin(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	script, err := trace.Scenario("apu")
	if err != nil {
		t.Fatal(err)
	}
	r := newRecorder(t.TempDir(), "")
	defer r.Close()
	var told []error
	if _, err := r.Start(budget.Settings{}, func(err error) { told = append(told, err) }); err != nil {
		t.Fatal(err)
	}
	// The file's place is taken by a disk with room for the header and little more.
	err = r.wait(func() {
		r.writer.Close()
		w, err := trace.NewWriter(&smallDisk{room: 600}, trace.Header{})
		if err != nil {
			t.Error(err)
		}
		r.writer = w
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		r.Add(script.SampleAt(time.Duration(i) * time.Second))
	}
	if _, err := r.Save(budget.Settings{}); err != nil { // also waits for what was added
		t.Errorf("after the disk was full: %v", err)
	}
	if len(told) != 1 || !errors.Is(told[0], syscall.ENOSPC) {
		t.Errorf("told %v, want one error that says that no space is left", told)
	}
	if _, err := r.Start(budget.Settings{}, nil); err != nil {
		t.Errorf("no new recording can begin: %v", err)
	}
}

// smallDisk is full after so many bytes.
type smallDisk struct{ room int }

func (d *smallDisk) Write(b []byte) (int, error) {
	if d.room -= len(b); d.room < 0 {
		return 0, syscall.ENOSPC
	}
	return len(b), nil
}
