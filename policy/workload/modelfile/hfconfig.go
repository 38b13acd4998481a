package modelfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxConfig bounds a config.json; real ones have a few kilobytes.
const maxConfig = 4 << 20

// hfConfig holds the figures of a Hugging Face config.json that decide size. Field names are the files' own; where families
// use different names for one figure, all are here and merge puts the one that is set into the first.
type hfConfig struct {
	ModelType     string   `json:"model_type"`
	Architectures []string `json:"architectures"`

	HiddenSize       uint64  `json:"hidden_size"`
	NumLayers        uint64  `json:"num_hidden_layers"`
	IntermediateSize numbers `json:"intermediate_size"`
	VocabSize        uint64  `json:"vocab_size"`
	MaxPositions     uint64  `json:"max_position_embeddings"`
	TypeVocab        uint64  `json:"type_vocab_size"`
	Tied             *bool   `json:"tie_word_embeddings"`
	TorchDType       string  `json:"torch_dtype"`
	DType            string  `json:"dtype"`

	Heads         uint64 `json:"num_attention_heads"`
	KVHeads       uint64 `json:"num_key_value_heads"`
	HeadDim       uint64 `json:"head_dim"`
	AttentionBias *bool  `json:"attention_bias"`
	QKVBias       *bool  `json:"use_qkv_bias"`
	OutBias       *bool  `json:"attention_out_bias"`
	UseBias       *bool  `json:"use_bias"`
	MLPBias       *bool  `json:"mlp_bias"`
	UseQKNorm     *bool  `json:"use_qk_norm"`
	OutputGate    *bool  `json:"attn_output_gate"`
	KeyIsValue    *bool  `json:"attention_k_eq_v"`

	// Sliding windows. LayerTypes names each layer's attention.
	SlidingWindow        uint64   `json:"sliding_window"`
	SlidingWindowPattern period   `json:"sliding_window_pattern"`
	SlidingPatternOld    period   `json:"_sliding_window_pattern"`
	ChunkSize            uint64   `json:"attention_chunk_size"`
	LayerTypes           []string `json:"layer_types"`
	SharedKVLayers       uint64   `json:"num_kv_shared_layers"`
	GlobalHeadDim        uint64   `json:"global_head_dim"`
	GlobalKVHeads        uint64   `json:"num_global_key_value_heads"`

	// Latent attention.
	QRank      uint64 `json:"q_lora_rank"`
	KVRank     uint64 `json:"kv_lora_rank"`
	NopeDim    uint64 `json:"qk_nope_head_dim"`
	RopeDim    uint64 `json:"qk_rope_head_dim"`
	VDim       uint64 `json:"v_head_dim"`
	IndexerDim uint64 `json:"index_head_dim"`

	// Mixtures of experts.
	LocalExperts       uint64   `json:"num_local_experts"`
	NumExperts         uint64   `json:"num_experts"`
	RoutedExperts      uint64   `json:"n_routed_experts"`
	ExpertsPerTok      uint64   `json:"num_experts_per_tok"`
	ExpertsPerToken    uint64   `json:"experts_per_token"`
	TopK               uint64   `json:"moe_topk"`
	TopKExperts        uint64   `json:"top_k_experts"`
	MoeExperts         uint64   `json:"moe_num_experts"`
	MoeK               uint64   `json:"moe_k"`
	MoeShared          uint64   `json:"moe_num_shared_experts"`
	MoeStart           uint64   `json:"moe_layer_start_index"`
	MoeSharedWidth     uint64   `json:"moe_shared_expert_intermediate_size"`
	MoeWidth           uint64   `json:"moe_intermediate_size"`
	SharedWidth        uint64   `json:"shared_expert_intermediate_size"`
	SharedIntermediate uint64   `json:"shared_intermediate_size"`
	SharedExperts      uint64   `json:"n_shared_experts"`
	NumSharedExperts   uint64   `json:"num_shared_experts"`
	FirstDense         uint64   `json:"first_k_dense_replace"`
	NumDenseLayers     uint64   `json:"num_dense_layers"`
	MoeLayerFreq       numbers  `json:"moe_layer_freq"`
	SparseStep         uint64   `json:"decoder_sparse_step"`
	MLPOnlyLayers      []uint64 `json:"mlp_only_layers"`
	InterleaveMoe      uint64   `json:"interleave_moe_layer_step"`
	DenseWidth         uint64   `json:"intermediate_size_mlp"`

	// Hybrid layers.
	FullAttentionInterval uint64   `json:"full_attention_interval"`
	LinearKeyHeads        uint64   `json:"linear_num_key_heads"`
	LinearValueHeads      uint64   `json:"linear_num_value_heads"`
	LinearKeyDim          uint64   `json:"linear_key_head_dim"`
	LinearValueDim        uint64   `json:"linear_value_head_dim"`
	LinearConv            uint64   `json:"linear_conv_kernel_dim"`
	ConvCache             uint64   `json:"conv_L_cache"`
	BlockFFDim            uint64   `json:"block_ff_dim"`
	BlockFFMultiple       uint64   `json:"block_multiple_of"`
	BlockFFFactor         *float64 `json:"block_ffn_dim_multiplier"`
	BlockFFAdjust         *bool    `json:"block_auto_adjust_ff_dim"`
	FullAttnIdxs          []uint64 `json:"full_attn_idxs"`
	HybridPattern         string   `json:"hybrid_override_pattern"`
	LayersBlockType       []string `json:"layers_block_type"`
	NemotronHeads         uint64   `json:"mamba_num_heads"`
	NemotronHeadDim       uint64   `json:"mamba_head_dim"`
	NemotronState         uint64   `json:"ssm_state_size"`
	NemotronGroups        uint64   `json:"n_groups"`
	NemotronConv          uint64   `json:"conv_kernel"`
	MambaHeads            uint64   `json:"mamba_n_heads"`
	MambaHeadDim          uint64   `json:"mamba_d_head"`
	MambaState            uint64   `json:"mamba_d_state"`
	MambaGroups           uint64   `json:"mamba_n_groups"`
	MambaConv             uint64   `json:"mamba_d_conv"`

	// Mamba, alone and beside attention.
	StateSize    uint64   `json:"state_size"`
	Expand       uint64   `json:"expand"`
	TimeStepRank autoRank `json:"time_step_rank"`
	SSMHeads     uint64   `json:"num_heads"`
	MambaInner   uint64   `json:"mamba_d_ssm"`
	MambaExpand  uint64   `json:"mamba_expand"`
	MambaRank    autoRank `json:"mamba_dt_rank"`
	AttnPeriod   uint64   `json:"attn_layer_period"`
	AttnOffset   uint64   `json:"attn_layer_offset"`
	ExpertPeriod uint64   `json:"expert_layer_period"`
	ExpertOffset uint64   `json:"expert_layer_offset"`

	// The names of GPT-2, Falcon and ChatGLM, and figures of older families.
	GLMLayers       uint64 `json:"num_layers"`
	NLayer          uint64 `json:"n_layer"`
	NEmbd           uint64 `json:"n_embd"`
	NHead           uint64 `json:"n_head"`
	NumKVHeads      uint64 `json:"num_kv_heads"`
	GLMKVHeads      uint64 `json:"multi_query_group_num"`
	KVChannels      uint64 `json:"kv_channels"`
	PaddedVocabSize uint64 `json:"padded_vocab_size"`
	NPositions      uint64 `json:"n_positions"`
	SeqLength       uint64 `json:"seq_length"`
	NInner          uint64 `json:"n_inner"`
	FFNDim          uint64 `json:"ffn_dim"`
	FFNHiddenSize   uint64 `json:"ffn_hidden_size"`
	MultiQuery      *bool  `json:"multi_query"`
	NewDecoder      *bool  `json:"new_decoder_architecture"`
	PerLayer        uint64 `json:"hidden_size_per_layer_input"`
	PerLayerRows    uint64 `json:"vocab_size_per_layer_input"`
	LaurelRank      uint64 `json:"laurel_rank"`

	QuantizationConfig json.RawMessage `json:"quantization_config"`
	MLXQuantization    json.RawMessage `json:"quantization"`
	// Quantization is either of the two above, decoded; nil without.
	Quantization *hfQuantization `json:"-"`
}

