package policy_test

import (
	"math"
	"testing"

	"headroom/policy"
)

// The three worked examples of the design: a laptop whose integrated GPU shares memory and is nearly too hot, a desktop
// whose card is too small, a machine without a GPU.
var (
	laptop = policy.Inputs{
		Params: 8_030_000_000,
		Budget: policy.PowerThermalBudget{VRAMBudgetBytes: bytesOf(20.44), PowerBudgetMW: 18_400, ThermalHeadroomC: 3.2},
		Host:   policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: bytesOf(20.44), CPUThreads: 16},

		HasAdapter: true, Adapter: policy.IntegratedGPU, LargestTensor: 128_256 * 4096, MaxBinding: 2 * gib,
	}
	desktop = policy.Inputs{
		Params: 70_600_000_000,
		Budget: policy.PowerThermalBudget{VRAMBudgetBytes: bytesOf(20.98), PowerBudgetMW: 222_000, ThermalHeadroomC: 45},
		Host:   policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: bytesOf(20.98), CPUThreads: 24},

		HasAdapter: true, Adapter: policy.DiscreteGPU, LargestTensor: 128_256 * 8192, MaxBinding: 128 << 20,
	}
	server = policy.Inputs{
		Params: 1_240_000_000,
		Budget: policy.PowerThermalBudget{VRAMBudgetBytes: bytesOf(2.69), PowerBudgetMW: 60_000, ThermalHeadroomC: 30},
		Host:   policy.HostCapabilities{CPUThreads: 2},
	}
)

func bytesOf(gibibytes float64) uint64 { return uint64(gibibytes * gib) }

func TestDecideTheWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		name      string
		in        policy.Inputs
		precision policy.Precision
		fits      bool
		backend   policy.ComputeBackend
		tiles     uint32
		binding   uint32
		zeroCopy  policy.ZeroCopyStrategy
		because   [policy.NumDecisions]policy.ReasonKind
	}{
		{
			"laptop", laptop, policy.Q8, true, policy.GPU, 1, 1, policy.MmapDirect,
			[...]policy.ReasonKind{policy.PrecisionHeldByHeat, policy.BackendGPUFits, policy.TilesOne, policy.ZeroCopyUnified, policy.FusionUnknown},
		},
		{
			"desktop", desktop, policy.Q4, false, policy.GPU, 2, 4, policy.StagingUpload,
			[...]policy.ReasonKind{policy.PrecisionNothingFits, policy.BackendGPUTiled, policy.TilesMany, policy.ZeroCopyDiscrete, policy.FusionUnknown},
		},
		{
			"server", server, policy.F16, true, policy.CPU, 1, 0, policy.MmapDirect,
			[...]policy.ReasonKind{policy.PrecisionFinerTooBig, policy.BackendCPU, policy.TilesNoGPU, policy.ZeroCopyNoAdapter, policy.FusionUnknown},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := policy.Decide(c.in)
			if p.Precision != c.precision || p.Fits != c.fits {
				t.Errorf("precision %v, fits %v; want %v, %v", p.Precision, p.Fits, c.precision, c.fits)
			}
			if p.Backend != c.backend || p.Tiles != c.tiles || p.BindingTiles != c.binding {
				t.Errorf("on %v in %d tiles, bound in %d; want %v, %d, %d", p.Backend, p.Tiles, p.BindingTiles, c.backend, c.tiles, c.binding)
			}
			if p.ZeroCopy != c.zeroCopy || p.RequiresHostCopy != c.zeroCopy.RequiresHostCopy() {
				t.Errorf("weights by %v, host copy %v; want %v", p.ZeroCopy, p.RequiresHostCopy, c.zeroCopy)
			}
			for d, r := range p.Reasons {
				if r.Decision != policy.Decision(d) || r.Kind != c.because[d] {
					t.Errorf("reason %d is %+v, want kind %d", d, r, c.because[d])
				}
			}
		})
	}
}

