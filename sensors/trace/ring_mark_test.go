package trace

import (
	"path/filepath"
	"testing"
	"time"
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
