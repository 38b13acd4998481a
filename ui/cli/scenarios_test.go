package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// Each scenario is there to show a change of decision: these are the ones that its story promises.
func TestEachScenarioShowsItsChange(t *testing.T) {
	want := map[string][]string{
		"apu":                {"f16 gpu mmap_direct", "q8 gpu mmap_direct", "f16 gpu mmap_direct"},
		"battery-down":       {"f16 gpu mmap_direct", "q8 gpu mmap_direct", "f16 gpu mmap_direct"},
		"gpu-comes-and-goes": {"q8 cpu mmap_direct", "f16 gpu staging_upload", "q8 cpu mmap_direct"},
		"mac-unified":        {"f16 gpu mmap_direct", "q8 gpu mmap_direct", "f16 gpu mmap_direct"},
		"server-gpu":         {"q8 gpu staging_upload", "q4 gpu staging_upload", "q8 gpu staging_upload"},
		"thin-laptop": {
			"f16 gpu mmap_direct", "q8 gpu mmap_direct", "f16 gpu mmap_direct", "q8 gpu mmap_direct", "f16 gpu mmap_direct",
		},
		"vram-squeeze": {"q8 gpu staging_upload", "q4 gpu staging_upload", "q8 gpu staging_upload"},
	}
	for _, s := range trace.Scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			set, err := s.Settings(findModel)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			history := frame.NewHistory()
			for d := time.Duration(0); d < s.Length; d += time.Second {
				f := frame.New(s.SampleAt(d), set)
				history.Add(f)
				p := f.Plan
				decision := strings.Join([]string{p.Precision.String(), p.Backend.String(), p.ZeroCopy.String()}, " ")
				if n := len(got); n == 0 || got[n-1] != decision {
					got = append(got, decision)
				}
			}
			if !slices.Equal(got, want[s.Name]) {
				t.Errorf("decisions are %q, want %q", got, want[s.Name])
			}
			// Every card of the Live page has its number.
			for _, p := range history.Points() {
				if !p.TemperatureC.Known() || !p.DrawMW.Known() && s.Name != "mac-unified" || !p.MemoryBudget.Known() || !p.CPUMHz.Known() || !p.Throttling.Known() {
					t.Fatalf("at %s a number is missing: %+v", p.At.Sub(s.Start), p)
				}
			}
		})
	}
}

func TestScenariosAreListedOneNameALine(t *testing.T) {
	status, out, _ := run(t, "scenarios")
	var want strings.Builder
	for _, s := range trace.Scenarios() {
		want.WriteString(s.Name + "\n")
	}
	if status != exitOK || out != want.String() {
		t.Errorf("status %d, printed %q, want %q", status, out, want.String())
	}
}

func TestSnapshotOfAScenarioIsTheSameEveryTimeAndTakesFlags(t *testing.T) {
	args := []string{"snapshot", "--json", "--scenario", "thin-laptop", "--at", "80s"}
	_, first, _ := run(t, args...)
	if _, second, _ := run(t, args...); first != second {
		t.Error("two snapshots of one moment differ")
	}
	for _, c := range []struct {
		more      []string
		precision string
		context   float64
	}{
		{nil, "q8", 8192},
		{[]string{"--pin", "thermal=20"}, "f16", 8192},
		{[]string{"--context", "131072"}, "q4", 131072},
	} {
		status, out, complaint := run(t, append(args, c.more...)...)
		var got frame.Snapshot
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("status %d: %v, %s", status, err, complaint)
		}
		if got.Plan.Precision != c.precision || got.Workload.Context == nil || float64(*got.Workload.Context) != c.context {
			t.Errorf("with %q: %s at %v tokens, want %s at %v", c.more, got.Plan.Precision, *got.Workload.Context, c.precision, c.context)
		}
	}
}

func TestScenarioTakesNoOtherMachineBeside(t *testing.T) {
	for _, args := range [][]string{
		{"snapshot", "--scenario", "no-such"},
		{"snapshot", "--scenario", "apu", "--sysroot", "."},
		{"watch", "--scenario", "apu", "--speed", "0"},
		{"watch", "--scenario", "apu", "--at", "-3s"},
	} {
		status, out, complaint := run(t, args...)
		if status != exitUsage || out != "" || strings.Count(complaint, "\n") != 1 {
			t.Errorf("%q: status %d, printed %q, complained %q", args, status, out, complaint)
		}
	}
}
