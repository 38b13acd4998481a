package workload

import "headroom/policy"

// step is one op before it becomes a policy.TensorOp.
type step struct {
	name  string
	kind  policy.TensorOpKind
	shape shape
	// bytes is what the op reads and writes besides weights.
	bytes uint64
	// dequant marks the op that unpacks quantised weights: float weights need none.
	dequant bool
}

// activation is the bytes of one element between ops: the arithmetic is f32 whatever the weights are stored in.
const activation = 4

// steps is a list of ops under construction. tokens is the rows that pass through at once: 1 in decode, a batch in prefill.
type steps struct {
	list   []step
	tokens uint64
}

// elementwise adds an op that reads operands inputs of the shape and writes one.
func (s *steps) elementwise(name string, operands uint64, dims ...uint64) {
	sh := s.rows(dims)
	s.list = append(s.list, step{name: name, shape: sh, bytes: mul(operands+1, sh.elements(), activation)})
}

// reduce adds a barrier that reads and writes one shape: a norm, a softmax.
func (s *steps) reduce(name string, dims ...uint64) {
	sh := s.rows(dims)
	s.barrier(name, sh, mul(2, sh.elements(), activation))
}

// matrices are count weight matrices of in × out.
type matrices struct{ count, in, out uint64 }

// product adds a matrix product after the op that unpacks its weights: in elements a token come in, dims go out.
func (s *steps) product(name string, w matrices, in uint64, dims ...uint64) {
	sh := shapeOf(w.count, w.in, w.out)
	s.list = append(s.list, step{name: "dequant", shape: sh, bytes: mul(sh.elements(), activation), dequant: true})
	s.floatProduct(name, in, dims...)
}

// floatProduct is a product whose weights stay in floats, as a router's do.
func (s *steps) floatProduct(name string, in uint64, dims ...uint64) {
	sh := s.rows(dims)
	s.barrier(name, sh, mul(add(mul(in, s.tokens), sh.elements()), activation))
}

func (s *steps) barrier(name string, sh shape, bytes uint64) {
	s.list = append(s.list, step{name: name, kind: policy.Barrier, shape: sh, bytes: bytes})
}

// rows puts the tokens before the one or two dimensions of one token's row.
func (s *steps) rows(dims []uint64) shape {
	if len(dims) == 1 {
		return shapeOf(s.tokens, dims[0])
	}
	return shapeOf(s.tokens, dims[0], dims[1])
}
