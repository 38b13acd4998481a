package cli

import (
	"math"
	"testing"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/gpu/prove"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// TestKeptProofsGiveTheVerdictTheSpeedThatProveShows runs a result through its file: what prove prints and what the verdict
// says are one figure.
func TestKeptProofsGiveTheVerdictTheSpeedThatProveShows(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir, err := prove.Dir()
	if err != nil {
		t.Fatal(err)
	}
	script, err := trace.Scenario("thin-laptop")
	if err != nil {
		t.Fatal(err)
	}
	s := script.SampleAt(0)
	set := budget.Settings{Workload: workload.Default()}
	f := frame.New(s, set)
	if f.Budget.InUse < 0 {
		t.Fatal("the laptop uses no GPU")
	}
	a, ok := adapterOf(f.Budget.GPUs[f.Budget.InUse], s)
	if !ok {
		t.Fatal("the GPU in use has no adapter")
	}

	var kept keptRates
	if got := kept.of(s); len(got.GPUs) != 0 {
		t.Errorf("nothing was proven, and there is %v", got)
	}
	precision := map[string]float64{"f32": 2e10, "f16": 4e10, "q8": 7e10, "q4": 1e11}
	figures := map[string]float64{}
	for name, rate := range precision {
		figures[name+"_weights_per_s"], figures[name+"_spread_percent"] = rate, 3
	}
	r := prove.Result{Adapter: a.Name, Driver: a.Driver, Backend: a.Backend, Proofs: []prove.Proof{
		{Name: prove.Precision, Verified: true, Figures: figures},
		{Name: prove.Bandwidth, Verified: true, Figures: map[string]float64{"copy_gb_per_s": 60, "dispatch_us": 12, "pass_us": 50}},
		{Name: prove.ZeroCopy, Verified: false, Figures: map[string]float64{"ring_gb_per_s": 9}},
	}}
	if err := prove.Save(dir, r, nil); err != nil {
		t.Fatal(err)
	}
	set.Measured.GPUs = provenRates(s)
	f = frame.New(s, set)
	speed, want := f.Speed(), prove.TokensPerSecond(r, set.Workload)[f.Plan.Precision]
	if math.Abs(speed.Low.Or(0)-want.Low) > 1e-9 || math.Abs(speed.High.Or(0)-want.High) > 1e-9 {
		t.Errorf("the verdict says %v to %v, prove %+v", speed.Low, speed.High, want)
	}
	if rates := f.Rates(); rates.GPU != sensors.Num(60e9) || rates.Upload.Known() {
		t.Errorf("the rates are %+v, and the upload was not verified", rates)
	}

	// Another driver is another file.
	other := s
	other.Adapters = append([]sensors.Adapter(nil), s.Adapters...)
	for i := range other.Adapters {
		other.Adapters[i].Driver += " newer"
	}
	if got := provenRates(other); len(got) != 0 {
		t.Errorf("a newer driver has %v", got)
	}
}
