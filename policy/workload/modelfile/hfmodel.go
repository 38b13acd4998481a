package modelfile

import (
	"slices"

	"headroom/policy/workload"
)

// ggufNames are GGUF's names for architectures that Hugging Face calls otherwise.
var ggufNames = map[string]string{
	"mistral": "llama", "mixtral": "llama", "ministral": "llama", "ministral3": "mistral3",
	"qwen2_moe": "qwen2moe", "qwen3_moe": "qwen3moe", "qwen3_next": "qwen3next", "qwen2_vl": "qwen2vl", "qwen2_5_vl": "qwen2vl", "qwen2_5_vl_text": "qwen2vl",
	"gemma3_text": "gemma3", "gemma3n_text": "gemma3n", "gemma4_text": "gemma4", "llama4_text": "llama4",
	"deepseek_v2": "deepseek2", "deepseek_v3": "deepseek2", "kimi_k2": "deepseek2", "glm4_moe_lite": "deepseek2", "deepseek_v32": "deepseek32",
	"gpt_oss": "gpt-oss", "cohere": "command-r", "olmo3": "olmo2", "granitemoe": "granitemoe", "granitemoehybrid": "granitehybrid",
	"glm4_moe": "glm4moe", "phi": "phi2", "ernie4_5_moe": "ernie4_5-moe", "exaone_moe": "exaone-moe", "lfm2_moe": "lfm2moe",
	"roberta": "bert", "xlm-roberta": "bert", "camembert": "bert", "electra": "bert", "modernbert": "modern-bert", "nomic_bert": "nomic-bert",
	"qwen3_5_text": "qwen35", "qwen3_5_moe_text": "qwen35moe", "falcon_h1": "falcon-h1", "minimax_m2": "minimax-m2",
}

// knownFamilies are the families of Hugging Face whose weights are counted tensor by tensor.
var knownFamilies = map[string]bool{
	"llama": true, "mistral": true, "mixtral": true, "ministral": true, "qwen2": true, "qwen2_moe": true, "qwen3": true, "qwen3_moe": true,
	"qwen3_next": true, "qwen3_5_text": true, "qwen3_5_moe_text": true, "gemma": true, "gemma2": true, "gemma3_text": true, "phi": true, "phi3": true,
	"phimoe": true, "deepseek_v2": true, "deepseek_v3": true, "kimi_k2": true, "gpt_oss": true, "smollm3": true, "granite": true, "granitemoe": true,
	"granitemoehybrid": true, "olmo2": true, "olmo3": true, "olmoe": true, "cohere": true, "cohere2": true, "glm4": true, "glm4_moe": true,
	"exaone4": true, "stablelm": true, "starcoder2": true, "llama4_text": true, "lfm2": true, "lfm2_moe": true, "seed_oss": true, "ernie4_5": true,
	"ernie4_5_moe": true, "gemma4_text": true, "glm4_moe_lite": true, "ministral3": true, "minimax_m2": true, "nemotron_h": true, "apertus": true,
	"internlm2": true, "exaone": true, "mamba": true, "falcon_mamba": true, "mamba2": true, "falcon_h1": true, "jamba": true, "falcon": true, "gpt_neox": true,
	"chatglm": true, "gpt_bigcode": true, "opt": true, "gpt2": true, "bloom": true, "gemma3n_text": true, "bert": true, "roberta": true, "xlm-roberta": true, "camembert": true,
}

// plainFamilies are those from before gates and RMS norms: every matrix has a bias, every norm too, and the feed-forward part is
// four times as wide unless it says otherwise.
var plainFamilies = []string{"gpt2", "gpt_bigcode", "gpt_neox", "opt", "bloom", "falcon"}

// tiedByDefault are the families whose output is the embedding unless their config says otherwise.
var tiedByDefault = []string{"gemma", "gemma2", "gemma3", "gemma3n", "gemma4", "command-r", "cohere2", "starcoder2", "gpt2", "gpt_bigcode", "opt", "bloom", "mamba", "falcon_mamba", "falcon-h1"}

