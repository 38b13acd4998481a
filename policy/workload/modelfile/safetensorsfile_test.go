package modelfile_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
)

// tensor is a name with its type and shape.
type tensor struct {
	name, dtype string
	shape       []uint64
}

var dtypeBits = map[string]uint64{"F32": 32, "BF16": 16, "F16": 16, "F8_E4M3": 8, "U8": 8, "I8": 8, "I16": 16, "I32": 32, "U32": 32, "I64": 64, "F4": 4}

// writeSafetensors writes a file whose data is a hole.
func writeSafetensors(t *testing.T, dir, name string, tensors ...tensor) string {
	t.Helper()
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var end uint64
	for _, x := range tensors {
		n := uint64(1)
		for _, d := range x.shape {
			n *= d
		}
		begin := end
		end += n * dtypeBits[x.dtype] / 8
		header[x.name] = map[string]any{"dtype": x.dtype, "shape": x.shape, "data_offsets": []uint64{begin, end}}
	}
	b, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	write(t, path, string(append(binary.LittleEndian.AppendUint64(nil, uint64(len(b))), b...)))
	if err := os.Truncate(path, int64(8+uint64(len(b))+end)); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

const smallConfig = `{"model_type":"llama","hidden_size":256,"intermediate_size":512,"num_hidden_layers":2,"num_attention_heads":8,"num_key_value_heads":2,"vocab_size":1000,"max_position_embeddings":4096,"torch_dtype":"bfloat16"%s}`

// smallModel is the tensors of smallConfig's model; from is the layer to start at, embeddings with the first.
func smallModel(from, to int) []tensor {
	var list []tensor
	if from == 0 {
		list = []tensor{{"model.embed_tokens.weight", "BF16", []uint64{1000, 256}}, {"lm_head.weight", "BF16", []uint64{1000, 256}}, {"model.norm.weight", "BF16", []uint64{256}}}
	}
	for i := from; i < to; i++ {
		l := fmt.Sprintf("model.layers.%d.", i)
		list = append(list,
			tensor{l + "self_attn.q_proj.weight", "BF16", []uint64{256, 256}}, tensor{l + "self_attn.k_proj.weight", "BF16", []uint64{64, 256}},
			tensor{l + "self_attn.v_proj.weight", "BF16", []uint64{64, 256}}, tensor{l + "self_attn.o_proj.weight", "BF16", []uint64{256, 256}},
			tensor{l + "mlp.gate_proj.weight", "BF16", []uint64{512, 256}}, tensor{l + "mlp.up_proj.weight", "BF16", []uint64{512, 256}},
			tensor{l + "mlp.down_proj.weight", "BF16", []uint64{256, 512}},
			tensor{l + "input_layernorm.weight", "BF16", []uint64{256}}, tensor{l + "post_attention_layernorm.weight", "BF16", []uint64{256}})
	}
	return list
}

// smallWeights is what smallConfig's model has.
const smallWeights = 2*1000*256 + 256 + 2*(2*256*256+2*64*256+3*512*256+2*256)

func TestSafetensors(t *testing.T) {
	whole, sharded := t.TempDir(), t.TempDir()
	write(t, filepath.Join(whole, "config.json"), fmt.Sprintf(smallConfig, ""))
	single := writeSafetensors(t, whole, "model.safetensors", smallModel(0, 2)...)

	write(t, filepath.Join(sharded, "config.json"), fmt.Sprintf(smallConfig, ""))
	writeSafetensors(t, sharded, "model-00001-of-00002.safetensors", smallModel(0, 1)...)
	second := writeSafetensors(t, sharded, "model-00002-of-00002.safetensors", smallModel(1, 2)...)
	writeSafetensors(t, sharded, "consolidated.safetensors", smallModel(0, 2)...)
	index := filepath.Join(sharded, "model.safetensors.index.json")
	write(t, index, `{"metadata":{"total_size":1},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}}`)

	for _, path := range []string{whole, single, filepath.Join(whole, "config.json"), sharded, second, index} {
		f, err := modelfile.Open(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if f.Model.Params != smallWeights || f.WeightBytes != 2*smallWeights || f.BitsPerWeight != 16 || f.Format != "BF16" {
			t.Errorf("%s: %d weights in %d bytes, %s; want %d", path, f.Model.Params, f.WeightBytes, f.Format, smallWeights)
		}
		if kv := f.Model.At(workload.Options{Context: 4096}).KVBytes; kv != 2*2*64*4096*2 {
			t.Errorf("%s: KV %d", path, kv)
		}
	}
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	if _, err := modelfile.Open(sharded); err == nil || !strings.Contains(err.Error(), "model-00002-of-00002.safetensors") {
		t.Errorf("a missing part: %v", err)
	}
}

func TestIndexStaysInItsFolder(t *testing.T) {
	dir := t.TempDir()
	index := filepath.Join(dir, "model.safetensors.index.json")
	for _, name := range []string{"../model.safetensors", "/etc/model.safetensors", "model.bin"} {
		write(t, index, `{"weight_map":{"a":"`+name+`"}}`)
		if f, err := modelfile.Open(index); err == nil || !strings.Contains(err.Error(), "no file beside it") {
			t.Errorf("an index that names %s: %v %v", name, f.Paths, err)
		}
	}
}

// TestShapesAlone sizes a model without its config.json.
func TestShapesAlone(t *testing.T) {
	f, err := modelfile.Open(writeSafetensors(t, t.TempDir(), "model.safetensors", smallModel(0, 2)...))
	if err != nil {
		t.Fatal(err)
	}
	if kv := f.Model.At(workload.Options{Context: 4096}).KVBytes; kv != 2*2*64*4096*2 || len(f.Notes) != 1 {
		t.Errorf("KV %d, notes %q; want it from the projections, and a note", kv, f.Notes)
	}
	f, err = modelfile.Open(writeSafetensors(t, t.TempDir(), "x.safetensors", tensor{"unet.w", "F16", []uint64{100, 100}}))
	if err != nil {
		t.Fatal(err)
	}
	if f.Model.Params != 10_000 || len(f.Model.Layers) != 0 || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "KV cache is unknown") {
		t.Errorf("%d weights, %d layers, notes %q", f.Model.Params, len(f.Model.Layers), f.Notes)
	}
}

// TestPacked counts weights that are packed several to an integer. Each model is one matrix of 4096 × 1024 (outputs ×
// inputs), and a norm of 16.
func TestPacked(t *testing.T) {
	const weights = 4096 * 1024
	for _, c := range []struct {
		name, quantization, format string
		tensors                    []tensor
	}{
		{"GPTQ 4-bit", `"quantization_config":{"quant_method":"gptq","bits":4,"group_size":128}`, "GPTQ 4-bit", []tensor{
			{"m.qweight", "I32", []uint64{128, 4096}}, {"m.qzeros", "I32", []uint64{8, 512}}, {"m.scales", "F16", []uint64{8, 4096}}, {"m.g_idx", "I32", []uint64{1024}},
		}},
		{"GPTQ 8-bit that does not say so", "", "GPTQ 8-bit", []tensor{
			{"m.qweight", "I32", []uint64{256, 4096}}, {"m.qzeros", "I32", []uint64{8, 1024}}, {"m.scales", "F16", []uint64{8, 4096}},
		}},
		{"AWQ", `"quantization_config":{"quant_method":"awq","bits":4}`, "AWQ 4-bit", []tensor{
			{"m.qweight", "I32", []uint64{1024, 512}}, {"m.qzeros", "I32", []uint64{8, 512}}, {"m.scales", "F16", []uint64{8, 4096}},
		}},
		{"AWQ that does not say so", "", "AWQ 4-bit", []tensor{
			{"m.qweight", "I32", []uint64{1024, 512}}, {"m.qzeros", "I32", []uint64{8, 512}}, {"m.scales", "F16", []uint64{8, 4096}},
		}},
		{"compressed-tensors", `"quantization_config":{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":4,"type":"int"}}}}`, "W4", []tensor{
			{"m.weight_packed", "I32", []uint64{4096, 128}}, {"m.weight_scale", "BF16", []uint64{4096, 8}}, {"m.weight_shape", "I64", []uint64{2}},
		}},
		{"NVFP4 of compressed-tensors", `"quantization_config":{"quant_method":"compressed-tensors","format":"nvfp4-pack-quantized"}`, "NVFP4", []tensor{
			{"m.weight_packed", "U8", []uint64{4096, 512}}, {"m.weight_scale", "F8_E4M3", []uint64{4096, 64}}, {"m.weight_global_scale", "F32", []uint64{1}},
		}},
		{"NVFP4 of ModelOpt", "", "NVFP4", []tensor{
			{"m.weight", "U8", []uint64{4096, 512}}, {"m.weight_scale", "F8_E4M3", []uint64{4096, 64}}, {"m.weight_scale_2", "F32", []uint64{1}}, {"m.input_scale", "F32", []uint64{1}},
		}},
		{"bitsandbytes", `"quantization_config":{"quant_method":"bitsandbytes","load_in_4bit":true}`, "NF4", []tensor{
			{"m.weight", "U8", []uint64{weights / 2, 1}}, {"m.weight.absmax", "U8", []uint64{65536}}, {"m.weight.quant_map", "F32", []uint64{16}}, {"m.weight.quant_state.bitsandbytes__nf4", "U8", []uint64{100}},
		}},
		{"MXFP4", `"quantization_config":{"quant_method":"mxfp4"}`, "MXFP4", []tensor{
			{"m.gate_up_proj_blocks", "U8", []uint64{1, 4096, 32, 16}}, {"m.gate_up_proj_scales", "U8", []uint64{1, 4096, 32}},
		}},
		{"FP8 with block scales", `"quantization_config":{"quant_method":"fp8"}`, "FP8", []tensor{
			{"m.weight", "F8_E4M3", []uint64{4096, 1024}}, {"m.weight_scale_inv", "F32", []uint64{32, 8}},
		}},
		{"plain F4", "", "F4", []tensor{{"m.weight", "F4", []uint64{4096, 1024}}}},
		{"MLX 4-bit", `"quantization":{"group_size":64,"bits":4}`, "MLX 4-bit", []tensor{
			{"m.weight", "U32", []uint64{4096, 128}}, {"m.scales", "BF16", []uint64{4096, 16}}, {"m.biases", "BF16", []uint64{4096, 16}},
		}},
		{"MLX 6-bit", `"quantization":{"group_size":32,"bits":6}`, "MLX 6-bit", []tensor{
			{"m.weight", "U32", []uint64{4096, 192}}, {"m.scales", "BF16", []uint64{4096, 32}}, {"m.biases", "BF16", []uint64{4096, 32}},
		}},
		{"ExLlama 2", "", "EXL2", []tensor{{"m.q_weight", "I32", []uint64{160, 4096}}, {"m.q_invperm", "I32", []uint64{1024}}, {"m.q_scale", "I32", []uint64{8, 512}}}},
		{"ExLlama 3", "", "EXL3", []tensor{{"m.trellis", "I16", []uint64{64, 256, 64}}, {"m.suh", "F16", []uint64{1024}}, {"m.svh", "F16", []uint64{4096}}}},
	} {
		dir := t.TempDir()
		extra := ""
		if c.quantization != "" {
			extra = "," + c.quantization
		}
		write(t, filepath.Join(dir, "config.json"), fmt.Sprintf(smallConfig, extra))
		writeSafetensors(t, dir, "model.safetensors", append(c.tensors, tensor{"norm.weight", "BF16", []uint64{16}})...)
		f, err := modelfile.Open(dir)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var bytes uint64 = 32
		for _, x := range c.tensors {
			n := dtypeBits[x.dtype]
			for _, d := range x.shape {
				n *= d
			}
			bytes += n / 8
		}
		if f.Model.Params != weights+16 || f.WeightBytes != bytes || f.Format != c.format {
			t.Errorf("%s: %d weights in %d bytes of %s; want %d in %d of %s", c.name, f.Model.Params, f.WeightBytes, f.Format, weights+16, bytes, c.format)
		}
	}
}

func TestActiveSafetensors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "config.json"), fmt.Sprintf(smallConfig, `,"num_local_experts":8,"num_experts_per_tok":2`))
	writeSafetensors(t, dir, "model.safetensors", tensor{"lm_head.weight", "BF16", []uint64{1000}},
		tensor{"model.layers.0.mlp.experts.gate_up_proj", "BF16", []uint64{8, 100}}, tensor{"model.layers.0.mlp.shared_experts.up_proj.weight", "BF16", []uint64{50}})
	f, err := modelfile.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if f.Model.Params != 1850 || f.Model.ActiveParams != 1000+200+50 {
		t.Errorf("%d of %d weights are active, want 1250 of 1850", f.Model.ActiveParams, f.Model.Params)
	}
}
