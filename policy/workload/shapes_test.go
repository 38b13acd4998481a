package workload_test

import "headroom/policy/workload"

// spec is an architecture in short: all layers alike but for the sliding windows.
type spec struct {
	arch                                      string
	embedding, inner, layers, heads, kv, head uint64
	vocab, context                            uint64
	tied, post, bias                          bool
	qk                                        workload.QKNorm
	experts, used                             uint64
	window                                    uint64
	everyFull                                 int
}

// model spells the architecture out.
func (s spec) model(name string) workload.Model {
	m := workload.Model{
		Name: name, ID: name, Arch: s.arch, Embedding: s.embedding, FeedForward: s.inner,
		Vocab: s.vocab, MaxContext: s.context, TiedEmbeddings: s.tied,
	}
	for i := range int(s.layers) {
		l := workload.Layer{
			Attention: true, Heads: s.heads, KVHeads: s.kv, KeyLength: s.head, ValueLength: s.head,
			QKVBias: s.bias, QKNorm: s.qk, PostNorm: s.post, FeedForward: s.inner,
		}
		if s.experts > 0 {
			l.FeedForward, l.ExpertFeedForward, l.Experts, l.ExpertsUsed = 0, s.inner, s.experts, s.used
		}
		if s.everyFull > 0 && (i+1)%s.everyFull != 0 {
			l.Window = s.window
		}
		m.Layers = append(m.Layers, l)
	}
	m.Params, m.ActiveParams = m.Count()
	return m
}

const perHead, full = workload.QKNormHead, workload.QKNormFull

// specs are the architectures that testdata was measured on, and those of the worked examples.
var specs = map[string]spec{
	"llama-3.1-8b":   {arch: "llama", embedding: 4096, inner: 14336, layers: 32, heads: 32, kv: 8, head: 128, vocab: 128256, context: 131072},
	"llama-3.1-70b":  {arch: "llama", embedding: 8192, inner: 28672, layers: 80, heads: 64, kv: 8, head: 128, vocab: 128256, context: 131072},
	"llama-3.2-1b":   {arch: "llama", embedding: 2048, inner: 8192, layers: 16, heads: 32, kv: 8, head: 64, vocab: 128256, context: 131072, tied: true},
	"llama-3.2-3b":   {arch: "llama", embedding: 3072, inner: 8192, layers: 28, heads: 24, kv: 8, head: 128, vocab: 128256, context: 131072, tied: true},
	"llama-2-7b":     {arch: "llama", embedding: 4096, inner: 11008, layers: 32, heads: 32, kv: 32, head: 128, vocab: 32000, context: 4096},
	"tinyllama-1.1b": {arch: "llama", embedding: 2048, inner: 5632, layers: 22, heads: 32, kv: 4, head: 64, vocab: 32000, context: 2048},
	"mistral-7b":     {arch: "llama", embedding: 4096, inner: 14336, layers: 32, heads: 32, kv: 8, head: 128, vocab: 32768, context: 32768},
	"smollm2-135m":   {arch: "llama", embedding: 576, inner: 1536, layers: 30, heads: 9, kv: 3, head: 64, vocab: 49152, context: 8192, tied: true},
	"smollm2-360m":   {arch: "llama", embedding: 960, inner: 2560, layers: 32, heads: 15, kv: 5, head: 64, vocab: 49152, context: 8192, tied: true},
	"qwen2.5-0.5b":   {arch: "qwen2", embedding: 896, inner: 4864, layers: 24, heads: 14, kv: 2, head: 64, vocab: 151936, context: 32768, tied: true, bias: true},
	"qwen2.5-1.5b":   {arch: "qwen2", embedding: 1536, inner: 8960, layers: 28, heads: 12, kv: 2, head: 128, vocab: 151936, context: 32768, tied: true, bias: true},
	"qwen2.5-3b":     {arch: "qwen2", embedding: 2048, inner: 11008, layers: 36, heads: 16, kv: 2, head: 128, vocab: 151936, context: 32768, tied: true, bias: true},
	"qwen2.5-7b":     {arch: "qwen2", embedding: 3584, inner: 18944, layers: 28, heads: 28, kv: 4, head: 128, vocab: 152064, context: 32768, bias: true},
	"qwen3-0.6b":     {arch: "qwen3", embedding: 1024, inner: 3072, layers: 28, heads: 16, kv: 8, head: 128, vocab: 151936, context: 40960, tied: true, qk: perHead},
	"qwen3-1.7b":     {arch: "qwen3", embedding: 2048, inner: 6144, layers: 28, heads: 16, kv: 8, head: 128, vocab: 151936, context: 40960, tied: true, qk: perHead},
	"qwen3-4b":       {arch: "qwen3", embedding: 2560, inner: 9728, layers: 36, heads: 32, kv: 8, head: 128, vocab: 151936, context: 40960, tied: true, qk: perHead},
	"olmoe-1b-7b":    {arch: "olmoe", embedding: 2048, inner: 1024, layers: 16, heads: 16, kv: 16, head: 128, vocab: 50304, context: 4096, qk: full, experts: 64, used: 8},
	"gemma-2-2b":     {arch: "gemma2", embedding: 2304, inner: 9216, layers: 26, heads: 8, kv: 4, head: 256, vocab: 256000, context: 8192, tied: true, post: true, window: 4096, everyFull: 2},
	"gemma-3-270m":   {arch: "gemma3", embedding: 640, inner: 2048, layers: 18, heads: 4, kv: 1, head: 256, vocab: 262144, context: 32768, tied: true, post: true, qk: perHead, window: 512, everyFull: 6},
	"gemma-3-1b":     {arch: "gemma3", embedding: 1152, inner: 6912, layers: 26, heads: 4, kv: 1, head: 256, vocab: 262144, context: 32768, tied: true, post: true, qk: perHead, window: 512, everyFull: 6},
	"gemma-3-4b":     {arch: "gemma3", embedding: 2560, inner: 10240, layers: 34, heads: 8, kv: 4, head: 256, vocab: 262208, context: 131072, tied: true, post: true, qk: perHead, window: 1024, everyFull: 6},
}
