package policy_test

import (
	"math"
	"math/bits"
	"testing"

	"headroom/policy"
)

// fuzzOps reads one op from each byte: a kind and one of a few shapes, so that runs come about.
func fuzzOps(data []byte) []policy.TensorOp {
	ops := make([]policy.TensorOp, len(data))
	for i, b := range data {
		ops[i] = policy.TensorOp{Kind: policy.TensorOpKind(b & 1), Shape: uint64(b>>1&3) << 61}
	}
	return ops
}

func FuzzPlanFusion(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0})
	f.Add([]byte{0, 2, 4, 6, 1, 1, 0, 0, 0, 3, 3, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		ops := fuzzOps(data)
		got := policy.PlanFusion(ops)
		if int(got) > len(ops) || (got == 0) != (len(ops) == 0) {
			t.Fatalf("%d passes for %d ops", got, len(ops))
		}
		if want := plainFusion(ops); got != want {
			t.Fatalf("%d passes, the plain loop counts %d", got, want)
		}
	})
}

func FuzzSelectPrecision(f *testing.F) {
	f.Add(uint64(1e9), uint64(2e9), uint64(1), uint32(15_000), float32(5))
	f.Add(uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(0), uint32(0), float32(math.NaN()))
	f.Fuzz(func(t *testing.T, params, budget, more uint64, mw uint32, c float32) {
		b := policy.PowerThermalBudget{VRAMBudgetBytes: budget, PowerBudgetMW: mw, ThermalHeadroomC: c}
		got := policy.SelectPrecision(params, b)
		if (c < 5 || mw < 15_000) && got < policy.Q8 {
			t.Fatalf("%v in a tight envelope", got)
		}
		bigger := b
		bigger.VRAMBudgetBytes = max(budget, budget+more)
		if p := policy.SelectPrecision(params, bigger); p > got {
			t.Fatalf("%v with %d bytes, coarser %v with %d", got, budget, p, bigger.VRAMBudgetBytes)
		}
	})
}

func FuzzGPUTiles(f *testing.F) {
	f.Add(uint64(5<<30), uint64(2<<30))
	f.Add(uint64(math.MaxUint64), uint64(1<<63))
	f.Fuzz(func(t *testing.T, total, vram uint64) {
		tiles := policy.NewHeterogeneousDispatcher(policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: vram}).GPUTiles(total)
		if tiles == 0 {
			t.Fatal("no tiles")
		}
		if vram == 0 || tiles == math.MaxUint32 {
			return
		}
		if hi, lo := bits.Mul64(uint64(tiles), vram); hi == 0 && lo < total {
			t.Fatalf("%d tiles of %d do not hold %d", tiles, vram, total)
		}
		if hi, lo := bits.Mul64(uint64(tiles-1), vram); tiles > 1 && (hi > 0 || lo >= total) {
			t.Fatalf("%d tiles of %d where fewer hold %d", tiles, vram, total)
		}
	})
}

// FuzzDecide checks that one plan never contradicts itself, and that each flip it names is the very edge of the change.
func FuzzDecide(f *testing.F) {
	f.Add(uint64(8_030_000_000), uint64(21_947_282_882), uint32(18_400), float32(3.2), byte(7), uint64(525_336_576), uint64(1<<31), []byte{1, 0, 0, 1})
	f.Add(uint64(70_600_000_000), uint64(22_527_103_467), uint32(222_000), float32(45), byte(5), uint64(0), uint64(0), []byte{})
	f.Add(uint64(0), uint64(0), uint32(0), float32(math.Inf(-1)), byte(1), uint64(1), uint64(1), []byte{0})
	f.Fuzz(func(t *testing.T, params, budget uint64, mw uint32, c float32, host byte, largest, binding uint64, ops []byte) {
		in := policy.Inputs{
			Params: params,
			Budget: policy.PowerThermalBudget{VRAMBudgetBytes: budget, PowerBudgetMW: mw, ThermalHeadroomC: c},
			Host:   policy.HostCapabilities{GPUAvailable: host&1 > 0, NPUAvailable: host&2 > 0, CPUThreads: 4},

			HasAdapter: host&4 > 0, Adapter: policy.DeviceType(host >> 3 % 5), LargestTensor: largest, MaxBinding: binding,
		}
		if in.Host.GPUAvailable {
			in.Host.VRAMAvailable = budget
		}
		for i := range in.Ops {
			in.Ops[i] = fuzzOps(ops)
		}
		p := policy.Decide(in)
		checkPlan(t, in, p)
		for _, flip := range p.Flips[:p.NumFlips] {
			checkFlip(t, in, p, flip)
		}
	})
}

