package modelfile

import (
	"regexp"
	"strconv"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile/safetensors"
)

// projection is a layer's key or value projection, or the compressed one of latent attention.
var projection = regexp.MustCompile(`(?:^|\.)layers\.(\d{1,4})\.self_attn\.(k_proj|v_proj|kv_a_proj_with_mqa)\.weight$`)

// shapedModel is what the shapes of tensors alone tell of a model: the rows that each layer caches, embedding and vocabulary.
// It has no layers where the projections are packed or named otherwise. Windows are unknown: every layer keeps all.
func shapedModel(tensors []safetensors.Tensor) workload.Model {
	m := workload.Model{TiedEmbeddings: true}
	rows := map[int]*workload.Layer{}
	for _, t := range tensors {
		if len(t.Shape) != 2 || t.Shape[0] > maxVocab || t.Shape[1] > maxWidth {
			continue
		}
		switch t.Name {
		case "model.embed_tokens.weight", "language_model.model.embed_tokens.weight", "model.language_model.embed_tokens.weight":
			m.Vocab, m.Embedding = t.Shape[0], t.Shape[1]
		case "lm_head.weight", "language_model.lm_head.weight":
			m.TiedEmbeddings = false
		}
		parts := projection.FindStringSubmatch(t.Name)
		if parts == nil || t.Shape[0] > maxRow {
			continue
		}
		i, _ := strconv.Atoi(parts[1])
		if rows[i] == nil {
			rows[i] = &workload.Layer{Attention: true, Heads: 1, KVHeads: 1}
		}
		switch parts[2] {
		case "k_proj":
			rows[i].KeyLength = t.Shape[0]
		case "v_proj":
			rows[i].ValueLength = t.Shape[0]
		default:
			rows[i].KVRank = t.Shape[0]
		}
	}
	for i := range len(rows) {
		l, ok := rows[i]
		if !ok || i >= maxLayers || m.Embedding == 0 {
			m.Layers = nil
			break
		}
		m.Layers = append(m.Layers, *l)
	}
	return m
}