func TestDecideExplainsTheLaptop(t *testing.T) {
	p := policy.Decide(laptop)
	r := p.Reasons[policy.DecidePrecision]
	if r.Other != policy.F16 || r.Need != 16_060_000_000 || r.Threshold != 5 || math.Abs(r.Value-3.2) > 1e-6 {
		t.Errorf("held by heat: %+v, want f16 off at 3.2 of 5 °C", r)
	}
	if !p.Tight || !p.TightHeat || p.TightPower {
		t.Errorf("tight %v by heat %v, power %v", p.Tight, p.TightHeat, p.TightPower)
	}
	want := [4]policy.Rung{
		{Precision: policy.F32, Need: 32_120_000_000, Margin: 32_120_000_000 - bytesOf(20.44)},
		{Precision: policy.F16, Need: 16_060_000_000, Margin: bytesOf(20.44) - 16_060_000_000, Fits: true},
		{Precision: policy.Q8, Need: 8_030_000_000, Margin: bytesOf(20.44) - 8_030_000_000, Fits: true, Allowed: true, Taken: true},
		{Precision: policy.Q4, Need: 4_015_000_000, Margin: bytesOf(20.44) - 4_015_000_000, Fits: true, Allowed: true},
	}
	if p.Rungs != want {
		t.Errorf("rungs %+v, want %+v", p.Rungs, want)
	}
	if p.Job != 8_030_000_000 || p.TileBytes != p.Job {
		t.Errorf("job %d in tiles of %d, want 8.03e9 in one", p.Job, p.TileBytes)
	}
}

func TestDecideCutsTheDesktopsJob(t *testing.T) {
	p := policy.Decide(desktop)
	if p.Job != 35_300_000_000 || p.TileBytes != 17_650_000_000 {
		t.Errorf("job %d in tiles of %d, want 35.3e9 in two of 17.65e9", p.Job, p.TileBytes)
	}
	if r := p.Reasons[policy.DecideTiles]; r.Count != 2 || r.Need != p.Job || r.Have != desktop.Host.VRAMAvailable {
		t.Errorf("tiles because of %+v", r)
	}
}

func TestFlips(t *testing.T) {
	with := func(in policy.Inputs, change func(*policy.Inputs)) policy.Inputs {
		change(&in)
		return in
	}
	heat := func(c float32) func(*policy.Inputs) {
		return func(in *policy.Inputs) { in.Budget.ThermalHeadroomC = c }
	}
	hotAndWeak := func(in *policy.Inputs) { in.Budget.ThermalHeadroomC, in.Budget.PowerBudgetMW = 3, 9_000 }
	const f32, f16, q8, q4 = policy.F32, policy.F16, policy.Q8, policy.Q4
	memory := float64(bytesOf(20.44))
	for _, c := range []struct {
		name string
		in   policy.Inputs
		want []policy.Flip
	}{
		{"hot: cooling brings f16, memory alone only takes", laptop, []policy.Flip{
			{Input: policy.FlipMemory, At: 8.03e9, Delta: memory - 8.03e9, To: q4, ToFits: true},
			{Input: policy.FlipHeat, At: 5, Delta: 5 - float64(float32(3.2)), Up: true, To: f16, ToFits: true},
		}},
		{"cool: more memory brings f32, heat and power take f16", with(laptop, heat(7)), []policy.Flip{
			{Input: policy.FlipMemory, At: 32.12e9, Delta: 32.12e9 - memory, Up: true, To: f32, ToFits: true},
			{Input: policy.FlipMemory, At: 16.06e9, Delta: memory - 16.06e9, To: q8, ToFits: true},
			{Input: policy.FlipHeat, At: 5, Delta: 2, To: q8, ToFits: true},
			{Input: policy.FlipPower, At: 15_000, Delta: 3_400, To: q8, ToFits: true},
		}},
		{"exactly at 5 °C: the next step down flips", with(laptop, heat(5)), []policy.Flip{
			{Input: policy.FlipMemory, At: 32.12e9, Delta: 32.12e9 - memory, Up: true, To: f32, ToFits: true},
			{Input: policy.FlipMemory, At: 16.06e9, Delta: memory - 16.06e9, To: q8, ToFits: true},
			{Input: policy.FlipHeat, At: 5, Delta: 0, To: q8, ToFits: true},
			{Input: policy.FlipPower, At: 15_000, Delta: 3_400, To: q8, ToFits: true},
		}},
		{"hot and weak: neither alone brings f16", with(laptop, hotAndWeak), []policy.Flip{
			{Input: policy.FlipMemory, At: 8.03e9, Delta: memory - 8.03e9, To: q4, ToFits: true},
		}},
		{"weak: power brings f16", with(laptop, func(in *policy.Inputs) {
			in.Budget.ThermalHeadroomC, in.Budget.PowerBudgetMW = 30, 14_999
		}), []policy.Flip{
			{Input: policy.FlipMemory, At: 8.03e9, Delta: memory - 8.03e9, To: q4, ToFits: true},
			{Input: policy.FlipPower, At: 15_000, Delta: 1, Up: true, To: f16, ToFits: true},
		}},
		{"nothing fits: q4 needs memory, heat and power change nothing", desktop, []policy.Flip{
			{Input: policy.FlipMemory, At: 35.3e9, Delta: 35.3e9 - float64(bytesOf(20.98)), Up: true, To: q4, ToFits: true},
		}},
		{"q4 that just fits: a byte less and nothing does", with(desktop, func(in *policy.Inputs) {
			in.Budget.VRAMBudgetBytes = 35_300_000_000
		}), []policy.Flip{
			{Input: policy.FlipMemory, At: 70.6e9, Delta: 35.3e9, Up: true, To: q8, ToFits: true},
			{Input: policy.FlipMemory, At: 35.3e9, Delta: 0, To: q4, ToFits: false},
		}},
		{"a reading without order has no distance", with(server, heat(float32(math.NaN()))), []policy.Flip{
			{Input: policy.FlipMemory, At: 4.96e9, Delta: 4.96e9 - float64(bytesOf(2.69)), Up: true, To: f32, ToFits: true},
			{Input: policy.FlipMemory, At: 2.48e9, Delta: float64(bytesOf(2.69)) - 2.48e9, To: q8, ToFits: true},
			{Input: policy.FlipPower, At: 15_000, Delta: 45_000, To: q8, ToFits: true},
		}},
		{"nothing to run: only heat and power matter", with(server, func(in *policy.Inputs) { in.Params = 0 }), []policy.Flip{
			{Input: policy.FlipHeat, At: 5, Delta: 25, To: q8, ToFits: true},
			{Input: policy.FlipPower, At: 15_000, Delta: 45_000, To: q8, ToFits: true},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := policy.Decide(c.in)
			got := p.Flips[:p.NumFlips]
			if len(got) != len(c.want) {
				t.Fatalf("got %+v, want %+v", got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("flip %d is %+v, want %+v", i, got[i], c.want[i])
				}
			}
		})
	}
}