func checkPlan(t *testing.T, in policy.Inputs, p policy.Plan) {
	t.Helper()
	d := policy.NewHeterogeneousDispatcher(in.Host)
	if p.Precision != policy.SelectPrecision(in.Params, in.Budget) || p.Backend != d.SelectBackend(p.Job) || p.Tiles != d.GPUTiles(p.Job) {
		t.Fatalf("the plan differs from the capabilities: %+v", p)
	}
	if p.Backend == policy.GPU && p.Fits != (p.Tiles == 1) {
		t.Fatalf("fits %v in %d tiles", p.Fits, p.Tiles)
	}
	taken := 0
	for i, r := range p.Rungs {
		if r.Taken {
			taken++
		}
		if r.Taken != (policy.Precision(i) == p.Precision) || r.Taken && (r.Need != p.Job || r.Fits != p.Fits || !r.Allowed) {
			t.Fatalf("rung %+v of a plan for %v, job %d, fits %v", r, p.Precision, p.Job, p.Fits)
		}
		if r.Fits && r.Allowed && r.Precision < p.Precision {
			t.Fatalf("%v taken though %v fits and is allowed", p.Precision, r.Precision)
		}
	}
	if taken != 1 {
		t.Fatalf("%d rungs taken", taken)
	}
	if hi, lo := bits.Mul64(uint64(p.Tiles), p.TileBytes); hi == 0 && lo < p.Job {
		t.Fatalf("%d tiles of %d do not hold %d", p.Tiles, p.TileBytes, p.Job)
	}
	if (p.BindingTiles == 0) != (in.LargestTensor == 0 || in.MaxBinding == 0) {
		t.Fatalf("%d binding tiles of %d over %d", p.BindingTiles, in.LargestTensor, in.MaxBinding)
	}
	for i, r := range p.Reasons {
		if r.Decision != policy.Decision(i) {
			t.Fatalf("reason %d explains decision %d", i, r.Decision)
		}
	}
	if p.Ops-p.Passes != p.Reasons[policy.DecideFusion].Count {
		t.Fatalf("%d ops in %d passes, %d saved", p.Ops, p.Passes, p.Reasons[policy.DecideFusion].Count)
	}
}

// checkFlip applies the flip at its edge and one step before it. Bytes beyond 2⁵³ have no exact float to check with.
func checkFlip(t *testing.T, in policy.Inputs, p policy.Plan, f policy.Flip) {
	t.Helper()
	at, before := in, in
	switch f.Input {
	case policy.FlipMemory:
		if f.At > 1<<53 {
			return
		}
		at.Budget.VRAMBudgetBytes, before.Budget.VRAMBudgetBytes = uint64(f.At), uint64(f.At)-1
	case policy.FlipHeat:
		at.Budget.ThermalHeadroomC, before.Budget.ThermalHeadroomC = float32(f.At), math.Nextafter32(float32(f.At), 0)
	case policy.FlipPower:
		at.Budget.PowerBudgetMW, before.Budget.PowerBudgetMW = uint32(f.At), uint32(f.At)-1
	}
	if !f.Up {
		at, before = before, at
	}
	if q := policy.Decide(at); q.Precision != f.To || q.Fits != f.ToFits {
		t.Fatalf("flip %+v gives %v, fits %v", f, q.Precision, q.Fits)
	}
	if q := policy.Decide(before); q.Precision != p.Precision || q.Fits != p.Fits {
		t.Fatalf("flip %+v is not the edge: one step short already gives %v, fits %v", f, q.Precision, q.Fits)
	}
	if f.Delta < 0 || math.IsNaN(f.Delta) || math.IsInf(f.Delta, 0) {
		t.Fatalf("flip %+v has no distance", f)
	}
}
