package modelfile_test

import (
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
