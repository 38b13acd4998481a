package budget

import (
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
)

// Settings are what the user chose.
type Settings struct {
	Workload workload.Workload `json:"workload"`
	Pins     Pins              `json:"pins"`
	// Limits are pinned limits by reading ID: °C for a temperature sensor, mW for a power domain.
	Limits map[string]float64 `json:"limits,omitempty"`
	// Device is the ID of the GPU to use ("pci/0000:03:00.0"), "cpu" or "npu"; empty chooses.
	Device string `json:"device,omitempty"`
	// Runtime is how long the battery is wanted to last; 0 is one hour.
	Runtime time.Duration `json:"runtime,omitempty"`
	// CreditPID is the process that is the workload itself: what it takes counts as available. 0 is none.
	CreditPID int `json:"credit_pid,omitempty"`
	// Measured is what was measured on this machine.
	Measured Measured `json:"measured,omitzero"`
}

// Pins hold inputs at the user's values; an unknown Number is not pinned.
type Pins struct {
	// ThermalC is headroom in °C, PowerMW milliwatts.
	ThermalC sensors.Number `json:"thermal_c"`
	PowerMW  sensors.Number `json:"power_mw"`
	// VRAMBytes replaces the free memory, before KV cache and compute buffers are taken off.
	VRAMBytes sensors.Number `json:"vram_bytes"`
}

// Any reports whether anything is pinned.
func (p Pins) Any() bool { return p.ThermalC.Known() || p.PowerMW.Known() || p.VRAMBytes.Known() }
