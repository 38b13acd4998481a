package modelfile

import (
	"errors"
	"fmt"
	"strings"

	"headroom/policy/workload/modelfile/safetensors"
)

// packing tells which tensors of a safetensors model are weights, and how many weights a packed tensor holds. Packers store
// several weights in one integer, with scales, zero points and tables beside them under the same stem:
//
//	GPTQ, AWQ            qweight (32-bit), qzeros, scales, g_idx
//	compressed-tensors   weight_packed (32- or 8-bit), weight_scale, weight_shape, weight_zero_point
//	NVFP4 (ModelOpt)     weight (8-bit, two each), weight_scale, weight_scale_2
//	bitsandbytes         weight (8-bit, two each), weight.absmax, weight.quant_map; int8 with SCB
//	MXFP4 (gpt-oss)      *_blocks (8-bit, two each), *_scales
//	MLX                  weight (32-bit), scales, biases
//	ExLlama              q_weight with q_invperm; trellis
type packing struct {
	byName map[string]safetensors.Tensor
	config *hfQuantization
}

// name is what people call the scheme; empty for one that is not known.
func (q *hfQuantization) name() string {
	bits := max(q.Bits, q.WBits)
	kind := ""
	for _, g := range q.Groups {
		bits, kind = max(bits, g.Weights.Bits), g.Weights.Type
	}
	switch method := strings.ToLower(q.Method); method {
	case "gptq", "awq", "mlx", "hqq", "aqlm", "exl2", "exl3", "quanto", "autoround":
		if bits == 0 {
			return strings.ToUpper(method)
		}
		return fmt.Sprintf("%s %d-bit", strings.ToUpper(method), bits)
	case "auto-round", "intel/auto-round":
		return fmt.Sprintf("AutoRound %d-bit", bits)
	case "fp8", "fbgemm_fp8":
		return "FP8"
	case "mxfp4":
		return "MXFP4"
	case "bitsandbytes":
		if q.Load4Bit {
			return "NF4"
		}
		return "INT8"
	case "modelopt":
		return strings.ToUpper(q.QuantAlgo)
	case "compressed-tensors":
		switch {
		case strings.Contains(q.Format, "nvfp4"):
			return "NVFP4"
		case kind == "float" && bits == 8:
			return "FP8"
		case bits > 0:
			return fmt.Sprintf("W%d", bits)
		}
	}
	return ""
}

// companions are the endings of what stands beside packed or scaled weights, and of buffers, which are no weights.
var companions = []string{
	".qzeros", ".g_idx", ".weight_scale", ".weight_scale_inv", ".weight_scale_2", ".input_scale", ".weight_shape",
	".weight_zero_point", ".weight_global_scale", ".input_global_scale", ".absmax", ".quant_map", ".nested_absmax",
	".nested_quant_map", ".SCB", ".weight_format", ".k_scale", ".v_scale", ".q_scale", ".q_scale_max", ".q_groups",
	".q_invperm", ".q_perm", ".q_group_map", ".suh", ".svh", ".su", ".sv", ".mcg", ".mul1", ".weight_g_idx",
	".rotary_emb.inv_freq", ".attn.masked_bias",
}

// companion is what packed calls a tensor that belongs to weights and is none.
const companion = "companion"

// weights is how many weights the tensor holds, and what they are packed as: empty where the tensor's own type is theirs.
func (p packing) weights(t safetensors.Tensor) (n uint64, as string, err error) {
	for _, suffix := range companions {
		if strings.HasSuffix(t.Name, suffix) {
			return 0, companion, nil
		}
	}
	stem, last, _ := cutLast(t.Name)
	switch {
	case strings.Contains(t.Name, ".quant_state."):
		return 0, companion, nil
	case last == "qweight":
		return p.qweight(t, stem)
	case last == "scales" && (p.has(stem+".qweight") || p.mlx(stem)), last == "biases" && p.mlx(stem):
		return 0, companion, nil
	case last == "weight_packed" && t.Type == "U8":
		return 2 * t.Elements, "NVFP4", nil
	case last == "weight_packed":
		return p.ints(t, p.bits(4), "W")
	case last == "weight" && t.Type == "U8" && p.has(t.Name+".absmax"):
		return 2 * t.Elements, "NF4", nil
	case last == "weight" && t.Type == "U8" && p.has(stem+".weight_scale"):
		return 2 * t.Elements, "NVFP4", nil
	case last == "weight" && p.mlx(stem):
		return p.mlxWeight(t, stem)
	case last == "weight" && (p.has(stem+".weight_scale") || p.has(stem+".weight_scale_inv") || p.has(stem+".SCB")):
		if t.Type == "I8" {
			return t.Elements, "INT8", nil
		}
		return t.Elements, "FP8", nil
	case last == "q_weight" && p.has(stem+".q_invperm") && len(t.Shape) == 2:
		n, err := product(p.byName[stem+".q_invperm"].Elements, t.Shape[1])
		return n, "EXL2", err
	case last == "trellis" && len(t.Shape) == 3:
		n, err := product(t.Shape[0]*16, t.Shape[1]*16)
		return n, "EXL3", err
	case strings.HasSuffix(last, "_blocks") && t.Type == "U8":
		return 2 * t.Elements, "MXFP4", nil
	case strings.HasSuffix(last, "_scales") && p.has(strings.TrimSuffix(t.Name, "_scales")+"_blocks"):
		return 0, companion, nil
	default:
		return t.Elements, "", nil
	}
}

