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
// It counts the ops that join their predecessor's pass, without branches, which random sequences would mispredict: four
// pairs a round over a fixed array, which needs one bounds check, into two sums, so that no addition waits for the last.
func PlanFusion(ops []TensorOp) uint32 {
	if len(ops) == 0 {
		return 0
	}
	var even, odd uint64
	rest := ops
	for len(rest) > 4 {
		o := (*[5]TensorOp)(rest)
		even, _ = bits.Add64(even, 0, joins(o[0], o[1]))
		odd, _ = bits.Add64(odd, 0, joins(o[1], o[2]))
		even, _ = bits.Add64(even, 0, joins(o[2], o[3]))
		odd, _ = bits.Add64(odd, 0, joins(o[3], o[4]))
		rest = rest[4:]
	}
	for i := 1; i < len(rest); i++ {
		even += joins(rest[i-1], rest[i])
	}
	return uint32(uint64(len(ops)) - even - odd)
}

// joins is 1 if op shares a pass with prev, else 0. The difference is 0 only for two element-wise ops of one shape; taking
// 1 from it borrows only then, and the processor adds a borrow without a branch.
func joins(prev, op TensorOp) uint64 {
	difference := prev.Shape ^ op.Shape | uint64(prev.Kind|op.Kind)
	_, borrow := bits.Sub64(difference, 1, 0)
	return borrow
}
