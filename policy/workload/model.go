package workload

// Model is an architecture: what a workload is sized from. Counts are elements unless said otherwise.
type Model struct {
	// Name is for people; ID is the catalogue's key, lower case with dashes.
	Name string `json:"name"`
	ID   string `json:"id"`
	// Arch is the architecture's family as GGUF names it: llama, qwen2, gemma3, deepseek2.
	Arch string `json:"arch"`
	// Source is where the figures come from: an address or a file. Note is what a user should know of them.
	Source string `json:"source,omitempty"`
	Note   string `json:"note,omitempty"`
	// Params and ActiveParams are the published or counted weights.
	Params       uint64 `json:"params"`
	ActiveParams uint64 `json:"active_params"`
	// Embedding, FeedForward, Vocab: the widths. MaxContext is the longest trained context in tokens.
	Embedding   uint64 `json:"embedding"`
	FeedForward uint64 `json:"feed_forward"`
	Vocab       uint64 `json:"vocab"`
	MaxContext  uint64 `json:"max_context"`
	// TiedEmbeddings is whether the output matrix is the embedding matrix.
	TiedEmbeddings bool `json:"tied_embeddings,omitempty"`
	// Layers has one entry a layer, first to last.
	Layers []Layer `json:"layers"`
	// LargestTensor is the elements of the largest single tensor; 0: taken from the widths.
	LargestTensor uint64 `json:"largest_tensor,omitempty"`
	// NormBias is whether every norm has a bias beside its scale, as layer norms do and RMS norms do not.
	NormBias bool `json:"norm_bias,omitempty"`
	// Encoder is a model that reads a text at once and gives embeddings: no KV cache, no output matrix, no logits.
	Encoder bool `json:"encoder,omitempty"`
	// ExtraParams are weights outside the layers beside embedding, final norm and output: learned positions, per-layer
	// embeddings, a vision tower that the published count includes.
	ExtraParams uint64 `json:"extra_params,omitempty"`
}

// QKNorm is the norm that some models put on queries and keys.
type QKNorm string

// The norms on queries and keys.
const (
	// QKNormHead has one scale an element of a head, shared by all heads.
	QKNormHead QKNorm = "head"
	// QKNormFull has one scale an element of the whole row of heads.
	QKNormFull QKNorm = "full"
)

// Layer is one transformer layer's shape.
type Layer struct {
	// Attention is whether the layer keeps a KV cache; a recurrent or convolution layer does not.
	Attention bool   `json:"attention"`
	Heads     uint64 `json:"heads"`
	KVHeads   uint64 `json:"kv_heads"`
	// KeyLength and ValueLength are the elements of one head.
	KeyLength   uint64 `json:"key_length"`
	ValueLength uint64 `json:"value_length"`
	// Window is the sliding window in tokens; 0 attends to all.
	Window uint64 `json:"window,omitempty"`
	// KVRank is the compressed KV width of multi-head latent attention (latent + rope dimensions); 0 for others.
	KVRank uint64 `json:"kv_rank,omitempty"`
	// QueryRank is the compressed query width of multi-head latent attention; 0 where queries are projected at once.
	QueryRank uint64 `json:"query_rank,omitempty"`
	// RopeLength is, with KVRank, the rope dimensions within KVRank and within KeyLength.
	RopeLength uint64 `json:"rope_length,omitempty"`
	// SharesKV is a layer that reads another layer's cache and has no key and value projections of its own.
	SharesKV bool `json:"shares_kv,omitempty"`
	// KeyIsValue is a layer whose values are its keys, projected once; the cache keeps both.
	KeyIsValue bool `json:"key_is_value,omitempty"`
	// QKVBias and OutputBias are biases on the query, key and value projections and on the attention's output projection.
	QKVBias    bool `json:"qkv_bias,omitempty"`
	OutputBias bool `json:"output_bias,omitempty"`
	// QKNorm is the norm on queries and keys, empty for none.
	QKNorm QKNorm `json:"qk_norm,omitempty"`
	// AttentionGate is a gate as wide as the queries on the attention's result.
	AttentionGate bool `json:"attention_gate,omitempty"`
	// Sinks is one learned sink a head.
	Sinks bool `json:"sinks,omitempty"`
	// StateBytes is the fixed recurrent state of one sequence.
	StateBytes uint64 `json:"state_bytes,omitempty"`
	// MixerParams are the weights of what a layer without attention has in its place, or beside it where both are there;
	// MixerWidth is that mixer's inner width.
	MixerParams uint64 `json:"mixer_params,omitempty"`
	MixerWidth  uint64 `json:"mixer_width,omitempty"`
	// PostNorm is a norm after attention and after the feed-forward part too (four norms a layer); Parallel is both parts
	// reading the same single norm.
	PostNorm bool `json:"post_norm,omitempty"`
	Parallel bool `json:"parallel,omitempty"`
	// FeedForward is the width of the dense part, 0 where a mixture stands in its place; Experts and ExpertsUsed are the
	// mixture, ExpertFeedForward one expert's width.
	FeedForward       uint64 `json:"feed_forward"`
	Experts           uint64 `json:"experts,omitempty"`
	ExpertsUsed       uint64 `json:"experts_used,omitempty"`
	ExpertFeedForward uint64 `json:"expert_feed_forward,omitempty"`
	// SharedFeedForward is the width of all experts that every token takes, together; SharedGate is a gate on their sum.
	SharedFeedForward uint64 `json:"shared_feed_forward,omitempty"`
	SharedGate        bool   `json:"shared_gate,omitempty"`
	// RouterBias is one bias an expert on the router.
	RouterBias bool `json:"router_bias,omitempty"`
	// Ungated is a feed-forward part of two matrices (up, down) instead of three; FeedForwardBias is a bias on each.
	Ungated         bool `json:"ungated,omitempty"`
	FeedForwardBias bool `json:"feed_forward_bias,omitempty"`
	// ExtraParams are weights of the layer that no other field counts.
	ExtraParams uint64 `json:"extra_params,omitempty"`
}

// Options are what a user chooses beside the model.
type Options struct {
	// Context is tokens of one sequence; 0 takes 8192, capped by the model's longest.
	Context uint64
	// KV is the cache's element type; empty is f16.
	KV KVType
	// Sequences is how many run in parallel, each with its own cache of Context tokens; 0 is 1. Batch is the logical batch
	// in tokens; 0 is 512.
	Sequences, Batch uint64
}