func (p packing) has(name string) bool { _, ok := p.byName[name]; return ok }

// bits is the width the config gives; other where it gives none.
func (p packing) bits(other uint64) uint64 {
	if p.config == nil {
		return other
	}
	bits := max(p.config.Bits, p.config.WBits)
	for _, g := range p.config.Groups {
		bits = max(bits, g.Weights.Bits)
	}
	if bits == 0 {
		return other
	}
	return bits
}

// ints is how many weights of some bits a tensor of 32-bit integers holds.
func (p packing) ints(t safetensors.Tensor, bits uint64, scheme string) (uint64, string, error) {
	if bits == 0 || bits > 32 {
		return 0, "", fmt.Errorf("tensor %q: weights of %d bits do not pack into 32", t.Name, bits)
	}
	return t.Elements * 32 / bits, fmt.Sprintf("%s %d-bit", scheme, bits), nil
}

// qweight counts GPTQ's and AWQ's packed weights. Zero points are packed alike, one for each scale: they tell the width.
// GPTQ packs along the inputs, AWQ along the outputs, of which each has a scale.
func (p packing) qweight(t safetensors.Tensor, stem string) (uint64, string, error) {
	bits, scheme := p.bits(4), "GPTQ"
	zeros, scales := p.byName[stem+".qzeros"], p.byName[stem+".scales"]
	if len(zeros.Shape) == 2 && len(scales.Shape) == 2 && scales.Shape[1] > 0 {
		if b := 32 * zeros.Shape[1] / scales.Shape[1]; b >= 1 && b <= 8 {
			bits = b
		}
		if len(t.Shape) == 2 && t.Shape[1] != scales.Shape[1] {
			scheme = "AWQ"
		}
	}
	return p.ints(t, bits, scheme)
}

// mlx reports whether the stem's weights are packed the way MLX does.
func (p packing) mlx(stem string) bool {
	return p.byName[stem+".weight"].Type == "U32" && p.has(stem+".scales")
}

// mlxWeight counts MLX's packed weights: one scale stands for a group of the row, 64 unless the config says otherwise.
func (p packing) mlxWeight(t safetensors.Tensor, stem string) (uint64, string, error) {
	group := uint64(64)
	if p.config != nil && p.config.GroupSize > 0 && p.config.GroupSize <= maxWidth {
		group = uint64(p.config.GroupSize)
	}
	n, err := product(p.byName[stem+".scales"].Elements, group)
	if err != nil || n == 0 {
		return 0, "MLX", err
	}
	return n, fmt.Sprintf("MLX %d-bit", t.Elements*32/n), nil
}

func product(a, b uint64) (uint64, error) {
	if b > 0 && a > 1<<56/b {
		return 0, errors.New("it claims more weights than any model has")
	}
	return a * b, nil
}

// cutLast takes a dotted name apart at its last dot.
func cutLast(name string) (stem, last string, ok bool) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:], true
	}
	return "", name, false
}

// countSafetensors counts weights and bytes.
func (f *File) countSafetensors(tensors []safetensors.Tensor, c *hfConfig) error {
	p := packing{byName: map[string]safetensors.Tensor{}}
	if c != nil {
		p.config = c.Quantization
	}
	for _, t := range tensors {
		p.byName[t.Name] = t
	}
	scheme := ""
	if p.config != nil {
		scheme = p.config.name()
	}
	var s shares
	var beside []safetensors.Tensor
	m := &f.Model
	m.Params, m.ActiveParams, m.LargestTensor = 0, 0, 0
	for _, t := range tensors {
		n, as, err := p.weights(t)
		switch {
		case err != nil:
			return err
		case as == companion:
			beside = append(beside, t)
			continue
		case as == "":
			s.add(t.Type, t.Known, n, t.Bytes())
		case scheme != "":
			s.add(scheme, true, n, t.Bytes())
		default:
			scheme = as
			s.add(as, true, n, t.Bytes())
		}
		if m.Params += n; m.Params > maxWeights {
			return errors.New("it claims more weights than any model has")
		}
		m.LargestTensor = max(m.LargestTensor, n)
		m.ActiveParams += f.activeSafetensor(t.Name, n)
	}
	for _, t := range beside {
		name := scheme
		if name == "" {
			name = t.Type
		}
		s.add(name, true, 0, t.Bytes())
	}
	f.weigh(&s)
	f.Format = mostWeights(f.Types)
	for _, t := range f.Types {
		if !t.Known {
			f.Notes = append(f.Notes, fmt.Sprintf("type %s, in %d of its tensors, is unknown: sized by the room that they take", t.Name, t.Tensors))
		}
	}
	return nil
}

// activeSafetensor is the share of a tensor's weights that one token needs.
func (f *File) activeSafetensor(name string, n uint64) uint64 {
	if !strings.Contains(name, ".experts.") {
		return n
	}
	for _, l := range f.Model.Layers {
		if l.Experts > 0 {
			return n / l.Experts * l.ExpertsUsed
		}
	}
	return n
}

// mostWeights is the type that holds most weights.
func mostWeights(types []TypeShare) string {
	best := types[0]
	for _, t := range types {
		if t.Params > best.Params {
			best = t
		}
	}
	return best.Name
}
