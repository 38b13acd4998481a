package policy

import "math"

// ComputeBackend is what runs the job.
type ComputeBackend uint8

// The backends, in order of preference.
const (
	GPU ComputeBackend = iota
	NPU
	CPU
)

// String gives the snapshot's spelling.
func (b ComputeBackend) String() string {
	switch b {
	case GPU:
		return "gpu"
	case NPU:
		return "npu"
	default:
		return "cpu"
	}
}

// HostCapabilities is what the host offers to route work to.
type HostCapabilities struct {
	// GPUAvailable is whether there is a GPU; a software adapter is none.
	GPUAvailable bool
	// VRAMAvailable is the bytes that a job may take on it.
	VRAMAvailable uint64
	// NPUAvailable is whether there is a neural processor.
	NPUAvailable bool
	// CPUThreads is the number of logical processors.
	CPUThreads uint32
}

// HeterogeneousDispatcher routes jobs over one host's capabilities.
type HeterogeneousDispatcher struct{ host HostCapabilities }

// NewHeterogeneousDispatcher makes a dispatcher for the host.
func NewHeterogeneousDispatcher(host HostCapabilities) HeterogeneousDispatcher {
	return HeterogeneousDispatcher{host: host}
}

// Capabilities returns the host's capabilities as given.
func (d HeterogeneousDispatcher) Capabilities() HostCapabilities { return d.host }

// SelectBackend is the GPU if there is one and the job fits it or it has any memory at all (then the job is tiled), else
// the NPU if there is one, else the CPU. vramRequired is in bytes.
func (d HeterogeneousDispatcher) SelectBackend(vramRequired uint64) ComputeBackend {
	if d.host.GPUAvailable && (vramRequired <= d.host.VRAMAvailable || d.host.VRAMAvailable > 0) {
		return GPU
	}
	if d.host.NPUAvailable {
		return NPU
	}
	return CPU
}

// GPUTiles is the number of pieces that totalBytes must be cut into to pass through the GPU's memory: 1 without a GPU or
// without memory, else the quotient rounded up, at least 1 and at most the largest uint32.
func (d HeterogeneousDispatcher) GPUTiles(totalBytes uint64) uint32 {
	if !d.host.GPUAvailable || d.host.VRAMAvailable == 0 {
		return 1
	}
	return tileCount(totalBytes, d.host.VRAMAvailable)
}

// tileCount is ceil(total ÷ size), at least 1, at most the largest uint32. size must not be 0.
func tileCount(total, size uint64) uint32 {
	return uint32(min(max(ceilDiv(total, size), 1), math.MaxUint32))
}

// ceilDiv is ceil(a ÷ b) without overflow. b must not be 0.
func ceilDiv(a, b uint64) uint64 {
	n := a / b
	if a%b != 0 {
		n++
	}
	return n
}
