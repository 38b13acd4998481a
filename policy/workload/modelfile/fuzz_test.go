package modelfile

import (
	"bytes"
	"encoding/binary"
	"testing"

	"headroom/assets"
	"headroom/policy/workload"
	"headroom/policy/workload/modelfile/gguf"
	"headroom/policy/workload/modelfile/gguf/gguftest"
	"headroom/policy/workload/modelfile/safetensors"
)

// checkSized holds what must be true of every model that any bytes were read as.
func checkSized(t *testing.T, m workload.Model) {
	t.Helper()
	if len(m.Layers) > maxLayers {
		t.Errorf("%d layers", len(m.Layers))
	}
	if m.Params > maxWeights || m.ActiveParams > m.Params {
		t.Errorf("%d of %d weights are active", m.ActiveParams, m.Params)
	}
	small, large := m.KVBytes(workload.Options{Context: 1024}), m.KVBytes(workload.Options{Context: 2048})
	if small > large {
		t.Errorf("the KV cache shrinks from %d to %d as the context doubles", small, large)
	}
}

func FuzzGGUF(f *testing.F) {
	for _, s := range []string{"qwen2.5-0.5b", "gemma-3-4b", "mixtral-8x7b"} {
		shape := gguftest.Shapes[s]
		shape.Vocab, shape.Layers = 3, 1
		b, _, _ := shape.Build(s, gguftest.Q8_0)
		h, _ := b.Header()
		f.Add(h)
	}
	old := &gguftest.Builder{Version: 1, Order: binary.BigEndian}
	old.Key("general.architecture", "mamba").Key("mamba.block_count", uint32(1)).Key("mamba.ssm.state_size", uint32(16)).Key("mamba.embedding_length", uint32(8)).Tensor("blk.0.ssm_in.weight", 99, 64, 8)
	h, _ := old.Header()
	f.Add(h)
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := gguf.Read(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		file := File{Container: ContainerGGUF, Paths: []string{"model.gguf"}}
		if err := file.sizeGGUF(h, h.Tensors); err == nil {
			checkSized(t, file.Model)
		}
	})
}

func FuzzSafetensors(f *testing.F) {
	for _, header := range []string{
		`{"__metadata__":{"format":"pt"},"model.layers.0.self_attn.k_proj.weight":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}}`,
		`{"m.qweight":{"dtype":"I32","shape":[4,8],"data_offsets":[0,128]},"m.qzeros":{"dtype":"I32","shape":[1,1],"data_offsets":[128,132]},"m.scales":{"dtype":"F16","shape":[1,8],"data_offsets":[132,148]}}`,
		`{"m.weight":{"dtype":"U32","shape":[4,8],"data_offsets":[0,128]},"m.scales":{"dtype":"F16","shape":[4,1],"data_offsets":[128,136]},"x_blocks":{"dtype":"U8","shape":[4],"data_offsets":[136,140]}}`,
	} {
		f.Add(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), `{"quant_method":"gptq","bits":4,"group_size":128}`)
	}
	f.Fuzz(func(t *testing.T, b []byte, quantization string) {
		h, err := safetensors.Read(bytes.NewReader(b), int64(len(b)))
		if err != nil || len(h.Tensors) == 0 {
			return
		}
		c := hfConfig{QuantizationConfig: []byte(quantization)}
		c.merge()
		file := File{Container: ContainerSafetensors, Model: shapedModel(h.Tensors)}
		if err := file.countSafetensors(h.Tensors, &c); err == nil {
			checkSized(t, file.Model)
		}
	})
}

func FuzzConfig(f *testing.F) {
	models, err := entries(assets.Catalogue)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range models {
		f.Add([]byte(e.Config))
	}
	f.Add([]byte(`{"text_config":{"model_type":"gemma3_text","hidden_size":64,"num_hidden_layers":2},"quantization_config":{"quant_method":"awq"}}`))
	f.Add([]byte(`{"model_type":"jamba","hidden_size":64,"num_hidden_layers":8,"num_attention_heads":4,"attn_layer_period":8,"attn_layer_offset":4,"expert_layer_period":2,"num_experts":16,"num_experts_per_tok":2,"mamba_d_state":16,"mamba_expand":2,"mamba_dt_rank":"auto"}`))
	f.Add([]byte(`{"model_type":"falcon_h1","hidden_size":64,"num_layers":2,"num_attention_heads":4,"mamba_d_ssm":96,"mamba_n_heads":6,"mamba_d_state":16}`))
	f.Add([]byte(`{"model_type":"gemma3n_text","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"hidden_size_per_layer_input":8,"vocab_size_per_layer_input":100,"laurel_rank":4}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parseHFConfig(b)
		if err != nil {
			return
		}
		checkSized(t, c.model())
		c.format()
	})
}
