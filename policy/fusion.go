package policy

import "math/bits"

// TensorOpKind says whether an op may share a pass with its neighbours.
type TensorOpKind uint8

// The kinds of op.
const (
	// Elementwise ops read and write each element on its own: same-shape neighbours fuse.
	Elementwise TensorOpKind = iota
	// Barrier ops (products, reductions) need all of their input first: each is a pass of its own.
	Barrier
)

// String gives the snapshot's spelling.
func (k TensorOpKind) String() string {
	if k == Elementwise {
		return "elementwise"
	}
	return "barrier"
}

// TensorOp is one op of a sequence. Shape is a token that stands for its dimensions: equal tokens, equal dimensions.
type TensorOp struct {
	Kind  TensorOpKind
	Shape uint64
}

// PlanFusion counts the compute passes left after fusion: each maximal run of element-wise ops of one shape is one pass,
// each barrier is one, and an empty sequence is 0.
//
// Each op is a pass but for those that join their predecessor's. They are taken off without branches, which random
// sequences would mispredict, and in both halves of the sequence at once: of a long one that is not in the cache, memory
// then brings two places at a time.
func PlanFusion(ops []TensorOp) uint32 {
	if len(ops) == 0 {
		return 0
	}
	passes := uint64(len(ops))
	middle := (len(ops) - 1) / 2
	// The op in the middle ends one half and begins the other, so that each pair of neighbours is in one of them.
	near, far := ops[:middle+1], ops[middle:]
	for len(near) > 2 && len(far) > 2 {
		// A pointer to a fixed array needs one bounds check.
		a, b := (*[3]TensorOp)(near), (*[3]TensorOp)(far)
		passes, _ = bits.Sub64(passes, 0, joins(a[0], a[1]))
		passes, _ = bits.Sub64(passes, 0, joins(a[1], a[2]))
		passes, _ = bits.Sub64(passes, 0, joins(b[0], b[1]))
		passes, _ = bits.Sub64(passes, 0, joins(b[1], b[2]))
		near, far = near[2:], far[2:]
	}
	for i := 1; i < len(near); i++ {
		passes -= joins(near[i-1], near[i])
	}
	for i := 1; i < len(far); i++ {
		passes -= joins(far[i-1], far[i])
	}
	return uint32(passes)
}

// joins is 1 if op shares a pass with prev, else 0. The difference is 0 only for two element-wise ops of one shape; taking
// 1 from it borrows only then, and the processor takes off a borrow without a branch.
func joins(prev, op TensorOp) uint64 {
	difference := prev.Shape ^ op.Shape | uint64(prev.Kind) | uint64(op.Kind)
	_, borrow := bits.Sub64(difference, 1, 0)
	return borrow
}
