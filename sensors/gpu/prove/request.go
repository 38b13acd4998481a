package prove

import "headroom/policy"

// Selector names an adapter: the Nth, from 0, of those that are alike.
type Selector struct {
	Name     string `json:"name"`
	Backend  string `json:"backend"`
	Type     string `json:"type"`
	VendorID uint32 `json:"vendor_id"`
	DeviceID uint32 `json:"device_id"`
	Nth      int    `json:"nth"`
}

func (s Selector) matches(name, backend string, vendor, device uint32) bool {
	return s.Name == name && s.Backend == backend && s.VendorID == vendor && s.DeviceID == device
}

// Request is what the child is asked to prove.
type Request struct {
	Proof   string   `json:"proof"`
	Effort  Effort   `json:"effort"`
	Adapter Selector `json:"adapter"`
	// Layer is the model's own op sequence, for the fusion proof; empty leaves it out.
	Layer []LayerOp `json:"layer,omitempty"`
	// Memory is what a proof may take of the adapter's memory in bytes, never more; 0 is unknown.
	Memory uint64 `json:"memory,omitempty"`
	// Dir is where a temporary file may lie.
	Dir string `json:"dir"`
	// Dump asks for kernels and raw times.
	Dump bool `json:"dump,omitempty"`
	// Tuning is the kernel shape found best earlier; empty searches.
	Tuning string `json:"tuning,omitempty"`
	// Break spoils the proof's kernels on purpose, to see that it is caught.
	Break bool `json:"break,omitempty"`
}

// LayerOp is one op of the model's layer with the elements of its result.
type LayerOp struct {
	Name     string              `json:"name"`
	Kind     policy.TensorOpKind `json:"kind"`
	Shape    uint64              `json:"shape"`
	Elements uint64              `json:"elements"`
}

// Event is one line of the child: a step begun, a text to keep, or the outcome.
type Event struct {
	// Step is what is being measured now, Done the share of the proof that is over.
	Step string  `json:"step,omitempty"`
	Done float64 `json:"done,omitempty"`
	// DumpName and DumpText are a kernel or raw times.
	DumpName string `json:"dump_name,omitempty"`
	DumpText string `json:"dump_text,omitempty"`
	// Proof is the outcome; it comes last, and before it as far as it is known, so that a crash leaves what was measured.
	Proof *Proof `json:"proof,omitempty"`
	Final bool   `json:"final,omitempty"`
	// Tuning is the kernel shape found best, to be given back next time.
	Tuning string `json:"tuning,omitempty"`
}