// hfQuantization says how weights were packed.
type hfQuantization struct {
	Method    string `json:"quant_method"`
	Bits      uint64 `json:"bits"`
	WBits     uint64 `json:"w_bit"`
	GroupSize int64  `json:"group_size"`
	Load4Bit  bool   `json:"load_in_4bit"`
	Format    string `json:"format"`
	QuantAlgo string `json:"quant_algo"`
	Groups    map[string]struct {
		Weights struct {
			Bits uint64 `json:"num_bits"`
			Type string `json:"type"`
		} `json:"weights"`
	} `json:"config_groups"`
}

// numbers is a figure that is one number for all layers, or a list with one a layer.
type numbers []uint64

// UnmarshalJSON reads a number, a list of numbers, or null.
func (n *numbers) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '[' {
		var list []uint64
		err := json.Unmarshal(b, &list)
		*n = list
		return err
	}
	var one *uint64
	if err := json.Unmarshal(b, &one); err != nil {
		return err
	}
	if one != nil {
		*n = numbers{*one}
	}
	return nil
}

// autoRank is a rank that is a number, or "auto" for a sixteenth of the width: 0.
type autoRank uint64

// UnmarshalJSON reads a number, "auto", or null.
func (r *autoRank) UnmarshalJSON(b []byte) error {
	if string(b) == `"auto"` {
		return nil
	}
	return json.Unmarshal(b, (*uint64)(r))
}

