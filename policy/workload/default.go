package workload

import "slices"

// Default is Llama 3.1 8B at its default context with an f16 cache.
func Default() Workload { return llama31.At(Options{}) }

// llama31 is Llama 3.1 8B: https://huggingface.co/meta-llama/Llama-3.1-8B/blob/main/config.json.
var llama31 = Model{
	Name: "Llama 3.1 8B", ID: "llama-3.1-8b", Arch: "llama",
	Params: 8_030_261_248, ActiveParams: 8_030_261_248,
	Embedding: 4096, FeedForward: 14336, Vocab: 128256, MaxContext: 131072,
	Layers: slices.Repeat([]Layer{{
		Attention: true, Heads: 32, KVHeads: 8, KeyLength: 128, ValueLength: 128, FeedForward: 14336,
	}}, 32),
}
