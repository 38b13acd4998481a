package policy

// Inputs are the few numbers that every decision is made from.
type Inputs struct {
	// Params is the number of weights.
	Params uint64
	// Budget holds the memory left for weights (bytes), the power left (mW) and the thermal headroom (°C).
	Budget PowerThermalBudget
	// Host says what there is to route to; its VRAMAvailable equals Budget.VRAMBudgetBytes when a GPU is used, else 0.
	Host HostCapabilities
	// HasAdapter says whether a WebGPU adapter exists; without one the device buffer is host memory.
	HasAdapter bool
	// Adapter is the type of the adapter in use; it counts only when HasAdapter is true.
	Adapter DeviceType
	// Ops is the workload's op sequence at each precision, indexed by Precision; nil where unknown.
	Ops [4][]TensorOp
	// LargestTensor is the number of weights of the workload's largest tensor; 0 where shapes are unknown.
	LargestTensor uint64
	// MaxBinding is the bytes one storage binding may span on the adapter in use; 0 where unknown.
	MaxBinding uint64
}

// Plan is every decision made from one Inputs value, with its reasons as data.
type Plan struct {
	Precision Precision
	// Fits is whether the weights at Precision fit the memory budget; false means nothing fits.
	Fits bool
	// Tight is the specification's tight envelope; TightHeat and TightPower say which input made it so.
	Tight, TightHeat, TightPower bool
	// Rungs are the four precisions, finest first, each with its verdict.
	Rungs   [4]Rung
	Backend ComputeBackend
	// Job is the weights' nominal bytes at Precision.
	Job uint64
	// Tiles is the specification's count; TileBytes is the size of one tile, rounded up.
	Tiles     uint32
	TileBytes uint64
	// BindingTiles is the pieces that the largest tensor must be cut into to be bound; 0 where unknown.
	BindingTiles     uint32
	ZeroCopy         ZeroCopyStrategy
	RequiresHostCopy bool
	// Ops and Passes are the workload's ops at Precision and the passes left after fusion; both 0 where unknown.
	Ops, Passes uint32
	// Reasons holds one reason for each Decision, indexed by Decision.
	Reasons [NumDecisions]Reason
	// Flips are the smallest single changes that would change the answer; the first NumFlips are valid.
	Flips    [MaxFlips]Flip
	NumFlips int
}

// Rung is one precision's bytes and verdict.
type Rung struct {
	Precision Precision
	// Need is the weights' nominal bytes at Precision, saturated at the largest uint64.
	Need uint64
	// Fits is whether Need is at most the memory budget; Allowed is false for f32 and f16 while tight.
	Fits, Allowed, Taken bool
	// Margin is |budget − Need| in bytes: left over when Fits, missing when not.
	Margin uint64
}

// Decision names what a Reason explains.
type Decision uint8

// The decisions, in the order in which they are made.
const (
	DecidePrecision Decision = iota
	DecideBackend
	DecideTiles
	DecideZeroCopy
	DecideFusion
	NumDecisions
)

// ReasonKind says why a decision came out as it did; the numbers of the Reason fill it in.
type ReasonKind uint8

// The kinds of reason, grouped by the decision they belong to.
const (
	// PrecisionFinest: f32 fits, nothing finer exists. Need, Have, Margin are bytes.
	PrecisionFinest ReasonKind = iota
	// PrecisionFinerTooBig: the next finer precision (Other) needs Need of Have bytes, Margin short.
	PrecisionFinerTooBig
	// PrecisionHeldByHeat: Other fits but is off because Value °C is under Threshold °C.
	PrecisionHeldByHeat
	// PrecisionHeldByPower: Other fits but is off because Value mW is under Threshold mW.
	PrecisionHeldByPower
	// PrecisionHeldByBoth: both of the above; Value is °C, the power is the plan's input. Neither alone gives Other, only
	// both together, so there is no flip by heat or power.
	PrecisionHeldByBoth
	// PrecisionNothingFits: even q4 needs Need of Have bytes, Margin short.
	PrecisionNothingFits
	// BackendGPUFits: there is a GPU and the job (Need) fits its budget (Have).
	BackendGPUFits
	// BackendGPUTiled: there is a GPU with some memory, the job does not fit it whole.
	BackendGPUTiled
	// BackendNPU: no GPU to route to, an NPU is there.
	BackendNPU
	// BackendCPU: neither GPU nor NPU.
	BackendCPU
	// TilesOne: the job (Need) fits the budget (Have) as one.
	TilesOne
	// TilesMany: ceil(Need ÷ Have) is Count.
	TilesMany
	// TilesNoGPU: tiles count GPU memory; without a GPU in use there is one.
	TilesNoGPU
	// ZeroCopyUnified: the adapter shares memory with the host, weights are mapped in place.
	ZeroCopyUnified
	// ZeroCopyDiscrete: the adapter has memory of its own, weights go through a staging buffer.
	ZeroCopyDiscrete
	// ZeroCopyNoAdapter: no adapter, the device buffer is host memory.
	ZeroCopyNoAdapter
	// FusionSaved: Count passes saved by fusing same-shape element-wise neighbours.
	FusionSaved
	// FusionNone: every op is a pass of its own.
	FusionNone
	// FusionUnknown: the workload's ops are not known.
	FusionUnknown
)

// Reason is why one decision came out as it did, as data: the faces make the words.
type Reason struct {
	Decision Decision
	Kind     ReasonKind
	// Other is the precision that the reason compares with, where its kind speaks of one.
	Other Precision
	// Need, Have and Margin are bytes.
	Need, Have, Margin uint64
	// Value and Threshold are °C or mW, as the kind says.
	Value, Threshold float64
	// Count is tiles, or passes saved.
	Count uint32
}

// FlipInput names the input whose change would change the precision.
type FlipInput uint8

// The inputs that can flip the precision.
const (
	FlipMemory FlipInput = iota
	FlipHeat
	FlipPower
)

// MaxFlips bounds Plan.Flips: for each of three inputs, one change up and one down.
const MaxFlips = 6

// Flip is the smallest change of one input alone that changes the answer: the precision, or whether it fits at all.
type Flip struct {
	Input FlipInput
	// At is the input's value from which (Up) or below which (not Up) the answer is To: bytes, °C or mW. Bytes above 2⁵³
	// are rounded to a float64.
	At float64
	// Delta is |At − now| in the same unit.
	Delta float64
	Up    bool
	To    Precision
	// ToFits is whether To fits then. To equals the plan's precision only where this differs from the plan's Fits: q4 that
	// comes to fit, or no longer does.
	ToFits bool
}
