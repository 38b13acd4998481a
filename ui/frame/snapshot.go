package frame

import (
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
)

// Schema names the form of a Snapshot.
const Schema = "headroom.snapshot/1"

// Snapshot is one Frame as JSON: the contract with scripts. Unknown is null, never 0; all keys are always there.
type Snapshot struct {
	Schema       string           `json:"schema"`
	Time         time.Time        `json:"time"`
	Host         HostJSON         `json:"host"`
	Throttle     ThrottleJSON     `json:"throttle"`
	Readings     []ReadingJSON    `json:"readings"`
	Thermal      ThermalJSON      `json:"thermal"`
	Power        PowerJSON        `json:"power"`
	Battery      BatteryJSON      `json:"battery"`
	Memory       MemoryJSON       `json:"memory"`
	GPU          *GPUJSON         `json:"gpu"`
	GPUsAsleep   int              `json:"gpus_asleep"`
	GPUs         []DeviceJSON     `json:"gpus"`
	NPU          NPUJSON          `json:"npu"`
	Device       ChoiceJSON       `json:"device"`
	Workload     WorkloadJSON     `json:"workload"`
	Budget       BudgetJSON       `json:"budget"`
	Capabilities CapabilitiesJSON `json:"capabilities"`
	Plan         PlanJSON         `json:"plan"`
	Verdict      VerdictJSON      `json:"verdict"`
}

// ReadingJSON is one reading; its detail is there also where it is empty.
type ReadingJSON struct {
	ID     string         `json:"id"`
	Kind   string         `json:"kind"`
	Value  sensors.Number `json:"value"`
	Unit   sensors.Unit   `json:"unit"`
	State  sensors.State  `json:"state"`
	Source string         `json:"source"`
	Detail string         `json:"detail"`
	At     time.Time      `json:"at,omitzero"`
}

// HostJSON is the machine.
type HostJSON struct {
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	CPU     string `json:"cpu"`
	Threads int    `json:"threads"`
}

// ThrottleJSON is what the hardware says of itself.
type ThrottleJSON struct {
	State   sensors.State `json:"state"`
	Now     *bool         `json:"now"`
	Reasons []string      `json:"reasons"`
	Detail  string        `json:"detail"`
}

// ThermalJSON is the headroom and the sensor that gave it, in °C.
type ThermalJSON struct {
	State       sensors.State  `json:"state"`
	HeadroomC   float64        `json:"headroom_c"`
	Temperature sensors.Number `json:"temperature_c"`
	Limit       sensors.Number `json:"limit_c"`
	LimitState  sensors.State  `json:"limit_state"`
	Source      string         `json:"source"`
	Reading     string         `json:"reading"`
	Detail      string         `json:"detail"`
}

// PowerJSON is the power budget in mW.
type PowerJSON struct {
	State       sensors.State  `json:"state"`
	BudgetMW    float64        `json:"budget_mw"`
	Limit       sensors.Number `json:"limit_mw"`
	Draw        sensors.Number `json:"draw_mw"`
	OnBattery   bool           `json:"on_battery"`
	FromBattery bool           `json:"from_battery"`
	Source      string         `json:"source"`
	Reading     string         `json:"reading"`
	Detail      string         `json:"detail"`
	CreditMW    float64        `json:"credit_mw"`
}

// BatteryJSON is all counted packs together.
type BatteryJSON struct {
	State     sensors.State         `json:"state"`
	Present   bool                  `json:"present"`
	Percent   sensors.Number        `json:"percent"`
	Rate      sensors.Number        `json:"rate_mw"`
	Status    sensors.BatteryStatus `json:"status"`
	Remaining sensors.Number        `json:"remaining_mwh"`
	Packs     []PackJSON            `json:"packs"`
	Detail    string                `json:"detail"`
}

// PackJSON is one counted pack: mWh, mW, mV, percent.
type PackJSON struct {
	ID       string                `json:"id"`
	Status   sensors.BatteryStatus `json:"status"`
	Now      sensors.Number        `json:"now_mwh"`
	Full     sensors.Number        `json:"full_mwh"`
	Design   sensors.Number        `json:"design_mwh"`
	Rate     sensors.Number        `json:"rate_mw"`
	Voltage  sensors.Number        `json:"voltage_mv"`
	Capacity sensors.Number        `json:"capacity"`
}

// MemoryJSON is RAM in bytes.
type MemoryJSON struct {
	State        sensors.State  `json:"state"`
	RAMTotal     sensors.Number `json:"ram_total"`
	RAMAvailable sensors.Number `json:"ram_available"`
}

