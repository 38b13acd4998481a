package sensors

import "time"

// Sample is what the host said in one round: each number with its source and state, nothing derived.
// A Sample is a value to be shared: nobody changes it, or what it points to, once it is made.
type Sample struct {
	Time time.Time `json:"time"`
	Host Host      `json:"host"`
	// Temperatures are all that were found, drives and boards included; Role says which may drive a decision.
	Temperatures []Temperature `json:"temperatures,omitempty"`
	Power        []PowerDomain `json:"power,omitempty"`
	// Mains is 1 on mains, 0 off it, unknown where no supply of type Mains or USB reports.
	Mains     Reading   `json:"mains"`
	Batteries []Battery `json:"batteries,omitempty"`
	Memory    Memory    `json:"memory"`
	// Cards are the display devices that the kernel or the vendor's tool lists.
	Cards []Card `json:"cards,omitempty"`
	// Adapters are what WebGPU lists, software ones included. AdaptersState says why when there are none.
	Adapters       []Adapter      `json:"adapters,omitempty"`
	AdaptersState  Reading        `json:"adapters_state"`
	NPUs           []NPU          `json:"npus,omitempty"`
	Throttle       []ThrottleFlag `json:"throttle,omitempty"`
	Clocks         []Clock        `json:"clocks,omitempty"`
	Load           Reading        `json:"load"`
	Workloads      []Process      `json:"workloads,omitempty"`
	OwnCPU         Reading        `json:"own_cpu"`
	OwnMemory      Reading        `json:"own_memory"`
	SourceFailures []Reading      `json:"source_failures,omitempty"`
}

// Host is the machine in words.
type Host struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
	// CPU is the model name; empty where unknown.
	CPU string `json:"cpu"`
	// Threads is the logical processors that this process may use.
	Threads int `json:"threads"`
}

// Role says what a temperature belongs to. Only RoleCPU and RoleGPU may drive a decision.
type Role string

// The roles.
const (
	RoleCPU   Role = "cpu"
	RoleGPU   Role = "gpu"
	RoleOther Role = "other"
)

// Temperature is one sensor, with every limit that it or its zone states.
type Temperature struct {
	// Value is the temperature in °C.
	Value Reading `json:"value"`
	// Chip is the driver's or zone's name: coretemp, k10temp, x86_pkg_temp, amdgpu.
	Chip string `json:"chip"`
	// Label is the sensor's own label; empty where it has none.
	Label string `json:"label,omitempty"`
	Role  Role   `json:"role"`
	// Rank orders CPU sensors: the lowest rank present is the CPU's temperature (0 coretemp package, then Tdie, Tctl, zones, others).
	Rank int `json:"rank"`
	// Card is the ID of the Card whose hwmon this is; empty for others.
	Card string `json:"card,omitempty"`
	// Crit is the sensor's own critical limit in °C.
	Crit Reading `json:"crit"`
	// Trips are the zone's trip points in °C, in file order.
	Trips []Trip `json:"trips,omitempty"`
}

// Trip is one trip point of a thermal zone (Linux, Documentation/driver-api/thermal/sysfs-api.rst).
type Trip struct {
	// Type is passive, hot, critical or active.
	Type  string  `json:"type"`
	Limit Reading `json:"limit"`
}

// PowerKind says what a power domain covers.
type PowerKind string

// The kinds of power domain. Domains that contain one another are never added.
const (
	PowerPackage PowerKind = "package"
	PowerPsys    PowerKind = "psys"
	PowerCore    PowerKind = "core"
	PowerDRAM    PowerKind = "dram"
	PowerGPU     PowerKind = "gpu"
	PowerOther   PowerKind = "other"
)

// PowerDomain is one power limit and draw.
type PowerDomain struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Kind PowerKind `json:"kind"`
	// Card is the ID of the Card it belongs to; empty for packages.
	Card string `json:"card,omitempty"`
	// Limit is the sustained (long_term, cap) limit in mW; 0 and above 1 kW are unset and arrive as not_offered or implausible.
	Limit Reading `json:"limit"`
	// Draw is the power now in mW.
	Draw Reading `json:"draw"`
}

// BatteryStatus is the direction in which a pack works.
type BatteryStatus string

// The statuses of the snapshot.
const (
	Charging      BatteryStatus = "charging"
	Discharging   BatteryStatus = "discharging"
	Idle          BatteryStatus = "idle"
	Full          BatteryStatus = "full"
	StatusUnknown BatteryStatus = "unknown"
)

