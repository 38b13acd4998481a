package modelfile_test

import (
	"fmt"
	"strings"
	"testing"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
	"headroom/policy/workload/modelfile/gguf/gguftest"
)

// keys are an architecture's keys without its name.
type keys map[string]any

// stub is a file with the keys of an architecture and next to no weights: one norm a layer.
func stub(arch string, layers uint32, k keys) *gguftest.Builder {
	b := &gguftest.Builder{}
	b.Key("general.architecture", arch).Key(arch+".block_count", layers)
	for name, v := range k {
		b.Key(arch+"."+name, v)
	}
	width := k["embedding_length"].(uint64)
	b.Tensor("token_embd.weight", 1, width*32*2, width, 32)
	for i := range min(layers, 2000) {
		b.Tensor(fmt.Sprintf("blk.%d.attn_norm.weight", i), 0, 4, 1)
	}
	return b
}

func open(t *testing.T, b *gguftest.Builder) modelfile.File {
	t.Helper()
	f, err := modelfile.Open(b.Write(t, t.TempDir(), "model.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func u(n uint64) uint64 { return n }

// TestCacheByArchitecture sizes the KV cache of architectures that differ in what they keep. The figures are worked out
// from each model's shape, or were printed by llama.cpp where it says so.
func TestCacheByArchitecture(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		name    string
		b       *gguftest.Builder
		context uint64
		want    uint64
	}{
		{"llama 8B", stub("llama", 32, keys{"embedding_length": u(4096), "attention.head_count": u(32), "attention.head_count_kv": u(8)}), 8192, 1 << 30},
		{"heads without key length", stub("llama", 22, keys{"embedding_length": u(2048), "attention.head_count": u(32), "attention.head_count_kv": u(4)}), 2048, 44 * mib},
		{
			"latent attention keeps 576 of each token", stub("deepseek2", 61, keys{
				"embedding_length": u(7168), "attention.head_count": u(128), "attention.head_count_kv": u(1), "attention.key_length": u(576), "attention.value_length": u(512),
				"attention.key_length_mla": u(192), "attention.value_length_mla": u(128), "attention.kv_lora_rank": u(512), "rope.dimension_count": u(64),
			}), 8192, 575_668_224,
		},
		{ // ggml-org/llama.cpp pull request 11446: 2196.00 MiB.
			"latent attention at 32768", stub("deepseek2", 61, keys{
				"embedding_length": u(7168), "attention.head_count": u(128), "attention.head_count_kv": u(1), "attention.key_length": u(576), "attention.value_length": u(512),
				"attention.key_length_mla": u(192), "attention.value_length_mla": u(128), "attention.kv_lora_rank": u(512), "rope.dimension_count": u(64),
			}), 32768, 2196 * mib,
		},
		{
			"latent attention in a file from before keeps full heads", stub("deepseek2", 27, keys{
				"embedding_length": u(2048), "attention.head_count": u(16), "attention.head_count_kv": u(16), "attention.key_length": u(192), "attention.value_length": u(128),
				"attention.kv_lora_rank": u(512), "rope.dimension_count": u(64),
			}), 4096, 27 * 16 * (192 + 128) * 4096 * 2,
		},
		{
			"gemma 3 slides in five of six layers", stub("gemma3", 62, keys{
				"embedding_length": u(5376), "attention.head_count": u(32), "attention.head_count_kv": u(16), "attention.key_length": u(128), "attention.value_length": u(128), "attention.sliding_window": u(1024),
			}), 8192, (10*8192 + 52*1792) * 16 * 256 * 2,
		},
		{
			"gemma 2 slides in every other layer, 4096 unless it says", stub("gemma2", 42, keys{
				"embedding_length": u(3584), "attention.head_count": u(16), "attention.head_count_kv": u(8), "attention.key_length": u(256), "attention.value_length": u(256),
			}), 8192, (21*8192 + 21*4864) * 8 * 512 * 2,
		},
		{
			"gpt-oss slides in every other layer", stub("gpt-oss", 24, keys{
				"embedding_length": u(2880), "attention.head_count": u(64), "attention.head_count_kv": u(8), "attention.key_length": u(64), "attention.value_length": u(64), "attention.sliding_window": u(128),
			}), 131072, (12*131072 + 12*768) * 8 * 128 * 2,
		},
		{
			"mistral's window is not used", stub("llama", 32, keys{
				"embedding_length": u(4096), "attention.head_count": u(32), "attention.head_count_kv": u(8), "attention.sliding_window": u(4096),
			}), 8192, 1 << 30,
		},
		{
			"a pattern of windows, one a layer", stub("mimo2", 4, keys{
				"embedding_length": u(1024), "attention.head_count": u(8), "attention.head_count_kv": u(8), "attention.sliding_window": u(128),
				"attention.sliding_window_pattern": []bool{true, false, true, true},
			}), 8192, (8192 + 3*768) * 1024 * 2 * 2,
		},
		{
			"a pattern of windows as a period", stub("plamo3", 4, keys{
				"embedding_length": u(1024), "attention.head_count": u(8), "attention.head_count_kv": u(8), "attention.sliding_window": u(128), "attention.sliding_window_pattern": u(2),
			}), 8192, (2*8192 + 2*768) * 1024 * 2 * 2,
		},
		{
			"narrower heads under the window, and layers that share", stub("gemma4", 6, keys{
				"embedding_length": u(1536), "attention.head_count": u(8), "attention.head_count_kv": u(1), "attention.key_length": u(512), "attention.value_length": u(512),
				"attention.key_length_swa": u(256), "attention.value_length_swa": u(256), "attention.sliding_window": u(512),
				"attention.sliding_window_pattern": []bool{true, false, true, false, true, false}, "attention.shared_kv_layers": u(2),
			}), 8192, 2*8192*1024*2 + 2*1280*512*2,
		},
		{ // facts from a cross-check: LFM2 1.2B, its six attention layers; ten convolutions keep two columns of 2048.
			"heads listed by layer", stub("lfm2", 16, keys{
				"embedding_length": u(2048), "attention.head_count": u(32), "shortconv.l_cache": u(3),
				"attention.head_count_kv": []int32{0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0},
			}), 8192, 100_827_136,
		},
		{
			"full attention in every fourth layer", stub("qwen3next", 40, keys{
				"embedding_length": u(2048), "attention.head_count": u(16), "attention.head_count_kv": u(2), "attention.key_length": u(256), "attention.value_length": u(256), "full_attention_interval": u(4),
			}), 8192, 10 * 8192 * 2 * 512 * 2,
		},
		{
			"gated delta net keeps a state", stub("qwen35", 4, keys{
				"embedding_length": u(2560), "attention.head_count": u(16), "attention.head_count_kv": u(4), "attention.key_length": u(256), "attention.value_length": u(256),
				"ssm.conv_kernel": u(4), "ssm.inner_size": u(4096), "ssm.state_size": u(128), "ssm.group_count": u(16), "ssm.time_step_rank": u(32),
			}), 8192, 8192*4*512*2 + 3*4*(3*(4096+2*16*128)+128*4096),
		},
		{
			"mamba has no cache, only a state", stub("mamba", 2, keys{
				"embedding_length": u(768), "attention.head_count": u(0), "ssm.conv_kernel": u(4), "ssm.inner_size": u(1536), "ssm.state_size": u(16),
			}), 8192, 2 * 4 * (3*1536 + 16*1536),
		},
		{"an encoder has no cache", stub("bert", 24, keys{"embedding_length": u(1024), "attention.head_count": u(16), "attention.causal": false}), 512, 0},
		{
			"heads for several tokens at once keep none", stub("glm4moe", 3, keys{
				"embedding_length": u(1024), "attention.head_count": u(8), "attention.head_count_kv": u(8), "nextn_predict_layers": u(1),
			}), 8192, 2 * 8192 * 1024 * 2 * 2,
		},
	} {
		f := open(t, c.b)
		if got := f.Model.At(workload.Options{Context: c.context}).KVBytes; got != c.want {
			t.Errorf("%s: %d bytes at %d, want %d", c.name, got, c.context, c.want)
		}
	}
}

// TestCrafted holds headers that are well formed and describe no model: one clear error each.
func TestCrafted(t *testing.T) {
	good := keys{"embedding_length": u(64), "attention.head_count": u(8)}
	with := func(name string, v any) keys {
		k := keys{}
		for n, v := range good {
			k[n] = v
		}
		k[name] = v
		return k
	}
	b := func() *gguftest.Builder { return &gguftest.Builder{} }
	for _, c := range []struct {
		name string
		b    *gguftest.Builder
		want string
	}{
		{"2^31 layers", stub("llama", 1<<31, good), "llama.block_count: is 2147483648"},
		{"more layers than tensors", b().Key("general.architecture", "llama").Key("llama.block_count", uint32(900)).Tensor("token_embd.weight", 1, 0, 64, 32), "there are only 1 tensors"},
		{"context length as text", stub("llama", 2, with("context_length", "8192")), "llama.context_length: is string"},
		{"architecture as a number", b().Key("general.architecture", uint32(1)), "general.architecture: is uint32"},
		{"no architecture", b().Key("llama.block_count", uint32(1)), "general.architecture is missing"},
		{"no heads", stub("llama", 2, keys{"embedding_length": u(64)}), "head_count is missing"},
		{"2^32 heads", stub("llama", 2, with("attention.head_count", u(1<<32))), "more than the"},
		{"heads as a float", stub("llama", 2, with("attention.head_count_kv", float32(8))), "float32"},
		{"heads for three of two layers", stub("llama", 2, with("attention.head_count_kv", []int32{1, 2, 3})), "3 elements where at most 2"},
		{"heads for one of two layers", stub("llama", 2, with("attention.head_count_kv", []int32{1})), "1 elements for 2 layers"},
		{"negative heads", stub("llama", 2, with("attention.head_count_kv", []int32{1, -1})), "negative"},
		{"more experts used than there are", stub("llama", 2, with("expert_used_count", u(9))), "9 of 0 experts"},
		{"a projector", b().Key("general.architecture", "clip").Key("general.type", "mmproj").Tensor("v", 0, 4, 1), "of type mmproj"},
		{"a picture model", b().Key("general.architecture", "flux").Tensor("v", 0, 4, 1), "flux.block_count is missing"},
		{"a vocabulary", b().Key("general.architecture", "llama").Key("llama.block_count", uint32(32)), "no tensors"},
		{"a name that is no text", stub("llama", 2, good).Key("general.name", uint32(1)), ""},
	} {
		f, err := modelfile.Open(c.b.Write(t, t.TempDir(), "model.gguf"))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want == "" && f.Model.Name != "model":
			t.Errorf("%s: is called %q, want the file's name", c.name, f.Model.Name)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestMixtureOfExperts(t *testing.T) {
	b, weights, bytes := gguftest.Shapes["mixtral-8x7b"].Build("Mixtral 8x7B", gguftest.Q4_0)
	f := open(t, b)
	if f.Model.Params != weights || weights != 46_702_792_704 || f.WeightBytes != bytes {
		t.Errorf("%d weights in %d bytes, want %d in %d", f.Model.Params, f.WeightBytes, weights, bytes)
	}
	if f.Model.ActiveParams != 12_879_925_248 {
		t.Errorf("%d active weights, want the 12.9 B that two of eight experts and the rest make", f.Model.ActiveParams)
	}
	l := f.Model.Layers[0]
	if l.Experts != 8 || l.ExpertsUsed != 2 || l.ExpertFeedForward != 14336 || l.FeedForward != 0 {
		t.Errorf("layer %+v", l)
	}
	if f.Format != "Q4_0" || f.BitsPerWeight < 4.5 || f.BitsPerWeight > 4.51 {
		t.Errorf("format %s at %.3f bits", f.Format, f.BitsPerWeight)
	}
}

// TestLayerDetails reads from tensors what keys do not say.
func TestLayerDetails(t *testing.T) {
	build := func(name string) workload.Layer {
		b, _, _ := gguftest.Shapes[name].Build(name, gguftest.F16)
		f := open(t, b)
		if f.Model.TiedEmbeddings != gguftest.Shapes[name].Tied {
			t.Errorf("%s: tied %v", name, f.Model.TiedEmbeddings)
		}
		return f.Model.Layers[0]
	}
	if l := build("qwen2.5-0.5b"); !l.QKVBias || l.OutputBias || l.QKNorm != "" || l.PostNorm || l.Ungated || l.FeedForward != 4864 {
		t.Errorf("qwen2: %+v", l)
	}
	if l := build("gemma-3-4b"); l.QKVBias || l.QKNorm != workload.QKNormHead || !l.PostNorm || l.Parallel {
		t.Errorf("gemma 3: %+v", l)
	}
	if l := build("olmo-2-1b"); l.QKNorm != workload.QKNormFull || l.PostNorm {
		t.Errorf("olmo 2: %+v", l)
	}
}

func TestUnknownTypesAreCounted(t *testing.T) {
	b := stub("llama", 1, keys{"embedding_length": u(64), "attention.head_count": u(8)})
	b.Tensor("blk.0.a.weight", 39, 17*4, 32, 4).Tensor("blk.0.b.weight", 40, 36*2, 64, 2).Tensor("blk.0.c.weight", 99, 1000, 50, 8)
	f := open(t, b)
	byName := map[string]modelfile.TypeShare{}
	for _, s := range f.Types {
		byName[s.Name] = s
	}
	if s := byName["MXFP4"]; !s.Known || s.Params != 128 || s.Bytes != 68 {
		t.Errorf("MXFP4: %+v", s)
	}
	if s := byName["NVFP4"]; !s.Known || s.Params != 128 || s.Bytes != 72 {
		t.Errorf("NVFP4: %+v", s)
	}
	if s := byName["type 99"]; s.Known || s.Params != 400 || s.Bytes != 1024 {
		t.Errorf("type 99: %+v; want 400 weights in the 1024 bytes up to the end", s)
	}
	if len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "type 99") {
		t.Errorf("notes %q do not name the unknown type", f.Notes)
	}
}

func TestRotaryTablesAreNoWeights(t *testing.T) {
	b, weights, bytes := gguftest.Shapes["llama-3.1-8b"].Build("Llama", gguftest.Q8_0)
	f := open(t, b.Tensor("rope_freqs.weight", 0, 256, 64))
	if f.Model.Params != weights || f.WeightBytes != bytes+256 {
		t.Errorf("%d weights in %d bytes, want %d in %d", f.Model.Params, f.WeightBytes, weights, bytes+256)
	}
}
