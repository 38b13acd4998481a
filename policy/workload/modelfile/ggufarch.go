package modelfile

import (
	"errors"
	"fmt"
	"slices"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile/gguf"
)

// encoders are the architectures that give embeddings, without cache and logits.
var encoders = []string{
	"bert", "modern-bert", "nomic-bert", "nomic-bert-moe", "neo-bert", "jina-bert-v2", "jina-bert-v3", "eurobert",
	"gemma-embedding", "t5encoder", "llama-embed",
}

// noCache are the other architectures that llama.cpp keeps no KV cache for: diffusion models.
var noCache = []string{"dream", "llada", "llada-moe", "rnd1"}

// linearAttention are the architectures whose layers are recurrent but for every fourth, unless their file says otherwise.
var linearAttention = []string{"qwen3next", "qwen35", "qwen35moe"}

// ggufArch reads the architecture from the keys of a file and the shapes of its tensors.
func ggufArch(h *gguf.Header, tensors []gguf.Tensor) (workload.Model, error) {
	arch, ok, err := h.Text("general.architecture", 64)
	if err != nil {
		return workload.Model{}, err
	}
	if !ok {
		return workload.Model{}, errors.New("general.architecture is missing: the shape of the model is unknown")
	}
	if kind, _, err := h.Text("general.type", 64); err == nil && kind != "" && kind != "model" {
		return workload.Model{}, fmt.Errorf("it is of type %s (%s), not a model that runs by itself", kind, arch)
	}
	k := &ggufKeys{h: h, arch: arch}
	n := k.count("block_count", 0, maxLayers)
	if k.err != nil {
		return workload.Model{}, k.err
	}
	if n == 0 {
		return workload.Model{}, fmt.Errorf("%s.block_count is missing: %s is not a language model that can be sized", arch, arch)
	}
	if len(tensors) == 0 {
		return workload.Model{}, errors.New("it holds no tensors: a vocabulary alone, or one part of a split model")
	}
	if n > uint64(len(tensors)) {
		return workload.Model{}, fmt.Errorf("%s.block_count is %d, but there are only %d tensors", arch, n, len(tensors))
	}
	m := workload.Model{
		Arch:       arch,
		Embedding:  k.count("embedding_length", 0, maxWidth),
		MaxContext: k.count("context_length", 0, maxContext),
		Vocab:      k.count("vocab_size", h.Len("tokenizer.ggml.tokens"), maxVocab),
		Layers:     make([]workload.Layer, n),
		Encoder:    slices.Contains(encoders, arch),
	}
	t, err := readTensors(tensors, int(n))
	if err != nil {
		return m, err
	}
	if t.embedding.Elements > 0 {
		m.Embedding, m.Vocab = t.embedding.Dims[0], t.embedding.Dims[1]
		m.TiedEmbeddings = !t.output
	}
	m.NormBias = t.normBias
	if k.err == nil && m.Embedding == 0 {
		k.fail(fmt.Errorf("%s.embedding_length is missing: the shape of the model is unknown", arch))
	}
	k.attention(&m, t)
	k.windows(&m)
	k.recurrent(&m, t)
	k.feedForward(&m, t)
	for _, l := range m.Layers {
		m.FeedForward = max(m.FeedForward, l.FeedForward, l.ExpertFeedForward)
	}
	return m, k.err
}

// attention fills in heads and what one token takes in the cache.
func (k *ggufKeys) attention(m *workload.Model, t tensorFacts) {
	n := len(m.Layers)
	heads := k.each("attention.head_count", n, maxHeads)
	kv := k.each("attention.head_count_kv", n, maxHeads)
	if heads == nil {
		if !k.has("ssm.state_size") && !k.has("wkv.head_size") {
			k.fail(fmt.Errorf("%s.attention.head_count is missing: the KV cache cannot be sized", k.arch))
		}
		return
	}
	if kv == nil {
		kv = heads
	}
	var width uint64
	if first := slices.IndexFunc(heads, func(h uint64) bool { return h > 0 }); first >= 0 {
		width = m.Embedding / heads[first]
	}
	key := k.count("attention.key_length", width, maxHeadWidth)
	value := k.count("attention.value_length", width, maxHeadWidth)
	rank := k.latent(kv, t)
	shared := k.count("attention.shared_kv_layers", 0, maxLayers)
	if k.arch == "gemma3n" && !k.has("attention.shared_kv_layers") && n > 20 {
		shared = uint64(n) - 20
	}
	// Layers for predicting several tokens at once stand last and keep no cache in ordinary use.
	spare := k.count("nextn_predict_layers", 0, maxLayers)
	cached := m.Encoder || !slices.Contains(noCache, k.arch) && k.flag("attention.causal", true)
	for i := range m.Layers {
		l := &m.Layers[i]
		l.Heads, l.KVHeads, l.KeyLength, l.ValueLength = heads[i], kv[i], key, value
		if max(l.Heads, l.KVHeads)*max(key, value) > maxRow {
			k.fail(fmt.Errorf("layer %d has %d heads of %d, wider than any model", i, max(l.Heads, l.KVHeads), max(key, value)))
		}
		l.Attention = cached && kv[i] > 0 && uint64(i)+spare < uint64(n)
		l.SharesKV = l.Attention && uint64(i)+shared >= uint64(n) && shared > 0
		if rank > 0 && l.Attention {
			l.KVRank, l.RopeLength = rank, k.count("rope.dimension_count", 0, maxHeadWidth)
			l.KeyLength = k.count("attention.key_length_mla", key, maxHeadWidth)
			l.ValueLength = k.count("attention.value_length_mla", value, maxHeadWidth)
			l.QueryRank = k.count("attention.q_lora_rank", 0, maxWidth)
		}
		t.layers[i].attention(l)
	}
}

