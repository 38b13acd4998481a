//go:build cgo && !nogui

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

func TestModelsAreSortedFilteredAndSearched(t *testing.T) {
	f := frame.New(script(t, "thin-laptop").SampleAt(0), newSettings())
	models := manyModels()
	here := []Offer{{Offer: frame.Offer{Model: llama(), Format: "Q4_K_M", Weights: 4 << 30}, Path: "/models/llama.gguf"}}
	rows := modelRows(f, here, models, frame.Rates{})
	if len(rows) != len(models)+1 || rows[0].Path == "" || !rows[0].Chosen {
		t.Fatalf("%d rows, first %+v", len(rows), rows[0])
	}
	by := arrange(rows, "", false, byParams, true)
	if by[0].Model.Params != 100e9 {
		t.Errorf("the largest comes first as %d", by[0].Model.Params)
	}
	if up := arrange(rows, "", false, byNeed, false); up[0].Total > up[1].Total {
		t.Error("the smallest need does not come first")
	}
	fitting := arrange(rows, "", true, byName, false)
	if len(fitting) == 0 || len(fitting) == len(rows) {
		t.Errorf("%d of %d fit", len(fitting), len(rows))
	}
	for _, r := range fitting {
		if !r.Fit.Runs() {
			t.Errorf("%s does not run and is listed", r.Model.Name)
		}
	}
	if got := arrange(rows, "model 42", false, byName, false); len(got) != 1 || got[0].Model.Name != "Model 42" {
		t.Errorf("the search gives %d rows", len(got))
	}
	for order := byName; order <= byFit; order++ {
		if len(arrange(rows, "", false, order, false)) != len(rows) {
			t.Errorf("order %d loses rows", order)
		}
	}
}

func TestModelLinesSayTheFitInWordsBesideTheColour(t *testing.T) {
	f := frame.New(script(t, "thin-laptop").SampleAt(0), newSettings())
	for _, r := range modelRows(f, nil, manyModels(), frame.Rates{}) {
		line := modelLine(r)
		if line.cells[byFit].text == "" || !line.cells[byPlan].chip || line.cells[byPlan].chipFits != r.Plan.Fits {
			t.Errorf("%s: %+v", r.Model.Name, line)
		}
		if !r.Fit.Runs() && !strings.Contains(line.cells[byFit].text, "▲") {
			t.Errorf("%s does not fit, without a mark", r.Model.Name)
		}
	}
}

func TestAModelIsChosenWithAClick(t *testing.T) {
	b := newBench(t, Options{Models: manyModels()}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.press('2')
	b.models.search.SetText("model 07")
	b.models.table.list.Select(0)
	b.settle()
	if got := b.last.frame.Settings.Workload.Name; got != "Model 07" {
		t.Errorf("the workload is %q", got)
	}
	if b.state.Model.ID != "model-07" {
		t.Errorf("remembered %+v", b.state.Model)
	}
	b.models.sort(int(byFit))
	b.models.toggleFitting()
	if len(b.models.seen) != 1 || !b.models.seen[0].Chosen {
		t.Errorf("left: %+v", b.models.seen)
	}
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
