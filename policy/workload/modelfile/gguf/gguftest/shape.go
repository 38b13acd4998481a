package gguftest

import "fmt"

// Quant is a ggml type with its block layout.
type Quant struct {
	Type, FileType uint32
	Block, Bytes   uint64
}

// The types that whole models are written in.
var (
	F32  = Quant{0, 0, 1, 4}
	F16  = Quant{1, 1, 1, 2}
	Q4_0 = Quant{2, 2, 32, 18}
	Q8_0 = Quant{8, 7, 32, 34}
	//lint:ignore ST1003 this is the type's name everywhere
	Q4_K = Quant{12, 15, 256, 144}
)

// Shape is a model of the llama family in short.
type Shape struct {
	Arch                                               string
	Embedding, FeedForward, Layers, Heads, KV, HeadDim uint64
	Vocab, Context                                     uint64
	Tied, Bias, PostNorm                               bool
	// QKNorm is "", "head" or "full".
	QKNorm        string
	Window        uint64
	Experts, Used uint64
}

// Shapes are public models, by name.
var Shapes = map[string]Shape{
	"llama-3.1-8b":   {Arch: "llama", Embedding: 4096, FeedForward: 14336, Layers: 32, Heads: 32, KV: 8, HeadDim: 128, Vocab: 128256, Context: 131072},
	"tinyllama-1.1b": {Arch: "llama", Embedding: 2048, FeedForward: 5632, Layers: 22, Heads: 32, KV: 4, HeadDim: 64, Vocab: 32000, Context: 2048},
	"qwen2.5-0.5b":   {Arch: "qwen2", Embedding: 896, FeedForward: 4864, Layers: 24, Heads: 14, KV: 2, HeadDim: 64, Vocab: 151936, Context: 32768, Tied: true, Bias: true},
	"gemma-3-4b":     {Arch: "gemma3", Embedding: 2560, FeedForward: 10240, Layers: 34, Heads: 8, KV: 4, HeadDim: 256, Vocab: 262208, Context: 131072, Tied: true, Window: 1024, PostNorm: true, QKNorm: "head"},
	"gemma-2-2b":     {Arch: "gemma2", Embedding: 2304, FeedForward: 9216, Layers: 26, Heads: 8, KV: 4, HeadDim: 256, Vocab: 256000, Context: 8192, Tied: true, Window: 4096, PostNorm: true},
	"mixtral-8x7b":   {Arch: "llama", Embedding: 4096, FeedForward: 14336, Layers: 32, Heads: 32, KV: 8, HeadDim: 128, Vocab: 32000, Context: 32768, Experts: 8, Used: 2},
	"olmo-2-1b":      {Arch: "olmo2", Embedding: 2048, FeedForward: 8192, Layers: 16, Heads: 16, KV: 16, HeadDim: 128, Vocab: 100352, Context: 4096, QKNorm: "full"},
}

// Build gives a file of the shape with its matrices in q. Weights and Bytes are what its tensors hold.
func (s Shape) Build(name string, q Quant) (b *Builder, weights, bytes uint64) {
	b = &Builder{}
	a := s.Arch + "."
	u := func(key string, n uint64) { b.Key(a+key, uint32(n)) }
	b.Key("general.architecture", s.Arch).Key("general.name", name).Key("general.file_type", q.FileType)
	u("context_length", s.Context)
	u("embedding_length", s.Embedding)
	u("block_count", s.Layers)
	u("feed_forward_length", s.FeedForward)
	u("attention.head_count", s.Heads)
	u("attention.head_count_kv", s.KV)
	u("attention.key_length", s.HeadDim)
	u("attention.value_length", s.HeadDim)
	if s.Window > 0 {
		u("attention.sliding_window", s.Window)
	}
	if s.Experts > 0 {
		u("expert_count", s.Experts)
		u("expert_used_count", s.Used)
	}
	b.Key("tokenizer.ggml.tokens", Strings{int(s.Vocab), "token"})

	add := func(name string, q Quant, dims ...uint64) {
		if dims[0]%q.Block != 0 {
			q = F16
		}
		n := uint64(1)
		for _, d := range dims {
			n *= d
		}
		size := n / q.Block * q.Bytes
		weights, bytes = weights+n, bytes+size
		b.Tensor(name, q.Type, size, dims...)
	}
	add("token_embd.weight", q, s.Embedding, s.Vocab)
	add("output_norm.weight", F32, s.Embedding)
	if !s.Tied {
		add("output.weight", q, s.Embedding, s.Vocab)
	}
	row, kvRow := s.Heads*s.HeadDim, s.KV*s.HeadDim
	for i := range s.Layers {
		l := fmt.Sprintf("blk.%d.", i)
		add(l+"attn_norm.weight", F32, s.Embedding)
		add(l+"attn_q.weight", q, s.Embedding, row)
		add(l+"attn_k.weight", q, s.Embedding, kvRow)
		add(l+"attn_v.weight", q, s.Embedding, kvRow)
		add(l+"attn_output.weight", q, row, s.Embedding)
		add(l+"ffn_norm.weight", F32, s.Embedding)
		if s.Bias {
			add(l+"attn_q.bias", F32, row)
			add(l+"attn_k.bias", F32, kvRow)
			add(l+"attn_v.bias", F32, kvRow)
		}
		switch s.QKNorm {
		case "head":
			add(l+"attn_q_norm.weight", F32, s.HeadDim)
			add(l+"attn_k_norm.weight", F32, s.HeadDim)
		case "full":
			add(l+"attn_q_norm.weight", F32, row)
			add(l+"attn_k_norm.weight", F32, kvRow)
		}
		if s.PostNorm {
			add(l+"post_attention_norm.weight", F32, s.Embedding)
			add(l+"post_ffw_norm.weight", F32, s.Embedding)
		}
		if s.Experts > 0 {
			add(l+"ffn_gate_inp.weight", F32, s.Embedding, s.Experts)
			add(l+"ffn_gate_exps.weight", q, s.Embedding, s.FeedForward, s.Experts)
			add(l+"ffn_up_exps.weight", q, s.Embedding, s.FeedForward, s.Experts)
			add(l+"ffn_down_exps.weight", q, s.FeedForward, s.Embedding, s.Experts)
		} else {
			add(l+"ffn_gate.weight", q, s.Embedding, s.FeedForward)
			add(l+"ffn_up.weight", q, s.Embedding, s.FeedForward)
			add(l+"ffn_down.weight", q, s.FeedForward, s.Embedding)
		}
	}
	return b, weights, bytes
}