// period is how many layers a pattern repeats after: a number, or a text with one letter a layer ("LLLG").
type period uint64

// UnmarshalJSON reads a number, a text, or null.
func (p *period) UnmarshalJSON(b []byte) error {
	var text *string
	if json.Unmarshal(b, &text) == nil {
		if text != nil {
			*p = period(len(*text))
		}
		return nil
	}
	return json.Unmarshal(b, (*uint64)(p))
}

// at is the figure of layer i; 0 where there is none.
func (n numbers) at(i int) uint64 {
	switch {
	case len(n) == 1:
		return n[0]
	case i < len(n):
		return n[i]
	default:
		return 0
	}
}

// readHFConfig reads a config.json.
func readHFConfig(path string) (hfConfig, error) {
	file, size, err := openRegular(path)
	if err != nil {
		return hfConfig{}, fmt.Errorf("open %s: %w", path, err)
	}
	defer file.Close()
	if size > maxConfig {
		return hfConfig{}, fmt.Errorf("open %s: %d bytes are no config.json", path, size)
	}
	b, err := io.ReadAll(io.LimitReader(file, maxConfig))
	if err != nil {
		return hfConfig{}, fmt.Errorf("open %s: %w", path, err)
	}
	c, err := parseHFConfig(b)
	if err != nil {
		return hfConfig{}, fmt.Errorf("open %s: %w", path, err)
	}
	return c, nil
}

// parseHFConfig decodes a config. Models that see or hear keep their language model's figures in a part of their own.
func parseHFConfig(b []byte) (hfConfig, error) {
	var parts struct {
		Text     json.RawMessage `json:"text_config"`
		LLM      json.RawMessage `json:"llm_config"`
		Language json.RawMessage `json:"language_config"`
	}
	var c hfConfig
	if err := json.Unmarshal(b, &c); err != nil {
		return c, fmt.Errorf("read config: %w", err)
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return c, fmt.Errorf("read config: %w", err)
	}
	for _, part := range []json.RawMessage{parts.Text, parts.LLM, parts.Language} {
		if len(part) == 0 {
			continue
		}
		if err := json.Unmarshal(part, &c); err != nil {
			return c, fmt.Errorf("read config: its text part: %w", err)
		}
	}
	c.merge()
	return c, c.check()
}

// hybridLetters are the layers of a Nemotron pattern: each is a mixer or a feed-forward part, never both.
var hybridLetters = map[rune]string{'M': "mamba alone", '*': "attention alone", '-': "mlp alone", 'E': "moe alone"}

