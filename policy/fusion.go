package policy

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
func PlanFusion(ops []TensorOp) uint32 {
	var passes uint32
	var prev TensorOp
	prev.Kind = Barrier
	for _, op := range ops {
		if op.Kind != Elementwise || prev.Kind != Elementwise || op.Shape != prev.Shape {
			passes++
		}
		prev = op
	}
	return passes
}
