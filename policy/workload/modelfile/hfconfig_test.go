package modelfile_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
)

// TestConfigAlone sizes models from their config.json, without weights.
func TestConfigAlone(t *testing.T) {
	for _, c := range []struct {
		name, config string
		params, kv   uint64
		format       string
		notes        int
	}{
		{"dense", `{"model_type":"llama","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,"max_position_embeddings":131072,"torch_dtype":"bfloat16"}`, 8_030_261_248, 1 << 30, "BF16", 1},
		{"without key-value heads", `{"model_type":"llama","hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":null,"vocab_size":32000,"torch_dtype":"float16"}`, 6_738_415_616, 4 << 30, "F16", 1},
		{"windows by name, in the text part", `{"model_type":"gemma3","tie_word_embeddings":true,"text_config":{"model_type":"gemma3_text","hidden_size":1152,"intermediate_size":6912,"num_hidden_layers":3,"num_attention_heads":4,"num_key_value_heads":1,"head_dim":256,"vocab_size":1000,"sliding_window":512,"layer_types":["sliding_attention","sliding_attention","full_attention"],"dtype":"float32"}}`, 81_679_488, (8192 + 2*1280) * 512 * 2, "F32", 1},
		{"unknown family", `{"model_type":"newest","hidden_size":64,"intermediate_size":128,"num_hidden_layers":1,"num_attention_heads":4,"num_key_value_heads":4,"vocab_size":100}`, 2*100*64 + 64 + 4*64*64 + 3*64*128 + 2*64, 8192 * 128 * 2, "BF16", 2},
		{"quantised", `{"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":1,"num_attention_heads":4,"vocab_size":100,"quantization_config":{"quant_method":"awq","bits":4}}`, 2*100*64 + 64 + 4*64*64 + 3*64*128 + 2*64, 8192 * 128 * 2, "AWQ 4-bit", 1},
		{"an encoder keeps no cache", `{"model_type":"xlm-roberta","hidden_size":1024,"intermediate_size":4096,"num_hidden_layers":24,"num_attention_heads":16,"vocab_size":250002,"max_position_embeddings":8194,"type_vocab_size":1,"torch_dtype":"float16"}`, 567_754_752, 0, "F16", 1},
		{"a pattern in letters", `{"model_type":"exaone4","hidden_size":64,"intermediate_size":128,"num_hidden_layers":4,"num_attention_heads":4,"vocab_size":100,"head_dim":16,"sliding_window":128,"sliding_window_pattern":"LLLG"}`, 2*100*64 + 64 + 4*(4*64*64+3*64*128+2*64+2*16), (8192 + 3*768) * 128 * 2, "BF16", 1},
	} {
		path := filepath.Join(t.TempDir(), "some-model", "config.json")
		write(t, path, c.config)
		f, err := modelfile.Open(path)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if f.HasWeights() || f.Format != c.format || f.Model.Name != "some-model" || len(f.Notes) != c.notes {
			t.Errorf("%s: weights %v, format %s, name %q, notes %q", c.name, f.HasWeights(), f.Format, f.Model.Name, f.Notes)
		}
		if f.Model.Params != c.params {
			t.Errorf("%s: %d weights, want %d", c.name, f.Model.Params, c.params)
		}
		if kv := f.Model.KVBytes(workload.Options{Context: 8192}); kv != c.kv {
			t.Errorf("%s: KV %d, want %d", c.name, kv, c.kv)
		}
	}
}