// latent is the width that multi-head latent attention keeps of a token: latent and rope dimensions, and the keys of a
// sparse-attention indexer. It is 0 for other attention, and for files from before llama.cpp kept the compressed form,
// which hold full keys and values.
func (k *ggufKeys) latent(kv []uint64, t tensorFacts) uint64 {
	rank := k.count("attention.kv_lora_rank", 0, maxHeadWidth)
	if rank == 0 || !(k.has("attention.key_length_mla") || t.splitKV || kv[0] == 1) {
		return 0
	}
	return rank + k.count("rope.dimension_count", 0, maxHeadWidth) + k.count("attention.indexer.key_length", 0, maxHeadWidth)
}

// windows fills in sliding windows, and the narrower heads that some models have in such layers.
func (k *ggufKeys) windows(m *workload.Model) {
	n := len(m.Layers)
	rule, known := windowRules[k.arch]
	width := k.each("attention.sliding_window", n, maxContext)
	if width == nil {
		width = repeat(rule.window, n)
	}
	slides := func(i int) bool { return known && !rule.full(i) }
	switch pattern := k.each("attention.sliding_window_pattern", n, maxContext); {
	case pattern == nil:
	case k.h.Len(k.arch+".attention.sliding_window_pattern") > 0:
		slides = func(i int) bool { return pattern[i] != 0 }
	default:
		rule.period = pattern[0]
		slides = func(i int) bool { return rule.period == 0 || !rule.full(i) }
	}
	key := k.count("attention.key_length_swa", 0, maxHeadWidth)
	value := k.count("attention.value_length_swa", 0, maxHeadWidth)
	for i := range m.Layers {
		l := &m.Layers[i]
		if !l.Attention || width[i] == 0 || !slides(i) {
			continue
		}
		l.Window = width[i]
		if key > 0 && value > 0 {
			l.KeyLength, l.ValueLength = key, value
		}
		if max(l.Heads, l.KVHeads)*max(key, value) > maxRow {
			k.fail(fmt.Errorf("layer %d has heads of %d, wider than any model", i, max(key, value)))
		}
	}
}

// recurrent marks the layers without a KV cache and sizes their state (llama.cpp's n_embd_r and n_embd_s, kept in f32).
func (k *ggufKeys) recurrent(m *workload.Model, t tensorFacts) {
	interval := uint64(0)
	if slices.Contains(linearAttention, k.arch) {
		interval = 4
	}
	interval = k.count("full_attention_interval", interval, maxLayers)
	marked := k.each("attention.recurrent_layers", len(m.Layers), 1)
	conv := k.count("ssm.conv_kernel", 0, maxHeadWidth)
	inner := k.count("ssm.inner_size", 0, maxWidth)
	state := k.count("ssm.state_size", 0, maxHeadWidth)
	groups := k.count("ssm.group_count", 0, maxHeads)
	kda := k.count("kda.head_dim", 0, maxHeadWidth)
	wkv := k.count("wkv.head_size", 0, maxHeadWidth)
	shift := k.count("token_shift_count", 2, maxHeads)
	short := k.count("shortconv.l_cache", 0, maxHeadWidth)
	for i := range m.Layers {
		l := &m.Layers[i]
		if marked != nil && marked[i] != 0 || interval > 0 && (uint64(i)+1)%interval != 0 {
			l.Attention, l.SharesKV, l.Window = false, false, 0
		}
		if !t.layers[i].recurrent && (l.Attention || !(conv > 0 || wkv > 0 || short > 0) || t.anyRecurrent) {
			continue
		}
		var elements uint64
		switch {
		case wkv > 0:
			elements = shift*m.Embedding + m.Embedding*wkv
		case short > 0:
			elements = m.Embedding * (short - 1)
		case kda > 0:
			elements = 3*(max(conv, 1)-1)*l.Heads*kda + kda*kda*l.Heads
		default:
			elements = (max(conv, 1)-1)*(inner+2*groups*state) + state*inner
		}
		l.StateBytes, l.MixerWidth = 4*elements, inner
	}
}

// feedForward fills in dense and expert widths: from the tensors where they tell, else from the keys.
func (k *ggufKeys) feedForward(m *workload.Model, t tensorFacts) {
	n := len(m.Layers)
	dense := k.each("feed_forward_length", n, maxWidth)
	if dense == nil {
		dense = repeat(0, n)
	}
	experts := k.count("expert_count", 0, maxExperts)
	used := k.count("expert_used_count", 0, maxExperts)
	width := k.count("expert_feed_forward_length", 0, maxWidth)
	shared := k.count("expert_shared_feed_forward_length", width*k.count("expert_shared_count", 0, maxExperts), maxWidth)
	lead := k.count("leading_dense_block_count", 0, maxLayers)
	if used > experts {
		k.fail(fmt.Errorf("%s.expert_used_count is %d of %d experts", k.arch, used, experts))
	}
	for i := range m.Layers {
		l := &m.Layers[i]
		if !t.layers[i].feedForward(l) {
			l.FeedForward = dense[i]
			if experts > 0 && uint64(i) >= lead {
				l.Experts, l.ExpertFeedForward, l.SharedFeedForward, l.FeedForward = experts, width, shared, 0
				if width == 0 {
					l.ExpertFeedForward = dense[i]
				}
			}
		}
		if l.Experts > 0 {
			l.ExpertsUsed = min(used, l.Experts)
		}
	}
}
