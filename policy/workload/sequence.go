package workload

import (
	"math"

	"headroom/policy"
)

// layerKind is one shape of layer and how often the model has it.
type layerKind struct {
	layer *Layer
	times uint64
}

// layerKinds are the model's distinct layers, the most frequent first.
func (m *Model) layerKinds() []layerKind {
	at := make(map[Layer]int)
	var kinds []layerKind
	for i := range m.Layers {
		k, seen := at[m.Layers[i]]
		if !seen {
			k = len(kinds)
			at[m.Layers[i]] = k
			kinds = append(kinds, layerKind{layer: &m.Layers[i]})
		}
		kinds[k].times++
	}
	for k := range kinds {
		if kinds[k].times > kinds[0].times {
			kinds[0], kinds[k] = kinds[k], kinds[0]
		}
	}
	return kinds
}

// phase makes the sequence of the most frequent layer at each precision, for that many tokens at once, with the whole
// model's counts. Float weights need no unpacking, quantised ones do: there are two sequences for the four precisions.
func (m *Model) phase(kinds []layerKind, tokens uint64, o Options) [4]Sequence {
	if len(kinds) == 0 {
		return [4]Sequence{}
	}
	shown := m.layerSteps(kinds[0].layer, tokens, o)
	rest := [][]step{m.endSteps(tokens)}
	for _, k := range kinds[1:] {
		rest = append(rest, m.layerSteps(k.layer, tokens, o))
	}
	var made [2]Sequence
	for i, quantised := range [2]bool{false, true} {
		s := sequenceOf(shown, quantised)
		s.Repeats = uint32(min(kinds[0].times, math.MaxUint32))
		ops, passes := mul(uint64(len(s.Ops)), kinds[0].times), mul(uint64(policy.PlanFusion(s.Ops)), kinds[0].times)
		for j, steps := range rest {
			times := uint64(1)
			if j > 0 {
				times = kinds[j].times
			}
			other := sequenceOf(steps, quantised).Ops
			ops, passes = add(ops, mul(uint64(len(other)), times)), add(passes, mul(uint64(policy.PlanFusion(other)), times))
		}
		s.WholeOps, s.WholePasses = uint32(min(ops, math.MaxUint32)), uint32(min(passes, math.MaxUint32))
		made[i] = s
	}
	return [4]Sequence{policy.F32: made[0], policy.F16: made[0], policy.Q8: made[1], policy.Q4: made[1]}
}

// endSteps are the ops around the layers: the embedding's row is looked up before them, the last token is normed and turned
// into logits after them.
func (m *Model) endSteps(tokens uint64) []step {
	first := &steps{tokens: tokens}
	row := first.rows([]uint64{m.Embedding})
	first.barrier("embed", row, mul(row.elements(), activation))
	last := &steps{list: first.list, tokens: 1}
	last.norm(m.Embedding)
	last.product("output", matrices{1, m.Embedding, m.Vocab}, m.Embedding, m.Vocab)
	return last.list
}

// sequenceOf turns steps into the policy's ops with their names and shapes; without quantised weights the ops that unpack
// them are left out. A shape that does not pack into its token is numbered by its first place in the sequence.
func sequenceOf(list []step, quantised bool) Sequence {
	s := Sequence{
		Ops:      make([]policy.TensorOp, 0, len(list)),
		Names:    make([]string, 0, len(list)),
		Shapes:   make([]string, 0, len(list)),
		Bytes:    make([]uint64, 0, len(list)),
		Elements: make([]uint64, 0, len(list)),
	}
	for i := range list {
		if list[i].dequant && !quantised {
			continue
		}
		s.Ops = append(s.Ops, policy.TensorOp{Kind: list[i].kind, Shape: token(list, i)})
		s.Names = append(s.Names, list[i].name)
		s.Shapes = append(s.Shapes, list[i].shape.String())
		s.Bytes = append(s.Bytes, list[i].bytes)
		s.Elements = append(s.Elements, list[i].shape.elements())
	}
	return s
}

// token stands for the shape of step i without collision.
func token(list []step, i int) uint64 {
	packed, fits := list[i].shape.packed()
	if fits {
		return packed
	}
	for first := range list {
		if list[first].shape == list[i].shape {
			return numbered | uint64(first)
		}
	}
	return numbered | uint64(i)
}
