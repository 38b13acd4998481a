package workload

// ComputeBytes is the scratch memory of one pass over a batch: logits and two rows of the embedding's width, in f32.
func (m Model) ComputeBytes(o Options) uint64 {
	o = o.filled(m)
	return mul(add(m.Vocab, mul(2, m.Embedding)), o.Batch, 4)
}
