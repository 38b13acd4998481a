package budget

import (
	"headroom/policy"
	"headroom/sensors"
)

// Result is the policy's inputs with the way each was found.
type Result struct {
	Inputs   policy.Inputs `json:"-"`
	Thermal  Thermal       `json:"thermal"`
	Power    Power         `json:"power"`
	Battery  Battery       `json:"battery"`
	Memory   Memory        `json:"memory"`
	Throttle Throttle      `json:"throttle"`
	// GPUs are all that were found, cards and adapters of one device merged; InUse indexes the one decisions are made
	// for, −1 when none is routed to. Shown indexes the one the snapshot's gpu object shows (a software adapter may be
	// shown though it is not in use), −1 for none.
	GPUs   []GPU `json:"gpus"`
	InUse  int   `json:"in_use"`
	Shown  int   `json:"shown"`
	Asleep int   `json:"asleep"`
	NPU    NPU   `json:"npu"`
	// Device is the backend that the budgets were read for; Detail says why the user's choice was not followed.
	Device policy.ComputeBackend `json:"device"`
	Detail string                `json:"detail,omitempty"`

	gpuAvailable bool
}

// Thermal is the headroom in °C and the sensor that gave it.
type Thermal struct {
	State       sensors.State  `json:"state"`
	HeadroomC   float64        `json:"headroom_c"`
	Temperature sensors.Number `json:"temperature_c"`
	Limit       sensors.Number `json:"limit_c"`
	LimitState  sensors.State  `json:"limit_state"`
	// Source is in words: "91.8 of 95 °C · k10temp Tctl". ReadingID is the driving sensor's ID, empty when assumed or pinned.
	Source    string `json:"source"`
	ReadingID string `json:"reading_id"`
	Detail    string `json:"detail,omitempty"`
}

// Power is the power budget in mW.
type Power struct {
	State     sensors.State  `json:"state"`
	BudgetMW  float64        `json:"budget_mw"`
	Limit     sensors.Number `json:"limit_mw"`
	Draw      sensors.Number `json:"draw_mw"`
	OnBattery bool           `json:"on_battery"`
	// FromBattery is whether the battery's remaining energy, not the device's limit, is the smaller budget.
	FromBattery bool `json:"from_battery"`
	// Credit is what the running workload itself draws and is counted as available, in mW.
	Credit    float64 `json:"credit_mw"`
	Source    string  `json:"source"`
	ReadingID string  `json:"reading_id"`
	Detail    string  `json:"detail,omitempty"`
}

// Battery is all counted packs together.
type Battery struct {
	State   sensors.State         `json:"state"`
	Present bool                  `json:"present"`
	Percent sensors.Number        `json:"percent"`
	Rate    sensors.Number        `json:"rate_mw"`
	Status  sensors.BatteryStatus `json:"status"`
	// Remaining is mWh.
	Remaining sensors.Number    `json:"remaining_mwh"`
	Packs     []sensors.Battery `json:"packs"`
	Detail    string            `json:"detail,omitempty"`

	// powerState and powerID belong to the power budget that the battery gives.
	powerState sensors.State
	powerID    string
}

// Memory is what a job may take, in bytes.
type Memory struct {
	// State is how far Free can be trusted, RAMState the two figures of RAM.
	State        sensors.State  `json:"state"`
	RAMState     sensors.State  `json:"ram_state"`
	RAMTotal     sensors.Number `json:"ram_total"`
	RAMAvailable sensors.Number `json:"ram_available"`
	// Free is before, Budget after KV cache and compute buffers are taken off.
	Free   uint64 `json:"free"`
	Budget uint64 `json:"budget"`
	// Parts are the sums that Free was made of, in words and bytes ("VRAM free", 2.8 GiB; "capped by RAM", …).
	Parts  []Part `json:"parts"`
	Source string `json:"source"`
	Detail string `json:"detail,omitempty"`
	// Credit is what the running workload itself holds and is counted as available.
	Credit uint64 `json:"credit"`

	ram sensors.Reading
}

// Part is one named share of a sum, in bytes.
type Part struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// Throttle is what the hardware says of itself, which is not the policy's tight envelope.
type Throttle struct {
	State sensors.State `json:"state"`
	// Now is 1 while throttling, 0 while not, unknown where nothing tells.
	Now     sensors.Number `json:"now"`
	Reasons []string       `json:"reasons"`
	Detail  string         `json:"detail,omitempty"`
}

// GPU is one graphics device, seen by the kernel, by WebGPU, or both.
type GPU struct {
	// ID is the card's, else "adapter/<index>".
	ID   string            `json:"id"`
	Name string            `json:"name"`
	Type policy.DeviceType `json:"-"`
	// HasAdapter is whether WebGPU lists it.
	HasAdapter bool           `json:"has_adapter"`
	Backend    string         `json:"backend"`
	Unified    bool           `json:"unified"`
	Asleep     bool           `json:"asleep"`
	VRAMTotal  sensors.Number `json:"vram_total"`
	// VRAMAvailable is what a job may take on it before KV and compute buffers.
	VRAMAvailable     sensors.Number `json:"vram_available"`
	VRAMSource        string         `json:"vram_source"`
	State             sensors.State  `json:"state"`
	MaxBufferSize     uint64         `json:"max_buffer_size"`
	MaxStorageBinding uint64         `json:"max_storage_binding"`
	// Parts are the sums behind VRAMAvailable.
	Parts []Part `json:"parts"`
	// Detail says why it is not routed to, or what is special.
	Detail string `json:"detail,omitempty"`

	// capacity is all that the pool holds, in bytes; credit is what of it the running workload itself takes.
	capacity, credit float64
}

// NPU is the neural processor in short.
type NPU struct {
	State     sensors.State `json:"state"`
	Name      string        `json:"name"`
	Available bool          `json:"available"`
}