// GPUJSON is the GPU in use, else the one that stands for it.
type GPUJSON struct {
	State             sensors.State  `json:"state"`
	ID                string         `json:"id"`
	Name              string         `json:"name"`
	Type              string         `json:"type"`
	Backend           string         `json:"backend"`
	Unified           bool           `json:"unified"`
	InUse             bool           `json:"in_use"`
	VRAMTotal         sensors.Number `json:"vram_total"`
	VRAMAvailable     sensors.Number `json:"vram_available"`
	VRAMSource        string         `json:"vram_source"`
	MaxBufferSize     *uint64        `json:"max_buffer_size"`
	MaxStorageBinding *uint64        `json:"max_storage_binding"`
	Detail            string         `json:"detail"`
}

// DeviceJSON is one graphics device of the machine, in use or not.
type DeviceJSON struct {
	ID            string         `json:"id"`
	Name          string         `json:"name"`
	Type          *string        `json:"type"`
	InUse         bool           `json:"in_use"`
	Asleep        bool           `json:"asleep"`
	State         sensors.State  `json:"state"`
	VRAMTotal     sensors.Number `json:"vram_total"`
	VRAMAvailable sensors.Number `json:"vram_available"`
	VRAMSource    string         `json:"vram_source"`
	Detail        string         `json:"detail"`
}

// ChoiceJSON is what the budgets were read for: gpu, npu or cpu; detail says why a choice of the user's was not followed.
type ChoiceJSON struct {
	Backend string  `json:"backend"`
	Asked   *string `json:"asked"`
	Detail  string  `json:"detail"`
}

// NPUJSON is the neural processor, known by presence only.
type NPUJSON struct {
	State sensors.State `json:"state"`
	Name  *string       `json:"name"`
}

// WorkloadJSON is what is to be run; context is null where it does not apply.
type WorkloadJSON struct {
	Name         string  `json:"name"`
	Params       uint64  `json:"params"`
	ActiveParams *uint64 `json:"active_params"`
	Context      *uint64 `json:"context"`
	KVBytes      uint64  `json:"kv_bytes"`
	ComputeBytes uint64  `json:"compute_bytes"`
	// OverheadBytes is KVBytes + ComputeBytes.
	OverheadBytes uint64 `json:"overhead_bytes"`
	Bare          bool   `json:"bare"`
}

// BudgetJSON is the policy's budget. The bytes are null where free memory is unknown, and the policy then goes by 0.
type BudgetJSON struct {
	VRAMBudgetBytes  *uint64       `json:"vram_budget_bytes"`
	PowerBudgetMW    uint32        `json:"power_budget_mw"`
	ThermalHeadroomC float64       `json:"thermal_headroom_c"`
	VRAMState        sensors.State `json:"vram_state"`
	VRAMSource       string        `json:"vram_source"`
	FreeBytes        *uint64       `json:"free_bytes"`
	CreditBytes      uint64        `json:"credit_bytes"`
	Parts            []budget.Part `json:"parts"`
	Assumed          []string      `json:"assumed"`
	Pinned           []string      `json:"pinned"`
}

// CapabilitiesJSON is what there is to route to.
type CapabilitiesJSON struct {
	GPUAvailable  bool   `json:"gpu_available"`
	VRAMAvailable uint64 `json:"vram_available"`
	NPUAvailable  bool   `json:"npu_available"`
	CPUThreads    uint32 `json:"cpu_threads"`
}

// PlanJSON is every decision, with the reason for each in words.
type PlanJSON struct {
	Precision        string       `json:"precision"`
	Fits             *bool        `json:"fits"`
	Tight            bool         `json:"tight"`
	Backend          string       `json:"backend"`
	Tiles            uint32       `json:"tiles"`
	TileBytes        uint64       `json:"tile_bytes"`
	BindingTiles     *uint32      `json:"binding_tiles"`
	ZeroCopy         string       `json:"zero_copy"`
	RequiresHostCopy bool         `json:"requires_host_copy"`
	Fusion           FusionJSON   `json:"fusion"`
	Rungs            []RungJSON   `json:"rungs"`
	Reasons          []ReasonJSON `json:"reasons"`
}

// FusionJSON is one layer's ops and the passes left; null where the ops are unknown.
type FusionJSON struct {
	Ops    *uint32 `json:"ops"`
	Passes *uint32 `json:"passes"`
}

// RungJSON is one precision's bytes and verdict.
type RungJSON struct {
	Precision string `json:"precision"`
	Bytes     uint64 `json:"bytes"`
	Fits      *bool  `json:"fits"`
	Allowed   bool   `json:"allowed"`
	Taken     bool   `json:"taken"`
	Because   string `json:"because"`
}

// ReasonJSON is why one decision came out as it did.
type ReasonJSON struct {
	Decision string `json:"decision"`
	Because  string `json:"because"`
}

// VerdictJSON is the whole answer in plain words.
type VerdictJSON struct {
	Headline string `json:"headline"`
	Because  string `json:"because"`
	Change   string `json:"change"`
	// TokensPerSecond is what the plan reaches with one sequence.
	TokensPerSecond SpeedJSON `json:"tokens_per_second"`
}
