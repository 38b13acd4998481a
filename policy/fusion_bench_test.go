package policy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"headroom/policy"
)

// plainFusion is the specification's loop: the baseline that PlanFusion is measured against, and its oracle.
func plainFusion(ops []policy.TensorOp) uint32 {
	var passes uint32
	prev := policy.TensorOp{Kind: policy.Barrier}
	for _, op := range ops {
		if op.Kind != policy.Elementwise || prev.Kind != policy.Elementwise || op.Shape != prev.Shape {
			passes++
		}
		prev = op
	}
	return passes
}

// fusionPatterns are the kinds of sequence that differ in how well a processor guesses them.
var fusionPatterns = []struct {
	name string
	op   func(i int, r *rand.Rand, prev policy.TensorOp) policy.TensorOp
}{
	{"mixed", func(_ int, r *rand.Rand, prev policy.TensorOp) policy.TensorOp {
		op := policy.TensorOp{Shape: prev.Shape}
		if r.IntN(10) < 3 {
			op.Shape = r.Uint64N(4)
		}
		if r.IntN(10) < 2 {
			op.Kind = policy.Barrier
		}
		return op
	}},
	{"uniform", func(int, *rand.Rand, policy.TensorOp) policy.TensorOp { return policy.TensorOp{Shape: 7} }},
	{"alternating", func(i int, _ *rand.Rand, _ policy.TensorOp) policy.TensorOp {
		return policy.TensorOp{Kind: policy.TensorOpKind(i % 2), Shape: 7}
	}},
	{"barriers", func(int, *rand.Rand, policy.TensorOp) policy.TensorOp { return policy.TensorOp{Kind: policy.Barrier} }},
	{"shapes", func(i int, _ *rand.Rand, _ policy.TensorOp) policy.TensorOp {
		return policy.TensorOp{Shape: uint64(i)}
	}},
}

// BenchmarkPlanFusion counts the passes of long sequences.
func BenchmarkPlanFusion(b *testing.B) {
	for _, n := range []int{64, 1024, 1 << 20} {
		for _, p := range fusionPatterns {
			b.Run(fmt.Sprintf("%s/n=%d", p.name, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				ops := make([]policy.TensorOp, n)
				for i := range ops {
					ops[i] = p.op(i, r, ops[max(i-1, 0)])
				}
				duel(b, ops, func(ops []policy.TensorOp) { kept.count += plainFusion(ops) }, func(ops []policy.TensorOp) { kept.count += policy.PlanFusion(ops) })
			})
		}
	}
}

func BenchmarkSelectPrecision(b *testing.B) {
	budget := policy.PowerThermalBudget{VRAMBudgetBytes: 20 << 30, PowerBudgetMW: 18_400, ThermalHeadroomC: 3.2}
	b.ReportAllocs()
	for b.Loop() {
		policy.SelectPrecision(8_030_261_248, budget)
	}
}

func BenchmarkGPUTiles(b *testing.B) {
	d := policy.NewHeterogeneousDispatcher(policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 22_500_000_000})
	b.ReportAllocs()
	for b.Loop() {
		d.GPUTiles(35_300_000_000)
	}
}

func BenchmarkDecide(b *testing.B) {
	in := laptop
	in.Ops = [4][]policy.TensorOp{{}, {}, make([]policy.TensorOp, 22), {}}
	b.ReportAllocs()
	for b.Loop() {
		policy.Decide(in)
	}
}