// TestConfigFamilies holds counts of weights and caches at 8192 tokens (2048 where a family has no more) of families that differ
// from Llama in what they call things and in what a layer is. The counts are those that their makers publish.
func TestConfigFamilies(t *testing.T) {
	for _, c := range []struct {
		name, config string
		params       float64
		kv           uint64
	}{
		{"GPT-2", `{"model_type":"gpt2","n_embd":768,"n_layer":12,"n_head":12,"n_positions":1024,"vocab_size":50257}`, 124.44e6, 12 * 2 * 768 * 2 * 1024},
		{"Pythia 1.4B", `{"model_type":"gpt_neox","hidden_size":2048,"intermediate_size":8192,"num_hidden_layers":24,"num_attention_heads":16,"vocab_size":50304,"max_position_embeddings":2048,"tie_word_embeddings":false}`, 1.4147e9, 24 * 2 * 2048 * 2 * 2048},
		{"OPT 1.3B", `{"model_type":"opt","hidden_size":2048,"ffn_dim":8192,"num_hidden_layers":24,"num_attention_heads":32,"vocab_size":50272,"max_position_embeddings":2048}`, 1.3158e9, 24 * 2 * 2048 * 2 * 2048},
		{"BLOOM 1.7B", `{"model_type":"bloom","hidden_size":2048,"n_layer":24,"n_head":16,"vocab_size":250880}`, 1.7224e9, 24 * 2 * 2048 * 2 * 8192},
		{"Falcon 7B", `{"model_type":"falcon","hidden_size":4544,"num_hidden_layers":32,"num_attention_heads":71,"multi_query":true,"new_decoder_architecture":false,"vocab_size":65024,"max_position_embeddings":2048}`, 7.217e9, 32 * 2 * 64 * 2 * 2048},
		{"Falcon 40B", `{"model_type":"falcon","hidden_size":8192,"num_hidden_layers":60,"num_attention_heads":128,"num_kv_heads":8,"new_decoder_architecture":true,"vocab_size":65024,"max_position_embeddings":2048}`, 41.84e9, 60 * 2 * 512 * 2 * 2048},
		{"StarCoder", `{"model_type":"gpt_bigcode","n_embd":6144,"n_layer":40,"n_head":48,"n_inner":24576,"n_positions":8192,"multi_query":true,"vocab_size":49152}`, 15.52e9, 40 * 2 * 128 * 2 * 8192},
		{"GLM-4 9B", `{"model_type":"chatglm","hidden_size":4096,"ffn_hidden_size":13696,"num_layers":40,"num_attention_heads":32,"multi_query_group_num":2,"kv_channels":128,"padded_vocab_size":151552,"seq_length":131072}`, 9.4e9, 40 * 2 * 256 * 2 * 8192},
		{"EXAONE 3.5 7.8B", `{"model_type":"exaone","hidden_size":4096,"intermediate_size":14336,"num_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":102400,"max_position_embeddings":32768}`, 7.818e9, 1 << 30},
		{"Mamba 2.8B", `{"model_type":"mamba","hidden_size":2560,"num_hidden_layers":64,"state_size":16,"conv_kernel":4,"expand":2,"intermediate_size":5120,"time_step_rank":"auto","vocab_size":50280}`, 2.768e9, 64 * 4 * (3*5120 + 16*5120)},
		{"Mamba Codestral 7B", `{"model_type":"mamba2","hidden_size":4096,"num_hidden_layers":64,"state_size":128,"conv_kernel":4,"expand":2,"num_heads":128,"head_dim":64,"n_groups":8,"vocab_size":32768,"tie_word_embeddings":false}`, 7.285e9, 64 * 4 * (3*(8192+2*8*128) + 128*8192)},
		{"Falcon H1 0.5B", `{"model_type":"falcon_h1","hidden_size":1024,"intermediate_size":2048,"num_hidden_layers":36,"num_attention_heads":8,"num_key_value_heads":2,"head_dim":64,"vocab_size":32784,"mamba_d_ssm":1536,"mamba_n_heads":24,"mamba_d_state":128,"mamba_n_groups":1,"mamba_d_conv":4,"tie_word_embeddings":false}`, 521.4e6, 36*2*128*2*8192 + 36*4*(3*(1536+256)+128*1536)},
		{"Jamba Mini", `{"model_type":"jamba","hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":65536,"attn_layer_period":8,"attn_layer_offset":4,"expert_layer_period":2,"expert_layer_offset":1,"num_experts":16,"num_experts_per_tok":2,"mamba_d_state":16,"mamba_d_conv":4,"mamba_expand":2,"mamba_dt_rank":256}`, 51.57e9, 4*2*1024*2*8192 + 28*4*(3*8192+16*8192)},
		{"Gemma 3n E4B", `{"model_type":"gemma3n","text_config":{"model_type":"gemma3n_text","hidden_size":2048,"intermediate_size":16384,"num_hidden_layers":35,"num_attention_heads":8,"num_key_value_heads":2,"head_dim":256,"vocab_size":262400,"vocab_size_per_layer_input":262144,"hidden_size_per_layer_input":256,"num_kv_shared_layers":15,"sliding_window":512,"laurel_rank":64}}`, 6.87e9, (4*8192 + 16*1280) * 1024 * 2},
	} {
		path := filepath.Join(t.TempDir(), "m", "config.json")
		write(t, path, c.config)
		f, err := modelfile.Open(path)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := float64(f.Model.Params); math.Abs(got-c.params) > 0.006*c.params || len(f.Notes) != 1 {
			t.Errorf("%s: %.5g weights, published are %.5g; notes %q", c.name, got, c.params, f.Notes)
		}
		if kv := f.Model.KVBytes(workload.Options{}); kv != c.kv {
			t.Errorf("%s: KV %d, want %d", c.name, kv, c.kv)
		}
		if f.Model.ActiveParams == 0 || f.Model.ActiveParams > f.Model.Params {
			t.Errorf("%s: %d of %d weights are active", c.name, f.Model.ActiveParams, f.Model.Params)
		}
	}
}

func TestConfigHostile(t *testing.T) {
	base := `"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4`
	for name, config := range map[string]string{
		"no JSON":                     `hello`,
		"a list":                      `[]`,
		"no figures":                  `{}`,
		"a tokenizer's config":        `{"model_max_length":8192}`,
		"2^31 layers":                 `{"model_type":"llama","hidden_size":64,"num_hidden_layers":2147483648,"num_attention_heads":4}`,
		"negative width":              `{"model_type":"llama","hidden_size":-64,"num_hidden_layers":2}`,
		"width as text":               `{"model_type":"llama","hidden_size":"64","num_hidden_layers":2}`,
		"2^40 heads":                  `{` + base + `,"num_key_value_heads":1099511627776}`,
		"huge heads":                  `{` + base + `,"head_dim":1099511627776}`,
		"more experts used than are":  `{` + base + `,"num_experts":4,"num_experts_per_tok":5}`,
		"types for another count":     `{` + base + `,"layer_types":["full_attention"]}`,
		"rows beyond any":             `{` + base + `,"num_key_value_heads":16384,"head_dim":65536}`,
		"a width by layer beyond any": `{` + base + `,"intermediate_size":[1,18446744073709551615]}`,
	} {
		path := filepath.Join(t.TempDir(), "config.json")
		write(t, path, config)
		if f, err := modelfile.Open(path); err == nil {
			t.Errorf("%s: opened as %+v", name, f.Model)
		} else if strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s: more than one line: %v", name, err)
		}
	}
}