// merge brings different names for one figure together.
func (c *hfConfig) merge() {
	first := func(names ...*uint64) {
		for _, n := range names[1:] {
			if *names[0] == 0 {
				*names[0] = *n
			}
		}
	}
	first(&c.NumExperts, &c.LocalExperts, &c.RoutedExperts, &c.MoeExperts)
	first(&c.ExpertsPerTok, &c.ExpertsPerToken, &c.TopK, &c.TopKExperts, &c.MoeK)
	first(&c.SharedExperts, &c.NumSharedExperts, &c.MoeShared)
	first(&c.SharedWidth, &c.SharedIntermediate, &c.MoeSharedWidth)
	first(&c.FirstDense, &c.NumDenseLayers, &c.MoeStart)
	first(&c.MambaHeads, &c.NemotronHeads)
	first(&c.MambaHeadDim, &c.NemotronHeadDim)
	first(&c.MambaState, &c.NemotronState)
	first(&c.MambaGroups, &c.NemotronGroups)
	first(&c.MambaConv, &c.NemotronConv)
	if len(c.LayerTypes) == 0 {
		c.LayerTypes = c.LayersBlockType
	}
	if len(c.LayerTypes) == 0 && uint64(len(c.HybridPattern)) <= maxLayers {
		for _, letter := range c.HybridPattern {
			c.LayerTypes = append(c.LayerTypes, hybridLetters[letter])
		}
	}
	if c.SlidingWindowPattern == 0 {
		c.SlidingWindowPattern = c.SlidingPatternOld
	}
	c.older()
	first(&c.KVHeads, &c.Heads)
	if c.TorchDType == "" {
		c.TorchDType = c.DType
	}
	// What cannot be decoded here is left out: the tensors tell how they are packed, too.
	var q hfQuantization
	switch {
	case len(c.QuantizationConfig) > 0 && json.Unmarshal(c.QuantizationConfig, &q) == nil && q.Method+q.QuantAlgo != "":
		c.Quantization = &q
	case len(c.MLXQuantization) > 0 && json.Unmarshal(c.MLXQuantization, &q) == nil && q.Bits > 0:
		q.Method = "mlx"
		c.Quantization = &q
	}
}

// older brings the names of older families in.
func (c *hfConfig) older() {
	for _, f := range []struct{ to, from *uint64 }{
		{&c.NumLayers, &c.GLMLayers},
		{&c.NumLayers, &c.NLayer},
		{&c.HiddenSize, &c.NEmbd},
		{&c.Heads, &c.NHead},
		{&c.KVHeads, &c.NumKVHeads},
		{&c.KVHeads, &c.GLMKVHeads},
		{&c.HeadDim, &c.KVChannels},
		{&c.VocabSize, &c.PaddedVocabSize},
		{&c.MaxPositions, &c.NPositions},
		{&c.MaxPositions, &c.SeqLength},
		{&c.MambaState, &c.StateSize},
		{&c.MambaHeads, &c.SSMHeads},
		{&c.MambaExpand, &c.Expand},
		{(*uint64)(&c.MambaRank), (*uint64)(&c.TimeStepRank)},
	} {
		if *f.to == 0 {
			*f.to = *f.from
		}
	}
	if len(c.IntermediateSize) == 0 {
		switch inner := max(c.NInner, c.FFNDim, c.FFNHiddenSize); {
		case inner > 0:
			c.IntermediateSize = numbers{inner}
		case slices.Contains(plainFamilies, c.ModelType):
			c.IntermediateSize = numbers{4 * min(c.HiddenSize, maxWidth)}
		}
	}
	if c.ModelType == "gpt_bigcode" || c.ModelType == "falcon" && !flag(c.NewDecoder, false) {
		c.KVHeads = c.Heads
		if flag(c.MultiQuery, true) {
			c.KVHeads = 1
		}
	}
	if c.ModelType == "mamba2" && c.MambaHeadDim == 0 {
		c.MambaHeadDim = c.HeadDim
	}
	if c.MambaHeadDim == 0 && c.MambaHeads > 0 {
		c.MambaHeadDim = c.MambaInner / c.MambaHeads
	}
}

