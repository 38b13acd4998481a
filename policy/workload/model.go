package workload

// Model is an architecture: what a workload is sized from. Counts are elements unless said otherwise.
type Model struct {
	// Name is for people; ID is the catalogue's key, lower case with dashes.
	Name string `json:"name"`
	ID   string `json:"id"`
	// Arch is the architecture's family as GGUF names it: llama, qwen2, gemma3, deepseek2.
	Arch string `json:"arch"`
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
	// LargestTensor is the elements of the largest single tensor; 0: the larger of vocabulary × embedding and the feed-forward matrix.
	LargestTensor uint64 `json:"largest_tensor,omitempty"`
}

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
	// SharesKV is a layer that reads another layer's cache.
	SharesKV bool `json:"shares_kv,omitempty"`
	// StateBytes is the fixed recurrent state of one sequence.
	StateBytes uint64 `json:"state_bytes,omitempty"`
	// FeedForward is the width of the dense part, Experts and ExpertsUsed the mixture, ExpertFeedForward one expert's width.
	FeedForward       uint64 `json:"feed_forward"`
	Experts           uint64 `json:"experts,omitempty"`
	ExpertsUsed       uint64 `json:"experts_used,omitempty"`
	ExpertFeedForward uint64 `json:"expert_feed_forward,omitempty"`
}

// Options are what a user chooses beside the model.
type Options struct {
	// Context is tokens; 0 takes 8192, capped by the model's longest.
	Context uint64
	KV      KVType
	// Sequences is how many run in parallel, each with its own cache; 0 is 1. Batch is the logical batch; 0 is 512.
	Sequences, Batch uint64
}
