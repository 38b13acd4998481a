package trace

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"headroom/sensors"
)

func encode(t *testing.T, s sensors.Sample) []byte {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestScenariosGiveTheSameSamplesOnEveryRun(t *testing.T) {
	for _, s := range Scenarios() {
		again, err := Scenario(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		for d := time.Duration(0); d < s.Length; d += 1700 * time.Millisecond {
			if a, b := encode(t, s.SampleAt(d)), encode(t, again.SampleAt(d)); !bytes.Equal(a, b) {
				t.Fatalf("%s at %s differs between two runs", s.Name, d)
			}
		}
	}
}

func TestScenarioStartsOverWhileTimeGoesOn(t *testing.T) {
	for _, s := range Scenarios() {
		first, second := s.SampleAt(7*time.Second), s.SampleAt(s.Length+7*time.Second)
		if got := second.Time.Sub(first.Time); got != s.Length {
			t.Errorf("%s: a round takes %s of the samples' time, want %s", s.Name, got, s.Length)
		}
		if a, b := first.Memory.Available.Value, second.Memory.Available.Value; a != b {
			t.Errorf("%s: available memory is %v in the first round and %v in the second", s.Name, a, b)
		}
	}
}

func TestUnknownScenarioNamesTheKnownOnes(t *testing.T) {
	_, err := Scenario("no-such")
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("thin-laptop")) {
		t.Errorf("error %v does not say which scenarios there are", err)
	}
}
