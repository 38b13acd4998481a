//go:build cgo || !darwin

package window

import (
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

func rowsOf(t *testing.T, name string, at time.Duration) (frame.Frame, []sensorRow) {
	t.Helper()
	f := frame.New(script(t, name).SampleAt(at), newSettings())
	return f, sensorRows(f)
}

func TestTheDrivingReadingsAreMarkedAndExplained(t *testing.T) {
	for _, s := range trace.Scenarios() {
		f, rows := rowsOf(t, s.Name, 10*time.Second)
		driving := map[string]bool{}
		for _, r := range rows {
			if r.Drives != "" && !strings.HasPrefix(r.ID, "input/") {
				driving[r.ID] = true
				if r.Why == "" {
					t.Errorf("%s: %s decides %s, and nothing says why", s.Name, r.Name, r.Drives)
				}
			}
		}
		if id := f.Budget.Thermal.ReadingID; id != "" && !driving[id] {
			t.Errorf("%s: the sensor %s that drives the headroom is not marked", s.Name, id)
		}
		if f.Budget.InUse >= 0 && !driving["gpu/"+f.Budget.GPUs[f.Budget.InUse].ID] {
			t.Errorf("%s: the GPU in use is not marked", s.Name)
		}
	}
}

func TestEveryFamilySaysSomethingAndUnknownIsNeverZero(t *testing.T) {
	for _, s := range trace.Scenarios() {
		_, rows := rowsOf(t, s.Name, 10*time.Second)
		for _, r := range rows {
			if r.Heading && r.Value == "" && r.Name != "Inputs of the decision" && r.Name != "Memory" && r.Name != "Machine and Headroom itself" {
				t.Errorf("%s: the family %s says nothing", s.Name, r.Name)
			}
			if !r.Heading && r.Value == "" {
				t.Errorf("%s: %s has an empty value", s.Name, r.Name)
			}
		}
	}
	empty := frame.New(sensors.Sample{Time: time.Now()}, newSettings())
	for _, r := range sensorRows(empty) {
		if strings.HasPrefix(r.Value, "0") && !strings.HasPrefix(r.ID, "input/") {
			t.Errorf("a machine without sensors shows %s = %s", r.Name, r.Value)
		}
	}
}

func TestStaleAndFailedReadingsShowTheirAgeAndState(t *testing.T) {
	s := script(t, "thin-laptop").SampleAt(0)
	s.Temperatures = append([]sensors.Temperature(nil), s.Temperatures...)
	s.Temperatures[0].Value.State = sensors.StateStale
	s.Temperatures[0].Value.At = s.Time.Add(-90 * time.Second)
	s.SourceFailures = []sensors.Reading{sensors.Missing("source/battery", "battery", sensors.Count, sensors.StateError, "battery", "panic: index out of range")}
	rows := sensorRows(frame.New(s, newSettings()))
	var stale, failed bool
	for _, r := range rows {
		line := sensorLine(r)
		if r.ID == s.Temperatures[0].Value.ID {
			stale = line.cells[2].text == "stale" && line.cells[3].text == "90 s"
		}
		if r.ID == "source/battery" {
			failed = strings.Contains(line.cells[2].text, "error") && strings.Contains(r.Detail, "index out of range")
		}
	}
	if !stale || !failed {
		t.Errorf("stale shown %v, failed shown %v", stale, failed)
	}
}

func TestADriverThatWasLeftOutIsToldBesideTheAdaptersOfOthers(t *testing.T) {
	s := script(t, "apu").SampleAt(0)
	s.AdaptersState = sensors.Missing("webgpu/adapters", "WebGPU adapters", sensors.Count, sensors.StateError, "WebGPU", "Vulkan driver bad.json is left out: it crashed")
	for _, r := range sensorRows(frame.New(s, newSettings())) {
		if r.Name == "WebGPU adapters" {
			if line := sensorLine(r); r.Value != "1 listed" || !strings.Contains(line.cells[2].text, "error") || !strings.Contains(r.Detail, "bad.json") {
				t.Errorf("shows %s, %s, %q", r.Value, line.cells[2].text, r.Detail)
			}
			return
		}
	}
	t.Error("nothing tells of the driver")
}

func TestAnEmptyBatteryBayShowsNoPack(t *testing.T) {
	bay := sensors.Battery{ID: "power_supply/BAT1", Status: sensors.StatusUnknown}
	bay.Rate = sensors.Missing(bay.ID+"/rate", "battery", sensors.Milliwatt, sensors.StateNotOffered, "present", "the bay is empty")
	for _, r := range sensorRows(frame.New(sensors.Sample{Time: time.Now(), Batteries: []sensors.Battery{bay}}, newSettings())) {
		if r.ID == bay.Rate.ID {
			if r.Value != "none" || !strings.Contains(r.Name, "not present") {
				t.Errorf("an empty bay shows %s = %s, want none", r.Name, r.Value)
			}
			return
		}
	}
	t.Error("an empty bay has no row")
}

func TestContextIsCutToTheModels(t *testing.T) {
	m := llama()
	m.MaxContext = 4096
	if got := capContext(131_072, m); got != 4096 {
		t.Errorf("context %d, want the model's own", got)
	}
	if w := m.At(workload.Options{Context: capContext(131_072, m)}); w.Context != 4096 {
		t.Errorf("sized at %d", w.Context)
	}
}