// model is the architecture that the config describes, as llama.cpp would run it, with its weights counted from the shapes.
func (c *hfConfig) model() workload.Model {
	arch := c.ModelType
	if name, ok := ggufNames[arch]; ok {
		arch = name
	}
	m := workload.Model{
		Arch:           arch,
		Embedding:      c.HiddenSize,
		Vocab:          c.VocabSize,
		MaxContext:     c.MaxPositions,
		TiedEmbeddings: flag(c.Tied, slices.Contains(tiedByDefault, arch)),
		NormBias:       slices.Contains(plainFamilies, arch) || slices.Contains([]string{"phi2", "phimoe", "starcoder2", "stablelm", "nemotron"}, arch),
		Layers:         make([]workload.Layer, c.NumLayers),
		Encoder:        slices.Contains(encoders, arch),
	}
	for i := range m.Layers {
		l := &m.Layers[i]
		c.attention(l, i)
		c.window(l, i, arch)
		c.mixer(l, i)
		c.feedForward(l, i)
		c.family(l, arch)
		m.FeedForward = max(m.FeedForward, l.FeedForward, l.ExpertFeedForward)
	}
	if arch == "phi2" || arch == "phimoe" {
		// The output has a bias.
		m.ExtraParams = c.VocabSize
	}
	switch arch {
	case "gpt2", "gpt_bigcode":
		m.ExtraParams = c.MaxPositions * c.HiddenSize
	case "opt":
		// Two positions stand before the first.
		m.ExtraParams = (c.MaxPositions + 2) * c.HiddenSize
	case "bloom":
		m.ExtraParams = 2 * c.HiddenSize
	}
	if arch == "bert" {
		// It has no output; learned positions and kinds of segment are beside the embedding, a pooling layer at the end.
		m.TiedEmbeddings, m.NormBias = true, true
		m.ExtraParams = (c.MaxPositions+c.TypeVocab)*c.HiddenSize + c.HiddenSize*(c.HiddenSize+1)
	}
	rows := c.perLayer(&m)
	m.Params, m.ActiveParams = m.Count()
	m.ActiveParams -= min(rows, m.ActiveParams)
	return m
}

// perLayer adds the weights of Gemma 3n beside its layers, a row of an embedding for each of them among these, and gives how
// many of that embedding's weights a token does not read.
func (c *hfConfig) perLayer(m *workload.Model) uint64 {
	if m.Arch != "gemma3n" {
		return 0
	}
	e, row := c.HiddenSize, c.NumLayers*c.PerLayer
	m.ExtraParams = (c.PerLayerRows+e)*row + c.PerLayer + 6*e*e
	for i := range m.Layers {
		// The way in and out of the row, the low-rank residual, the router of the four streams, and their norms.
		m.Layers[i].ExtraParams = 2*e*c.PerLayer + 2*e*c.LaurelRank + 8*e
	}
	return c.PerLayerRows*row - min(row, c.PerLayerRows*row)
}

func flag(b *bool, other bool) bool {
	if b == nil {
		return other
	}
	return *b
}

// attention fills in heads and latent ranks.
func (c *hfConfig) attention(l *workload.Layer, i int) {
	if c.Heads == 0 {
		return
	}
	l.Attention = true
	l.Heads, l.KVHeads = c.Heads, c.KVHeads
	l.KeyLength = c.HeadDim
	if l.KeyLength == 0 {
		l.KeyLength = c.HiddenSize / c.Heads
	}
	l.ValueLength = l.KeyLength
	if c.KVRank > 0 && c.RopeDim > 0 {
		l.KVRank, l.QueryRank, l.RopeLength = c.KVRank+c.RopeDim, c.QRank, c.RopeDim
		l.KVHeads, l.KeyLength, l.ValueLength = c.Heads, c.NopeDim+c.RopeDim, c.VDim
	}
	l.SharesKV = uint64(i)+c.SharedKVLayers >= c.NumLayers && c.SharedKVLayers > 0
}

// layerType is what the config calls layer i; empty where it names none.
func (c *hfConfig) layerType(i int) string {
	if len(c.LayerTypes) > 0 {
		return c.LayerTypes[i]
	}
	switch {
	case c.ModelType == "mamba" || c.ModelType == "falcon_mamba":
		return "mamba1 alone"
	case c.ModelType == "mamba2":
		return "mamba alone"
	case c.ModelType == "falcon_h1":
		return "mamba beside attention"
	case c.AttnPeriod > 0 && uint64(i)%c.AttnPeriod != c.AttnOffset%c.AttnPeriod:
		return "mamba1"
	case c.FullAttentionInterval > 0 && (uint64(i)+1)%c.FullAttentionInterval != 0:
		return "linear_attention"
	case len(c.FullAttnIdxs) > 0 && !slices.Contains(c.FullAttnIdxs, uint64(i)):
		return "conv"
	}
	return ""
}

// window fills in the sliding window of layers that have one.
func (c *hfConfig) window(l *workload.Layer, i int, arch string) {
	width := c.SlidingWindow
	rule, known := windowRules[arch]
	if width == 0 && known {
		width = max(c.ChunkSize, rule.window)
	}
	if c.SlidingWindowPattern > 0 {
		rule.period, known = uint64(c.SlidingWindowPattern), true
	}
	slides := known && !rule.full(i)
	if kind := c.layerType(i); kind != "" {
		slides = kind == "sliding_attention" || kind == "chunked_attention"
	}
	if slides {
		l.Window = width
		return
	}
	l.KeyIsValue = flag(c.KeyIsValue, false)
	if c.GlobalHeadDim > 0 {
		l.KeyLength, l.ValueLength = c.GlobalHeadDim, c.GlobalHeadDim
	}
	if c.GlobalKVHeads > 0 {
		l.KVHeads = c.GlobalKVHeads
	}
}