func TestHeldReasons(t *testing.T) {
	for _, c := range []struct {
		name             string
		c                float32
		mw               uint32
		kind             policy.ReasonKind
		value, threshold float64
	}{
		{"heat", 4, 60_000, policy.PrecisionHeldByHeat, 4, 5},
		{"power", 30, 14_999, policy.PrecisionHeldByPower, 14_999, 15_000},
		{"both", 4, 14_999, policy.PrecisionHeldByBoth, 4, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := server
			in.Budget.ThermalHeadroomC, in.Budget.PowerBudgetMW = c.c, c.mw
			p := policy.Decide(in)
			r := p.Reasons[policy.DecidePrecision]
			if p.Precision != policy.Q8 || r.Kind != c.kind || r.Other != policy.F16 || r.Value != c.value || r.Threshold != c.threshold {
				t.Errorf("%v because %+v", p.Precision, r)
			}
		})
	}
}

// Being tight is not the reason where even a roomy envelope would take nothing finer.
func TestTightIsNotTheReasonWhenMemoryIs(t *testing.T) {
	in := server
	in.Budget.ThermalHeadroomC, in.Budget.VRAMBudgetBytes = 2, 2_000_000_000
	p := policy.Decide(in)
	if r := p.Reasons[policy.DecidePrecision]; p.Precision != policy.Q8 || r.Kind != policy.PrecisionFinerTooBig || r.Other != policy.F16 {
		t.Errorf("%v because %+v", p.Precision, r)
	}
}

func TestPlanCountsTheOpsOfItsPrecision(t *testing.T) {
	e := policy.TensorOp{Shape: 1}
	in := server
	in.Ops[policy.F16] = []policy.TensorOp{e, e, {Kind: policy.Barrier}}
	in.Ops[policy.F32] = []policy.TensorOp{e}
	p := policy.Decide(in)
	if r := p.Reasons[policy.DecideFusion]; p.Ops != 3 || p.Passes != 2 || r.Kind != policy.FusionSaved || r.Count != 1 {
		t.Errorf("%d ops in %d passes because %+v, want 3 in 2", p.Ops, p.Passes, r)
	}
	in.Ops[policy.F16] = []policy.TensorOp{{Kind: policy.Barrier}, e}
	if r := policy.Decide(in).Reasons[policy.DecideFusion]; r.Kind != policy.FusionNone {
		t.Errorf("two passes for two ops: %+v", r)
	}
}

func TestBindingTiles(t *testing.T) {
	for _, c := range []struct {
		name             string
		largest, binding uint64
		want             uint32
	}{
		{"shapes unknown", 0, 1024, 0},
		{"limit unknown", 1024, 0, 0},
		{"exactly the limit at f16", 512, 1024, 1},
		{"two bytes over", 513, 1024, 2},
		{"a driver without a limit", 1 << 40, math.MaxUint64, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := server
			in.LargestTensor, in.MaxBinding = c.largest, c.binding
			if got := policy.Decide(in).BindingTiles; got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}
