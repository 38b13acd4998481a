package modelfile

import (
	"fmt"
	"strconv"
	"strings"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile/gguf"
)

// tensorFacts are what the names and shapes of a file's tensors say of its layers.
type tensorFacts struct {
	embedding gguf.Tensor
	output    bool
	normBias  bool
	// splitKV is latent attention in the form that caches compressed rows.
	splitKV      bool
	anyRecurrent bool
	layers       []layerFacts
}

// layerFacts are what the tensors say of one layer.
type layerFacts struct {
	// dims are the shapes by short name: "attn_q.weight".
	dims      map[string][4]uint64
	recurrent bool
	// splitExperts counts experts that are a tensor each, from before they were stacked.
	splitExperts uint64
}

func readTensors(tensors []gguf.Tensor, layers int) (tensorFacts, error) {
	f := tensorFacts{layers: make([]layerFacts, layers)}
	for _, t := range tensors {
		switch t.Name {
		case "token_embd.weight":
			if t.Dims[0] > maxWidth || t.Dims[1] > maxVocab {
				return f, fmt.Errorf("%s is %d × %d, larger than any model's", t.Name, t.Dims[0], t.Dims[1])
			}
			f.embedding = t
		case "output.weight":
			f.output = true
		case "output_norm.bias":
			f.normBias = true
		}
		i, short, ok := layerTensor(t.Name)
		if !ok || i >= layers {
			continue
		}
		l := &f.layers[i]
		if l.dims == nil {
			l.dims = map[string][4]uint64{}
		}
		if strings.HasPrefix(short, "ffn_down") && (t.Dims[0] > maxWidth || t.Dims[2] > maxExperts) {
			return f, fmt.Errorf("%s is %d wide, wider than any model", t.Name, t.Dims[0])
		}
		if base, ok := splitExpert(short); ok {
			if short = base + "_exps.weight"; base == "ffn_down" {
				l.splitExperts++
			}
		}
		l.dims[short] = t.Dims
		if strings.HasPrefix(short, "ssm_") || strings.HasPrefix(short, "shortconv.") || strings.HasPrefix(short, "time_mix_") {
			l.recurrent, f.anyRecurrent = true, true
		}
		f.splitKV = f.splitKV || short == "attn_k_b.weight"
	}
	return f, nil
}

// layerTensor takes "blk.12.attn_q.weight" apart.
func layerTensor(name string) (layer int, short string, ok bool) {
	rest, ok := strings.CutPrefix(name, "blk.")
	if !ok {
		return 0, "", false
	}
	number, short, ok := strings.Cut(rest, ".")
	layer, err := strconv.Atoi(number)
	return layer, short, ok && err == nil && layer >= 0
}

// splitExpert takes "ffn_down.7.weight" apart, a single expert's matrix.
func splitExpert(short string) (base string, ok bool) {
	parts := strings.Split(short, ".")
	if len(parts) != 3 || parts[2] != "weight" {
		return "", false
	}
	_, err := strconv.Atoi(parts[1])
	return parts[0], err == nil
}

// expertTensor reports whether a tensor belongs to single experts, of which a token takes only some.
func expertTensor(name string) bool {
	_, short, ok := layerTensor(name)
	if !ok {
		return false
	}
	_, split := splitExpert(short)
	return split || strings.Contains(short, "exps.")
}

func (f layerFacts) has(short string) bool { _, ok := f.dims[short]; return ok }

// attention fills in the details of attention that only tensors tell.
func (f layerFacts) attention(l *workload.Layer) {
	l.QKVBias = f.has("attn_q.bias") || f.has("attn_qkv.bias")
	l.OutputBias = f.has("attn_output.bias")
	l.Sinks = f.has("attn_sinks.weight")
	if norm, ok := f.dims["attn_q_norm.weight"]; ok && l.KVRank == 0 {
		l.QKNorm = workload.QKNormHead
		if l.Heads > 1 && norm[0] == l.Heads*l.KeyLength {
			l.QKNorm = workload.QKNormFull
		}
	}
	pre, feed := f.has("attn_norm.weight"), f.has("ffn_norm.weight")
	after := f.has("post_attention_norm.weight")
	l.PostNorm = pre && feed && after && f.has("post_ffw_norm.weight")
	l.Parallel = pre && !feed && !after && !f.has("attn_norm_2.weight") && f.has("ffn_down.weight")
}

// feedForward fills in the widths and details of the feed-forward part, and reports whether the tensors tell them.
func (f layerFacts) feedForward(l *workload.Layer) bool {
	dense, shared, experts := f.dims["ffn_down.weight"], f.dims["ffn_down_shexp.weight"], f.dims["ffn_down_exps.weight"]
	if dense[0]+shared[0]+experts[0] == 0 {
		return false
	}
	l.FeedForward, l.SharedFeedForward, l.ExpertFeedForward = dense[0], shared[0], experts[0]
	if experts[0] > 0 {
		l.Experts = max(experts[2], f.splitExperts)
	}
	// Gate and up are one matrix of twice the width in some models.
	fused := dense[0] > 0 && f.dims["ffn_up.weight"][1] == 2*dense[0]
	gated := fused || f.has("ffn_gate.weight") || f.has("ffn_gate_exps.weight") || f.has("ffn_gate_up_exps.weight") || f.has("ffn_gate_shexp.weight")
	l.Ungated = !gated
	l.SharedGate = f.has("ffn_gate_inp_shexp.weight")
	l.RouterBias = f.has("ffn_gate_inp.bias") || f.has("exp_probs_b.bias")
	l.FeedForwardBias = f.has("ffn_down.bias") || f.has("ffn_down_exps.bias")
	return true
}