// mixer fills in layers that keep a fixed state in place of a cache. States are in f32, as llama.cpp keeps them.
func (c *hfConfig) mixer(l *workload.Layer, i int) {
	e := c.HiddenSize
	switch kind := c.layerType(i); kind {
	case "mlp alone", "moe alone":
		l.Attention = false
	case "linear_attention":
		key, value := c.LinearKeyHeads*c.LinearKeyDim, c.LinearValueHeads*c.LinearValueDim
		conv := 2*key + value
		l.Attention, l.MixerWidth = false, value
		l.StateBytes = 4 * ((max(c.LinearConv, 1)-1)*conv + value*c.LinearKeyDim)
		// Projections in (query, key, value, gate, and two scalars a head), the convolution, decay and step, norm, out.
		l.MixerParams = e*(conv+value+2*c.LinearValueHeads) + conv*c.LinearConv + 2*c.LinearValueHeads + c.LinearValueDim + value*e
	case "conv":
		l.Attention, l.MixerWidth = false, e
		l.StateBytes = 4 * e * (max(c.ConvCache, 1) - 1)
		l.MixerParams = 3*e*e + e*c.ConvCache + e*e
	case "mamba1", "mamba1 alone":
		inner, rank, state := c.mamba1()
		l.Attention, l.MixerWidth = false, inner
		l.StateBytes = 4 * ((max(c.MambaConv, 1)-1)*inner + inner*state)
		// Projection in, convolution with bias, step and state from the input, the step's projection with bias, decay, skip,
		// projection out; with attention beside it, norms on the step and the state too.
		l.MixerParams = 2*e*inner + inner*(c.MambaConv+1) + inner*(rank+2*state) + (rank+1)*inner + inner*(state+1) + inner*e
		if kind == "mamba1" {
			l.MixerParams += rank + 2*state
		}
	case "mamba", "mamba2", "mamba alone", "mamba beside attention":
		inner := c.MambaHeads * c.MambaHeadDim
		conv := inner + 2*c.MambaGroups*c.MambaState
		l.Attention, l.MixerWidth = kind == "mamba beside attention", inner
		l.StateBytes = 4 * ((max(c.MambaConv, 1)-1)*conv + inner*c.MambaState)
		// Projection in, convolution with bias, three scalars a head, norm, projection out.
		l.MixerParams = e*(inner+conv+c.MambaHeads) + conv*(c.MambaConv+1) + 3*c.MambaHeads + inner + inner*e
	}
}

// mamba1 is the inner width, the rank of the step and the state of the first Mamba.
func (c *hfConfig) mamba1() (inner, rank, state uint64) {
	rank = uint64(c.MambaRank)
	if rank == 0 {
		rank = (c.HiddenSize + 15) / 16
	}
	return max(c.MambaExpand, 1) * c.HiddenSize, rank, c.MambaState
}

// feedForward fills in dense and expert widths.
func (c *hfConfig) feedForward(l *workload.Layer, i int) {
	l.FeedForward = c.IntermediateSize.at(i)
	if c.BlockFFDim > 0 {
		l.FeedForward = c.blockWidth()
	}
	if c.DenseWidth > 0 {
		l.FeedForward = c.DenseWidth
	}
	switch c.layerType(i) {
	case "mamba alone", "mamba1 alone", "attention alone":
		l.FeedForward = 0
		return
	case "mlp alone":
		return
	}
	if c.NumExperts <= 1 || !c.sparse(uint64(i)) {
		return
	}
	l.Experts, l.ExpertsUsed, l.ExpertFeedForward = c.NumExperts, c.ExpertsPerTok, c.MoeWidth
	if c.MoeWidth == 0 {
		l.ExpertFeedForward = c.IntermediateSize.at(i)
	}
	l.FeedForward = 0
	l.SharedFeedForward = c.SharedWidth
	if l.SharedFeedForward == 0 {
		l.SharedFeedForward = c.SharedExperts * l.ExpertFeedForward
	}
}

// sparse reports whether layer i is a mixture of experts.
func (c *hfConfig) sparse(i uint64) bool {
	switch {
	case c.ExpertPeriod > 0:
		return i%c.ExpertPeriod == c.ExpertOffset%c.ExpertPeriod
	case i < c.FirstDense, slices.Contains(c.MLPOnlyLayers, i):
		return false
	case c.InterleaveMoe > 0:
		return (i+1)%c.InterleaveMoe == 0
	case c.SparseStep > 1:
		return (i+1)%c.SparseStep == 0
	case len(c.MoeLayerFreq) > 1:
		return c.MoeLayerFreq.at(int(i)) != 0
	case len(c.MoeLayerFreq) == 1 && c.MoeLayerFreq[0] > 1:
		return i%c.MoeLayerFreq[0] == 0
	default:
		return true
	}
}

