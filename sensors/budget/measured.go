package budget

import "headroom/sensors"

// Measured is what was measured on this machine before: settings like the others, so that the same Sample and settings say
// the same. It decides nothing; speeds alone are made from it.
type Measured struct {
	// RAM is what the CPU reads of it, in bytes a second.
	RAM sensors.Number `json:"ram_bytes_per_s"`
	// GPUs are what the proofs measured, by the ID of the GPU ("pci/0000:03:00.0"). A map that is set is not changed again.
	GPUs map[string]GPURates `json:"gpus,omitempty"`
}

// GPURates is what the proofs measured on one GPU; unknown where they were not run or came out wrong.
type GPURates struct {
	// Read is of the GPU's memory, Upload from RAM to it, in bytes a second.
	Read   sensors.Number `json:"read_bytes_per_s"`
	Upload sensors.Number `json:"upload_bytes_per_s"`
	// Weights is how many weights a second are multiplied by a vector, by policy.Precision; Spread is the share by which its
	// timing strayed.
	Weights [4]sensors.Number `json:"weights_per_s"`
	Spread  [4]sensors.Number `json:"spread"`
	// Pass is what one pass of the plan costs beside its work, in seconds: a dispatch.
	Pass sensors.Number `json:"pass_s"`
}