// check refuses figures that no model has: they would lead to products beyond 64 bits.
func (c *hfConfig) check() error {
	if c.HiddenSize == 0 || c.NumLayers == 0 {
		return errors.New("read config: hidden_size or num_hidden_layers is missing: it describes no language model that can be sized")
	}
	for _, f := range []struct {
		name         string
		value, limit uint64
	}{
		{"num_hidden_layers", c.NumLayers, maxLayers},
		{"hidden_size", c.HiddenSize, maxWidth},
		{"vocab_size", c.VocabSize, maxVocab},
		{"max_position_embeddings", c.MaxPositions, maxContext},
		{"type_vocab_size", c.TypeVocab, maxVocab},
		{"sliding_window", c.SlidingWindow, maxContext},
		{"attention_chunk_size", c.ChunkSize, maxContext},
		{"num_attention_heads", c.Heads, maxHeads},
		{"num_key_value_heads", c.KVHeads, maxHeads},
		{"num_global_key_value_heads", c.GlobalKVHeads, maxHeads},
		{"head_dim", c.HeadDim, maxHeadWidth},
		{"global_head_dim", c.GlobalHeadDim, maxHeadWidth},
		{"q_lora_rank", c.QRank, maxWidth},
		{"kv_lora_rank", c.KVRank, maxHeadWidth},
		{"qk_nope_head_dim", c.NopeDim, maxHeadWidth},
		{"qk_rope_head_dim", c.RopeDim, maxHeadWidth},
		{"v_head_dim", c.VDim, maxHeadWidth},
		{"index_head_dim", c.IndexerDim, maxHeadWidth},
		{"num_experts", c.NumExperts, maxExperts},
		{"num_experts_per_tok", c.ExpertsPerTok, max(c.NumExperts, 1)},
		{"n_shared_experts", c.SharedExperts, maxExperts},
		{"moe_intermediate_size", c.MoeWidth, maxWidth},
		{"shared_expert_intermediate_size", c.SharedWidth, maxWidth},
		{"intermediate_size_mlp", c.DenseWidth, maxWidth},
		{"linear_num_key_heads", c.LinearKeyHeads, maxHeads},
		{"linear_num_value_heads", c.LinearValueHeads, maxHeads},
		{"linear_key_head_dim", c.LinearKeyDim, maxHeadWidth},
		{"linear_value_head_dim", c.LinearValueDim, maxHeadWidth},
		{"linear_conv_kernel_dim", c.LinearConv, maxHeadWidth},
		{"conv_L_cache", c.ConvCache, maxHeadWidth},
		{"block_ff_dim", c.BlockFFDim, maxWidth},
		{"block_multiple_of", c.BlockFFMultiple, maxWidth},
		{"mamba_n_heads", c.MambaHeads, maxHeads},
		{"mamba_d_head", c.MambaHeadDim, maxHeadWidth},
		{"mamba_d_state", c.MambaState, maxHeadWidth},
		{"mamba_n_groups", c.MambaGroups, maxHeads},
		{"mamba_d_conv", c.MambaConv, maxHeadWidth},
		{"mamba_d_ssm", c.MambaInner, maxWidth},
		{"mamba_expand", c.MambaExpand, 1 << 8},
		{"mamba_dt_rank", uint64(c.MambaRank), maxWidth},
		{"hidden_size_per_layer_input", c.PerLayer, maxWidth},
		{"vocab_size_per_layer_input", c.PerLayerRows, maxVocab},
		{"laurel_rank", c.LaurelRank, maxWidth},
	} {
		if f.value > f.limit {
			return fmt.Errorf("read config: %s is %d, more than the %d that any model has", f.name, f.value, f.limit)
		}
	}
	for _, n := range c.IntermediateSize {
		if n > maxWidth {
			return fmt.Errorf("read config: intermediate_size is %d, more than the %d that any model has", n, maxWidth)
		}
	}
	if w := max(c.Heads, c.KVHeads) * max(c.HeadDim, c.GlobalHeadDim, c.NopeDim+c.RopeDim, c.VDim); w > maxRow {
		return fmt.Errorf("read config: %d heads make rows of %d, wider than any model", c.Heads, w)
	}
	if len(c.LayerTypes) > 0 && uint64(len(c.LayerTypes)) != c.NumLayers {
		return fmt.Errorf("read config: layer_types has %d entries for %d layers", len(c.LayerTypes), c.NumLayers)
	}
	return nil
}