// blockWidth is LFM2's feed-forward width, which its config gives before rounding.
func (c *hfConfig) blockWidth() uint64 {
	w := c.BlockFFDim
	if !flag(c.BlockFFAdjust, true) {
		return w
	}
	w = 2 * w / 3
	if c.BlockFFFactor != nil {
		w = uint64(float64(w) * min(max(*c.BlockFFFactor, 0), 16))
	}
	if m := c.BlockFFMultiple; m > 0 {
		w = (w + m - 1) / m * m
	}
	return w
}

// family fills in the details that a family's code fixes and its config does not say, or says in words of its own.
func (c *hfConfig) family(l *workload.Layer, arch string) {
	bias := flag(c.AttentionBias, false)
	l.QKVBias, l.OutputBias, l.FeedForwardBias = bias, bias, flag(c.MLPBias, false)
	switch arch {
	case "qwen2", "qwen2moe", "qwen2vl":
		l.QKVBias, l.OutputBias = true, false
		l.SharedGate = l.Experts > 0
	case "qwen3", "qwen3moe", "hunyuan_v1_dense", "hunyuan_v1_moe", "dots1", "lfm2", "lfm2moe":
		l.QKNorm = workload.QKNormHead
	case "qwen3next", "qwen35", "qwen35moe":
		l.QKNorm = workload.QKNormHead
		l.SharedGate = l.Experts > 0
		l.AttentionGate = l.Attention && flag(c.OutputGate, true)
	case "chatglm":
		l.QKVBias = true
	case "gpt2", "gpt_bigcode", "gpt_neox", "opt", "bloom":
		l.QKVBias, l.OutputBias, l.FeedForwardBias, l.Ungated = true, true, true, true
	case "falcon":
		// One norm before both parts, but in the larger ones.
		l.Ungated, l.Parallel = true, !flag(c.NewDecoder, false)
	case "gemma3n":
		l.PostNorm, l.QKNorm = true, workload.QKNormHead
	case "gemma2":
		l.PostNorm = true
	case "gemma3":
		l.PostNorm, l.QKNorm = true, workload.QKNormHead
	case "gemma4":
		l.PostNorm, l.QKNorm = true, workload.QKNormHead
		if l.Experts > 0 {
			// The dense part stays beside the mixture.
			l.SharedFeedForward = c.IntermediateSize.at(0)
		}
	case "llama4":
		if l.Experts > 0 {
			l.SharedFeedForward = c.IntermediateSize.at(0)
		}
	case "minimax-m2":
		l.QKNorm, l.RouterBias = workload.QKNormFull, true
	case "apertus":
		l.QKNorm, l.Ungated = workload.QKNormHead, true
	case "nemotron_h":
		l.Ungated, l.RouterBias = true, l.Experts > 0
	case "olmo2", "olmoe":
		l.QKNorm = workload.QKNormFull
	case "exaone4":
		l.QKNorm = workload.QKNormHead
	case "phi2":
		l.QKVBias, l.OutputBias, l.FeedForwardBias, l.Ungated, l.Parallel = true, true, true, true, true
	case "bert":
		l.QKVBias, l.OutputBias, l.FeedForwardBias, l.Ungated = true, true, true, true
	case "starcoder2":
		b := flag(c.UseBias, true)
		l.QKVBias, l.OutputBias, l.FeedForwardBias, l.Ungated = b, b, b, true
	case "stablelm":
		l.QKVBias, l.OutputBias = flag(c.QKVBias, false), false
	case "nemotron":
		l.Ungated = true
	case "command-r", "cohere2":
		l.Parallel = true
	case "gpt-oss":
		l.Sinks, l.RouterBias, l.FeedForwardBias = true, true, true
	case "deepseek2", "deepseek32":
		// The third generation corrects its router with a bias; the second has none.
		l.RouterBias = l.Experts > 0 && c.ModelType != "deepseek_v2"
	case "glm4":
		l.PostNorm = true
		l.OutputBias = false
	case "glm4moe":
		l.OutputBias, l.RouterBias = false, l.Experts > 0
		if flag(c.UseQKNorm, false) {
			l.QKNorm = workload.QKNormHead
		}
	case "seed_oss":
		l.OutputBias = flag(c.OutBias, false)
	}
	if !l.Attention {
		l.QKVBias, l.OutputBias, l.QKNorm, l.Sinks = false, false, "", false
	}
}
