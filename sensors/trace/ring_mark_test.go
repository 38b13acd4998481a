package trace

import (
	"path/filepath"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

func TestRingKeepsMarksWithTheirSamples(t *testing.T) {
	ring := NewRing()
	samples := samplesOf(t, "apu", 20, time.Second)
	if err := ring.Mark(samples[0].Time, "before all"); err != nil {
		t.Fatal(err)
	}
	for i, s := range samples {
		if err := ring.Add(s); err != nil {
			t.Fatal(err)
		}
		if i == 9 {
			if err := ring.Mark(s.Time, "fan\noff"); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "just-now.jsonl")
	if err := ring.Save(path, Header{By: "test"}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	marks := r.Marks()
	if len(marks) != 1 || marks[0].Text != "fan off" || !marks[0].Time.Equal(samples[9].Time) {
		t.Errorf("the marks are %v, want \"fan off\" at %v", marks, samples[9].Time)
	}
	if r.Len() != len(samples) || len(r.Problems()) != 0 {
		t.Errorf("%d samples with %v, want %d without problems", r.Len(), r.Problems(), len(samples))
	}
}

// What is saved replays under the settings that were in force, also those of changes that have left the ring.
func TestRingKeepsTheSettingsInForce(t *testing.T) {
	script, err := Scenario("apu")
	if err != nil {
		t.Fatal(err)
	}
	under := func(watts float64) budget.Settings {
		return budget.Settings{Workload: workload.Bare(3_000_000_000), Pins: budget.Pins{PowerMW: sensors.Num(watts * 1000)}}
	}
	ring, now := NewRing(), 0.0
	changes := map[int][]float64{0: {1}, 100: {2, 3}, 700: {4}, 1199: {5}, 1200: {6}}
	var want []float64
	for i := range 1200 {
		at := script.Start.Add(time.Duration(i) * time.Second)
		for _, watts := range changes[i] {
			now = watts
			if err := ring.Settings(at, under(watts)); err != nil {
				t.Fatal(err)
			}
		}
		if err := ring.Add(script.SampleAt(time.Duration(i) * time.Second)); err != nil {
			t.Fatal(err)
		}
		want = append(want, now)
	}
	if err := ring.Settings(script.Start, under(7)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "just-now.jsonl")
	if err := ring.Save(path, Header{By: "test", Settings: under(7)}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n := r.Len(); n < 600 || n > 700 {
		t.Fatalf("%d seconds were kept", n)
	}
	want = want[len(want)-r.Len():]
	for i := range want {
		set, err := r.SettingsAt(i)
		if got := set.Pins.PowerMW.Or(0) / 1000; err != nil || got != want[i] {
			t.Fatalf("sample %d of %d is under the settings %v, want %v (%v)", i, r.Len(), got, want[i], err)
		}
	}
}
