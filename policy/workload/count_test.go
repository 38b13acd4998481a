package workload_test

import (
	"math"
	"slices"
	"testing"

	"headroom/policy/workload"
)

// alike is the model with n layers of one kind.
func alike(m workload.Model, n int, l workload.Layer) workload.Model {
	m.Layers = slices.Repeat([]workload.Layer{l}, n)
	return m
}

// deepseekV3 has latent attention, three dense layers, then mixtures with one shared expert.
func deepseekV3() workload.Model {
	l := workload.Layer{
		Attention: true, Heads: 128, KVHeads: 128, KeyLength: 192, ValueLength: 128, KVRank: 576, QueryRank: 1536, RopeLength: 64,
		Experts: 256, ExpertsUsed: 8, ExpertFeedForward: 2048, SharedFeedForward: 2048, RouterBias: true,
	}
	m := alike(workload.Model{Name: "DeepSeek V3", Arch: "deepseek2", Embedding: 7168, Vocab: 129280, MaxContext: 163840}, 61, l)
	for i := range 3 {
		d := &m.Layers[i]
		d.Experts, d.ExpertsUsed, d.ExpertFeedForward, d.SharedFeedForward, d.RouterBias = 0, 0, 0, 0, false
		d.FeedForward = 18432
	}
	return m
}

// gptOSS20B alternates windows of 128 with full attention and has biases nearly everywhere.
func gptOSS20B() workload.Model {
	m := alike(workload.Model{Name: "gpt-oss 20B", Arch: "gpt-oss", Embedding: 2880, Vocab: 201088, MaxContext: 131072}, 24, workload.Layer{
		Attention: true, Heads: 64, KVHeads: 8, KeyLength: 64, ValueLength: 64, QKVBias: true, OutputBias: true, Sinks: true,
		Experts: 32, ExpertsUsed: 4, ExpertFeedForward: 2880, RouterBias: true, FeedForwardBias: true,
	})
	for i := 0; i < len(m.Layers); i += 2 {
		m.Layers[i].Window = 128
	}
	return m
}

// The counts are those that the models' publishers, or their weight files, state.
func TestCountMeetsPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		name          string
		m             workload.Model
		total, active uint64
	}{
		{name: "Llama 3.1 8B", m: specs["llama-3.1-8b"].model(""), total: 8_030_261_248},
		{name: "Llama 3.1 70B", m: specs["llama-3.1-70b"].model(""), total: 70_553_706_496},
		{name: "Llama 3.2 1B, tied", m: specs["llama-3.2-1b"].model(""), total: 1_235_814_400},
		{name: "Qwen2.5 0.5B, biases", m: specs["qwen2.5-0.5b"].model(""), total: 494_032_768},
		{name: "Qwen3 0.6B, norms on heads", m: specs["qwen3-0.6b"].model(""), total: 596_049_920},
		{name: "Gemma 3 1B, four norms", m: specs["gemma-3-1b"].model(""), total: 999_885_952},
		{name: "OLMoE, norms on rows", m: specs["olmoe-1b-7b"].model(""), total: 6_919_161_856, active: 1_281_951_744},
		{name: "DeepSeek V3", m: deepseekV3(), total: 671_026_419_200, active: 37_552_000_000},
		{name: "gpt-oss 20B", m: gptOSS20B(), total: 20_914_757_184, active: 4_190_000_000},
		{
			name: "Mixtral 8x7B",
			m: alike(workload.Model{Embedding: 4096, Vocab: 32000}, 32, workload.Layer{
				Attention: true, Heads: 32, KVHeads: 8, KeyLength: 128, ValueLength: 128, Experts: 8, ExpertsUsed: 2, ExpertFeedForward: 14336,
			}),
			total: 46_702_792_704, active: 12_879_925_248,
		},
		{
			name: "Qwen1.5 MoE A2.7B, gated shared experts",
			m: alike(workload.Model{Embedding: 2048, Vocab: 151936}, 24, workload.Layer{
				Attention: true, Heads: 16, KVHeads: 16, KeyLength: 128, ValueLength: 128, QKVBias: true,
				Experts: 60, ExpertsUsed: 4, ExpertFeedForward: 1408, SharedFeedForward: 5632, SharedGate: true,
			}),
			total: 14_315_784_192,
		},
		{
			name: "StarCoder2 3B, layer norms, ungated",
			m: alike(workload.Model{Embedding: 3072, Vocab: 49152, TiedEmbeddings: true, NormBias: true}, 30, workload.Layer{
				Attention: true, Heads: 24, KVHeads: 2, KeyLength: 128, ValueLength: 128, QKVBias: true, OutputBias: true,
				FeedForward: 12288, Ungated: true, FeedForwardBias: true,
			}),
			total: 3_030_371_328,
		},
		{
			name: "Phi-2, parallel parts, a biased output",
			m: alike(workload.Model{Embedding: 2560, Vocab: 51200, NormBias: true, ExtraParams: 51200}, 32, workload.Layer{
				Attention: true, Heads: 32, KVHeads: 32, KeyLength: 80, ValueLength: 80, QKVBias: true, OutputBias: true,
				Parallel: true, FeedForward: 10240, Ungated: true, FeedForwardBias: true,
			}),
			total: 2_779_683_840,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			total, active := c.m.Count()
			if total != c.total {
				t.Errorf("%d weights, published %d", total, c.total)
			}
			if c.active == 0 {
				return
			}
			if off := math.Abs(float64(active)/float64(c.active) - 1); off > 0.005 {
				t.Errorf("%d active weights, published %d: off by %.2f %%", active, c.active, 100*off)
			}
		})
	}
}

func TestAtCountsWhatTheModelLeavesOut(t *testing.T) {
	m := specs["olmoe-1b-7b"].model("olmoe")
	total, active := m.Count()
	m.Params, m.ActiveParams = 0, 0
	if w := m.At(workload.Options{}); w.Params != total || w.ActiveParams != active {
		t.Errorf("%d weights, %d active; counted %d, %d", w.Params, w.ActiveParams, total, active)
	}
	m.Params = 7e9
	if w := m.At(workload.Options{}); w.Params != 7e9 || w.ActiveParams != active {
		t.Errorf("a stated count is replaced: %d, %d", w.Params, w.ActiveParams)
	}
}

func TestLargestTensor(t *testing.T) {
	for _, c := range []struct {
		name string
		m    workload.Model
		want uint64
	}{
		{"the vocabulary", specs["llama-3.1-8b"].model(""), 128256 * 4096},
		{"experts, stacked into one", specs["olmoe-1b-7b"].model(""), 2048 * 1024 * 64},
		{"the feed-forward part", spec{embedding: 64, inner: 256, layers: 1, heads: 1, kv: 1, head: 64, vocab: 100}.model(""), 64 * 256},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.m.At(workload.Options{}).LargestTensor; got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}
