package prove

import "headroom/policy"

// chain is a run of ops on one shape, for the fusion proof.
type chain struct {
	key  string
	name string
	ops  []op
}

// chains are what is fused: eight ops without operands; six with a fresh operand each, which is as many as a kernel may
// bind; what follows a feed-forward part's products; and more operands than one kernel may bind.
func chains() []chain {
	return []chain{
		{"unary", "a chain of 8 ops", []op{scale(0.5), shift(1.25), atLeast(-1), magnitude, atMost(2.5), negate, shift(0.75), scale(2)}},
		{"binary", "a chain of 6 ops with fresh operands", []op{plus, larger, minus, smaller, plus, minus}},
		{"gate", "the end of a gated feed-forward part", []op{silu, times, plus}},
		{"wide", "a chain of 9 ops with more operands than a kernel may bind", []op{plus, larger, minus, smaller, plus, minus, larger, plus, smaller}},
	}
}

// tolerance is the relative difference that kernels with rounding of their own may show: exp is allowed a few units in the
// last place for each unit of its argument.
const tolerance = 2e-5

// bytesOf is what a kernel of this group moves for n values: its input, its operands and its result.
func (g group) bytesOf(n uint64) uint64 { return uint64(g.buffers()) * n * 4 }

// single is each op as a kernel of its own.
func single(ops []op) []group {
	out := make([]group, len(ops))
	for i, o := range ops {
		out[i] = group{o}
	}
	return out
}

func bytesOf(groups []group, n uint64) uint64 {
	var sum uint64
	for _, g := range groups {
		sum += g.bytesOf(n)
	}
	return sum
}

// runs cuts a sequence into its passes exactly as policy.PlanFusion counts them.
func runs(ops []policy.TensorOp) [][2]int {
	var out [][2]int
	for i, o := range ops {
		if i > 0 && o.Kind == policy.Elementwise && ops[i-1] == o {
			out[len(out)-1][1] = i + 1
			continue
		}
		out = append(out, [2]int{i, i + 1})
	}
	return out
}