// Battery is one power supply of type Battery, peripherals and dead packs included and marked.
type Battery struct {
	ID string `json:"id"`
	// Peripheral is a mouse, keyboard or pen (scope Device); Dead is a pack at 0 V and 0 Wh. Neither counts.
	Peripheral bool          `json:"peripheral,omitempty"`
	Dead       bool          `json:"dead,omitempty"`
	Present    bool          `json:"present"`
	Status     BatteryStatus `json:"status"`
	// Now, Full and Design are mWh; Rate is |mW|; Voltage is mV; Capacity is the kernel's percent.
	Now      Reading `json:"now"`
	Full     Reading `json:"full"`
	Design   Reading `json:"design"`
	Rate     Reading `json:"rate"`
	Voltage  Reading `json:"voltage"`
	Capacity Reading `json:"capacity"`
}

// Memory is RAM and swap in bytes. Total and Available are already capped by a container's limit, and say so.
type Memory struct {
	Total     Reading `json:"total"`
	Available Reading `json:"available"`
	SwapTotal Reading `json:"swap_total"`
	SwapFree  Reading `json:"swap_free"`
	// ContainerLimit is the tightest cgroup limit; not_offered outside a container.
	ContainerLimit Reading `json:"container_limit"`
}

// Card is one display device as the kernel or the vendor's tool sees it.
type Card struct {
	// ID is "pci/0000:03:00.0" where the address is known, else "drm/card0".
	ID     string `json:"id"`
	Name   string `json:"name"`
	Driver string `json:"driver"`
	// PCI is the address in lower case, 0000:03:00.0; empty where it has none.
	PCI string `json:"pci,omitempty"`
	// Vendor and Device are PCI ids; 0 where unknown.
	Vendor uint32 `json:"vendor"`
	Device uint32 `json:"device"`
	// Asleep is a runtime-suspended device: nothing more of it is read.
	Asleep bool `json:"asleep,omitempty"`
	// VRAM and GTT are bytes: total and used.
	VRAMTotal Reading `json:"vram_total"`
	VRAMUsed  Reading `json:"vram_used"`
	GTTTotal  Reading `json:"gtt_total"`
	GTTUsed   Reading `json:"gtt_used"`
	Busy      Reading `json:"busy"`
}

// Adapter is one WebGPU adapter as the probe child listed it.
type Adapter struct {
	Name string `json:"name"`
	// Type is discrete, integrated, virtual, cpu or other; Backend is vulkan, metal, d3d12 or opengl.
	Type     string `json:"type"`
	Backend  string `json:"backend"`
	VendorID uint32 `json:"vendor_id"`
	DeviceID uint32 `json:"device_id"`
	PCI      string `json:"pci,omitempty"`
	Driver   string `json:"driver,omitempty"`
	// MaxBufferSize and MaxStorageBinding are limits in bytes, written as strings: some drivers report 2^64-1. Neither is VRAM.
	MaxBufferSize     uint64 `json:"max_buffer_size,string"`
	MaxStorageBinding uint64 `json:"max_storage_binding,string"`
	// VRAMTotal is the largest device-local heap, VRAMBudget and VRAMUsage VK_EXT_memory_budget's figures; bytes, unknown where not told.
	VRAMTotal  Number `json:"vram_total"`
	VRAMBudget Number `json:"vram_budget"`
	VRAMUsage  Number `json:"vram_usage"`
	// WorkingSet is the platform's limit on unified memory (Metal recommendedMaxWorkingSetSize), bytes.
	WorkingSet Number   `json:"working_set"`
	Features   []string `json:"features,omitempty"`
}

// NPU is one neural processor, known by presence only.
type NPU struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Driver string `json:"driver"`
	Asleep bool   `json:"asleep,omitempty"`
	// State is ok when its device node was seen.
	State  State  `json:"state"`
	Source string `json:"source"`
}

// ThrottleFlag is what one piece of hardware says of itself.
type ThrottleFlag struct {
	ID string `json:"id"`
	// Device is cpu or a Card's ID; Reason is thermal, power, current or other.
	Device string `json:"device"`
	Reason string `json:"reason"`
	// Active is 1 while throttling, 0 while not, unknown where it cannot be told yet.
	Active Reading `json:"active"`
}

// Clock is a frequency now and at most, in MHz.
type Clock struct {
	// Device is cpu or a Card's ID.
	Device string  `json:"device"`
	Now    Reading `json:"now"`
	Max    Reading `json:"max"`
}

// Process is a running local model server, or another large holder of memory.
type Process struct {
	PID  int    `json:"pid"`
	Name string `json:"name"`
	// Model is the open model file; empty where none was seen.
	Model string `json:"model,omitempty"`
	// RAM and GPU are bytes held; Power is its share in mW where known.
	RAM   Reading `json:"ram"`
	GPU   Reading `json:"gpu"`
	Power Reading `json:"power"`
}
