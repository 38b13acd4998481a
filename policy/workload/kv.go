package workload

// cellPad is what llama.cpp rounds the cells of a cache up to.
const cellPad = 256

// block is the elements of one block of a quantised cache.
const block = 32

// rowBytes is the bytes of one row of n cache elements. Quantised types keep blocks with one f16 scale: 34 bytes for q8_0,
// 18 for q4_0.
func (t KVType) rowBytes(n uint64) uint64 {
	switch t {
	case KVQ80:
		return mul(pad(n, block)/block, 34)
	case KVQ40:
		return mul(pad(n, block)/block, 18)
	default:
		return mul(n, 2)
	}
}

// KVBytes is the whole cache: every layer's rows at the chosen context, and recurrent state. An encoder has none.
func (m Model) KVBytes(o Options) uint64 {
	if m.Encoder {
		return 0
	}
	o = o.filled(m)
	var sum, share uint64
	for i := range m.Layers {
		if i == 0 || m.Layers[i] != m.Layers[i-1] {
			share = m.Layers[i].cache(o)
		}
		sum = add(sum, share)
	}
	return sum
}

// cache is the layer's share: rows of keys and values for each cell, and its recurrent state, for all sequences. A layer that
// reads another's cache has none of its own.
func (l *Layer) cache(o Options) uint64 {
	state := mul(l.StateBytes, o.Sequences)
	if !l.Attention || l.SharesKV {
		return state
	}
	keys, values := l.cacheRows(o.KV)
	return add(state, mul(add(keys, values), l.cells(o), o.Sequences))
}

// cacheRows are the bytes that one token takes in the layer. Latent attention keeps one compressed row in place of both.
func (l *Layer) cacheRows(t KVType) (keys, values uint64) {
	if l.KVRank > 0 {
		return t.rowBytes(l.KVRank), 0
	}
	return t.rowBytes(mul(l.KVHeads, l.KeyLength)), t.rowBytes(mul(l.KVHeads, l.ValueLength))
}

// cells is the tokens that the layer keeps of one sequence, padded. A sliding window needs room for the window and for the
// batch that is being read; the measured runs of such models take one token more.
func (l *Layer) cells(o Options) uint64 {
	all := pad(o.Context, cellPad)
	if l.Window == 0 {
		return all
	}
	return min(all, pad(add(l.Window, o.Batch, 1), cellPad))
}
