package policy_test

import (
	"math"
	"testing"

	"headroom/policy"
)

const gib = 1 << 30

func TestPrecisionOfPublishedCases(t *testing.T) {
	for _, c := range []struct {
		name   string
		params uint64
		gib    float64
		c      float32
		want   policy.Precision
	}{
		{"room for floats", 1e9, 8, 30, policy.F32},
		{"short of floats and halves", 1e9, 1.5, 30, policy.Q8},
		{"room, but hot", 1e9, 64, 2, policy.Q8},
		{"nothing fits", 1e10, 1, 30, policy.Q4},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := policy.SelectPrecision(c.params, policy.PowerThermalBudget{
				VRAMBudgetBytes: uint64(c.gib * gib), PowerBudgetMW: 60_000, ThermalHeadroomC: c.c,
			})
			if got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Each threshold is tried on both sides of its last representable step.
func TestPrecisionAtItsThresholds(t *testing.T) {
	roomy := policy.PowerThermalBudget{VRAMBudgetBytes: 4e9, PowerBudgetMW: 15_000, ThermalHeadroomC: 5}
	below5 := math.Nextafter32(5, 0)
	nan := float32(math.NaN())
	for _, c := range []struct {
		name   string
		change func(*policy.PowerThermalBudget)
		want   policy.Precision
	}{
		{"exactly 5 °C, 15 W and the bytes of f32", func(*policy.PowerThermalBudget) {}, policy.F32},
		{"just under 5 °C", func(b *policy.PowerThermalBudget) { b.ThermalHeadroomC = below5 }, policy.Q8},
		{"just over 5 °C", func(b *policy.PowerThermalBudget) { b.ThermalHeadroomC = math.Nextafter32(5, 6) }, policy.F32},
		{"below zero", func(b *policy.PowerThermalBudget) { b.ThermalHeadroomC = -1 }, policy.Q8},
		{"unordered headroom is not tight", func(b *policy.PowerThermalBudget) { b.ThermalHeadroomC = nan }, policy.F32},
		{"infinite headroom", func(b *policy.PowerThermalBudget) { b.ThermalHeadroomC = float32(math.Inf(1)) }, policy.F32},
		{"one milliwatt under 15 W", func(b *policy.PowerThermalBudget) { b.PowerBudgetMW-- }, policy.Q8},
		{"one byte under f32", func(b *policy.PowerThermalBudget) { b.VRAMBudgetBytes-- }, policy.F16},
		{"the bytes of f16", func(b *policy.PowerThermalBudget) { b.VRAMBudgetBytes = 2e9 }, policy.F16},
		{"one byte under f16", func(b *policy.PowerThermalBudget) { b.VRAMBudgetBytes = 2e9 - 1 }, policy.Q8},
		{"the bytes of q8", func(b *policy.PowerThermalBudget) { b.VRAMBudgetBytes = 1e9 }, policy.Q8},
		{"one byte under q8", func(b *policy.PowerThermalBudget) { b.VRAMBudgetBytes = 1e9 - 1 }, policy.Q4},
		{"nothing at all", func(b *policy.PowerThermalBudget) { b.VRAMBudgetBytes = 0 }, policy.Q4},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := roomy
			c.change(&b)
			if got := policy.SelectPrecision(1e9, b); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestPrecisionOfCountsBeyondFloats(t *testing.T) {
	all := policy.PowerThermalBudget{VRAMBudgetBytes: math.MaxUint64, PowerBudgetMW: 60_000, ThermalHeadroomC: 30}
	if got := policy.SelectPrecision(math.MaxUint64, all); got != policy.F32 {
		t.Errorf("saturated bytes fit the largest budget: got %v, want f32", got)
	}
	all.VRAMBudgetBytes--
	if got := policy.SelectPrecision(math.MaxUint64, all); got != policy.Q4 {
		t.Errorf("saturated bytes do not fit one byte less: got %v, want q4", got)
	}
}

func TestTilesOfPublishedCases(t *testing.T) {
	gpu := policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 2 * gib}
	for _, c := range []struct {
		name  string
		host  policy.HostCapabilities
		total uint64
		want  uint32
	}{
		{"half", gpu, 1 * gib, 1},
		{"all", gpu, 2 * gib, 1},
		{"one byte more", gpu, 2*gib + 1, 2},
		{"two and a half", gpu, 5 * gib, 3},
		{"nothing", gpu, 0, 1},
		{"no GPU", policy.HostCapabilities{VRAMAvailable: 2 * gib}, 99 * gib, 1},
		{"no memory", policy.HostCapabilities{GPUAvailable: true}, 99 * gib, 1},
		{"more than can be counted", policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 1}, math.MaxUint64, math.MaxUint32},
		{"the last that can be counted", policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 1}, math.MaxUint32, math.MaxUint32},
		{"bytes whose rounding up would overflow", policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 1 << 63}, math.MaxUint64, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := policy.NewHeterogeneousDispatcher(c.host).GPUTiles(c.total); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestBackendOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		host policy.HostCapabilities
		job  uint64
		want policy.ComputeBackend
	}{
		{"a job that fits", policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 8, NPUAvailable: true}, 8, policy.GPU},
		{"a job that is tiled", policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 8, NPUAvailable: true}, 9, policy.GPU},
		{"a full GPU", policy.HostCapabilities{GPUAvailable: true, NPUAvailable: true}, 9, policy.NPU},
		{"a full GPU and no NPU", policy.HostCapabilities{GPUAvailable: true}, 9, policy.CPU},
		{"nothing to do fits even a full GPU", policy.HostCapabilities{GPUAvailable: true}, 0, policy.GPU},
		{"memory without a GPU", policy.HostCapabilities{VRAMAvailable: 8}, 1, policy.CPU},
		{"an NPU", policy.HostCapabilities{NPUAvailable: true}, 1, policy.NPU},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := policy.NewHeterogeneousDispatcher(c.host)
			if got := d.SelectBackend(c.job); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if d.Capabilities() != c.host {
				t.Errorf("capabilities %+v, want those given %+v", d.Capabilities(), c.host)
			}
		})
	}
}

func TestPassesOfPublishedCases(t *testing.T) {
	e, f := policy.TensorOp{Shape: 1}, policy.TensorOp{Shape: 2}
	b := policy.TensorOp{Kind: policy.Barrier, Shape: 1}
	for _, c := range []struct {
		name string
		ops  []policy.TensorOp
		want uint32
	}{
		{"none", nil, 0},
		{"three alike", []policy.TensorOp{e, e, e}, 1},
		{"a barrier between", []policy.TensorOp{e, b, e}, 3},
		{"two shapes", []policy.TensorOp{e, f}, 2},
		{"two, a barrier, three", []policy.TensorOp{e, e, b, e, e, e}, 3},
		{"barriers of one shape", []policy.TensorOp{b, b, b, b, b, b}, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := policy.PlanFusion(c.ops); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestZeroCopyByMemory(t *testing.T) {
	if s := policy.ZeroCopyForDevice(true); s != policy.MmapDirect || s.RequiresHostCopy() {
		t.Errorf("unified memory: %v, host copy %v", s, s.RequiresHostCopy())
	}
	if s := policy.ZeroCopyForDevice(false); s != policy.StagingUpload || !s.RequiresHostCopy() {
		t.Errorf("memory of its own: %v, host copy %v", s, s.RequiresHostCopy())
	}
}
