package frame_test

import (
	"encoding/json"
	"strings"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// TestSpeedOfTheVerdict gives the verdict a speed where something was measured that bounds it, and else the reason why not.
func TestSpeedOfTheVerdict(t *testing.T) {
	s := apu.sample()
	plain := frame.New(s, llama)
	if !plain.Plan.Fits || plain.Plan.Backend != policy.GPU {
		t.Fatalf("the laptop runs it otherwise: %+v", plain.Plan)
	}
	if h := plain.Verdict().Headline(); strings.Contains(h, "tokens") {
		t.Errorf("nothing was measured, and the headline is %q", h)
	}
	if w := plain.SpeedWords(); w != "No tokens a second: the bandwidth of RAM was not measured." {
		t.Errorf("the reason is %q", w)
	}

	id := plain.Budget.GPUs[plain.Budget.InUse].ID
	proven := llama
	proven.Measured.GPUs = map[string]budget.GPURates{id: {Read: sensors.Num(60e9)}}
	p := plain.Plan.Precision
	products := proven
	rates := budget.GPURates{Read: sensors.Num(60e9)}
	rates.Weights[p] = sensors.Num(80e9)
	products.Measured.GPUs = map[string]budget.GPURates{id: rates}
	ram := llama
	ram.Measured.RAM = sensors.Num(40e9)
	other := llama
	other.Measured.GPUs = map[string]budget.GPURates{"pci/of another": rates}
	for name, c := range map[string]struct {
		set   budget.Settings
		basis string
	}{
		"bandwidth of the GPU": {proven, "the GPU's memory"},
		"products on the GPU":  {products, "measured on this GPU"},
		"RAM that both share":  {ram, "RAM, measured at 40.0 GB/s"},
		"another GPU":          {other, ""},
	} {
		f := frame.New(s, c.set)
		speed, headline := f.Speed(), f.Verdict().Headline()
		if f.Plan.Precision != p || f.Plan.Fits != plain.Plan.Fits {
			t.Errorf("%s: a speed changed the decision", name)
		}
		if c.basis == "" {
			if speed.Low.Known() || strings.Contains(headline, "tokens") {
				t.Errorf("%s: %+v, %q", name, speed, headline)
			}
			continue
		}
		if !strings.Contains(headline, "on the GPU · "+speed.Words()+" · ") || !strings.Contains(speed.Basis, c.basis) {
			t.Errorf("%s: %q rests on %q", name, headline, speed.Basis)
		}
		if speed.Low.Or(0) <= 0 || speed.High.Or(0) < speed.Low.Or(0) {
			t.Errorf("%s: from %v to %v", name, speed.Low, speed.High)
		}
		b, err := json.Marshal(f.Snapshot().Verdict)
		if err != nil || !strings.Contains(string(b), `"tokens_per_second":{"low":`) || strings.Contains(string(b), `"low":null`) {
			t.Errorf("%s: JSON has %s, %v", name, b, err)
		}
	}

	// What does not fit has no speed, whatever was measured.
	ram.Pins.VRAMBytes = sensors.Num(1 << 30)
	if f := frame.New(s, ram); f.Speed().Low.Known() || strings.Contains(f.Verdict().Headline(), "tokens") {
		t.Errorf("nothing fits, and it runs at %s", f.Speed().Words())
	}
	bare := budget.Settings{Workload: workload.Bare(1e9), Measured: budget.Measured{RAM: sensors.Num(40e9)}}
	if f := frame.New(s, bare); !f.Speed().Low.Known() {
		t.Errorf("a bare count has none: %s", f.SpeedWords())
	}
}
