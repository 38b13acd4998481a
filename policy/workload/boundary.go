package workload

import (
	"iter"

	"headroom/policy"
)

// Boundary says why an op begins a pass of its own, or that it does not.
type Boundary uint8

// The kinds of boundary before an op.
const (
	// Fused: none, the op shares its predecessor's pass.
	Fused Boundary = iota
	// Start: it is the first op.
	Start
	// IsBarrier: the op is a barrier.
	IsBarrier
	// AfterBarrier: its predecessor is a barrier.
	AfterBarrier
	// OtherShape: both are element-wise, of different shapes.
	OtherShape
)

// Boundary is the reason for what stands between op i and the one before it.
func (s Sequence) Boundary(i int) Boundary {
	if i == 0 {
		return Start
	}
	op, prev := s.Ops[i], s.Ops[i-1]
	switch {
	case op.Kind != policy.Elementwise:
		return IsBarrier
	case prev.Kind != policy.Elementwise:
		return AfterBarrier
	case op.Shape != prev.Shape:
		return OtherShape
	default:
		return Fused
	}
}

// Group is the ops From up to but not including To, which share one pass.
type Group struct {
	From, To int
	// Bytes is what the pass reads and writes besides weights: what lies between its ops never leaves it.
	Bytes uint64
	// Why is the reason that it begins where it does.
	Why Boundary
}

// Groups are the passes in order, as many as policy.PlanFusion counts.
func (s Sequence) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		for from := 0; from < len(s.Ops); {
			to := from + 1
			for to < len(s.Ops) && s.Boundary(to) == Fused {
				to++
			}
			if !yield(Group{From: from, To: to, Bytes: s.external(from, to), Why: s.Boundary(from)}) {
				return
			}
			from = to
		}
	}
}

// external is the bytes of ops from…to in one pass. Each op but the first takes its predecessor's result at once: one write
// and one read of it are saved.
func (s Sequence) external(from, to int) uint64 {
	var sum, saved uint64
	for i := from; i < to; i++ {
		sum = add(sum, s.Bytes[i])
		if i > from {
			saved = add(saved, mul(2, s.Elements[i-1], activation))
		}
	}
	return sum - min(saved, sum)
}
