package workload

import "slices"

// Bare is a weight count alone: no KV cache, no buffers, no shapes, and context does not apply to it. Its op sequences are
// those of a Llama-like model nearest to it, to be shown as such.
func Bare(params uint64) Workload {
	like := llamaLike(params)
	shown := like.At(Options{})
	return Workload{
		Params:       params,
		ActiveParams: params,
		KVType:       KVF16,
		Bare:         true,
		Layers:       shown.Layers,
		Decode:       shown.Decode,
		Prefill:      shown.Prefill,
	}
}

// llamaLike is the model nearest to that many weights in the proportions of Llama 3 8B: heads of 128, as many layers as
// heads, a quarter as many heads of keys and values, a feed-forward part of 3.5 widths, its vocabulary.
func llamaLike(params uint64) Model {
	m := llamaOf(1)
	for {
		wider := llamaOf(m.Layers[0].Heads + 1)
		if distance(wider.Params, params) >= distance(m.Params, params) {
			break
		}
		m = wider
	}
	m.Layers = slices.Repeat(m.Layers, int(m.Layers[0].Heads))
	return m
}

// llamaOf is one layer of the Llama-like model of that many heads; Params counts all of its layers.
func llamaOf(heads uint64) Model {
	const head = 128
	width := heads * head
	m := Model{
		Arch: "llama", Embedding: width, FeedForward: width * 7 / 2, Vocab: llama31.Vocab,
		Layers: []Layer{{
			Attention: true, Heads: heads, KVHeads: (heads + 3) / 4, KeyLength: head, ValueLength: head,
			FeedForward: width * 7 / 2,
		}},
	}
	one, _ := m.Count()
	ends, _ := Model{Embedding: width, Vocab: m.Vocab}.Count()
	m.Params = ends + (one-ends)*heads
	m.ActiveParams = m.Params
	return m
}

func distance(a, b uint64) uint64 { return max(a, b) - min(a, b) }
