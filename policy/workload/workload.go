package workload

import "headroom/policy"

// Workload is one job, sized: everything the budget and the policy need to know of it.
type Workload struct {
	Name string `json:"name"`
	// Params is all weights; ActiveParams is what one token reads (smaller for mixtures of experts).
	Params       uint64 `json:"params"`
	ActiveParams uint64 `json:"active_params"`
	// Context is tokens; 0 for a bare count, to which context does not apply.
	Context uint64 `json:"context"`
	// KVBytes and ComputeBytes are taken beside the weights: the KV cache of all sequences at Context with recurrent state,
	// and the compute buffers with the logits'.
	KVBytes      uint64 `json:"kv_bytes"`
	ComputeBytes uint64 `json:"compute_bytes"`
	// KVType is the cache's element type: f16, q8_0 or q4_0.
	KVType KVType `json:"kv_type"`
	// LargestTensor is the weights of the largest tensor; 0 where shapes are unknown.
	LargestTensor uint64 `json:"largest_tensor"`
	// Bare is a weight count alone: no KV, no shapes; its op sequence is a Llama-like layer of that size, shown as such.
	Bare bool `json:"bare"`
	// Layers is the number of the model's layers; 0 where unknown. A bare count has those of a Llama-like model of its size.
	Layers int `json:"layers"`
	// Decode and Prefill are the ops of one layer at each precision, indexed by policy.Precision, for each phase.
	Decode, Prefill [4]Sequence `json:"-"`
	// Model is the architecture it was sized from; nil for a bare count.
	Model *Model `json:"-"`
}

// OverheadBytes is what the workload takes beside its weights; the largest number there is where it would be more.
func (w Workload) OverheadBytes() uint64 { return add(w.KVBytes, w.ComputeBytes) }

// Sequence is one layer's ops in order, each with its name and shape in words.
type Sequence struct {
	// Ops are the policy's view; Names[i] and Shapes[i] belong to Ops[i] ("norm", "4096", "32×8192").
	Ops    []policy.TensorOp
	Names  []string
	Shapes []string
	// Bytes[i] is what op i reads and writes besides weights when it is a pass of its own. Elements between ops are f32.
	Bytes []uint64
	// Elements[i] is the elements that op i writes.
	Elements []uint64
	// Repeats is how many of the model's layers are of this kind: the most frequent one is shown.
	Repeats uint32
	// WholeOps and WholePasses count the whole model: all layers of every kind, embedding and output.
	WholeOps, WholePasses uint32
}

// KVType is the element type of a KV cache.
type KVType string

// The KV cache types.
const (
	KVF16 KVType = "f16"
	KVQ80 KVType = "q8_0"
	KVQ40 KVType = "q4_0"
)
