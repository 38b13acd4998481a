package budget_test

import (
	"math"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

func TestMemoryOfADevice(t *testing.T) {
	withBudget := func(kind string, total, budgetBytes, usage sensors.Number) sensors.Adapter {
		a := adapter(kind)
		a.VRAMTotal, a.VRAMBudget, a.VRAMUsage = total, budgetBytes, usage
		return a
	}
	unknown := sensors.Number{}
	num := func(v float64) sensors.Number { return sensors.Num(gibs(v)) }
	noFigures := sensors.Card{ID: cardID, Driver: "nvidia", PCI: "0000:03:00.0", Vendor: 0x1002}
	noUsed := amdCard(gibs(24), 0, 0, 0)
	noUsed.VRAMUsed = missing("vram/used", sensors.StateNeedsPermission)
	overfull := amdCard(gibs(8), gibs(9), 0, 0)
	refused := noFigures
	refused.VRAMTotal = missing("vram/total", sensors.StateNeedsPermission)
	smi := amdCard(gibs(24), gibs(4), 0, 0)
	smi.Driver = "nvidia"
	noGTT := amdCard(gibs(0.5), gibs(0.4), 0, 0)
	noGTT.GTTTotal = missing("gtt/total", sensors.StateNotOffered)
	largeNoGTT := amdCard(gibs(96), gibs(1), 0, 0)
	largeNoGTT.GTTTotal = missing("gtt/total", sensors.StateNotOffered)
	metal := adapter("integrated")
	metal.Backend, metal.WorkingSet = "metal", num(20)
	largeMetal := metal
	largeMetal.WorkingSet = num(28)

	for _, c := range []struct {
		name    string
		card    *sensors.Card
		adapter sensors.Adapter
		free    float64
		total   float64
		source  string
		state   sensors.State
		device  policy.ComputeBackend
		detail  string
	}{
		{name: "amdgpu sysfs", card: ptr(amdCard(gibs(24), gibs(2), gibs(15), 0)), adapter: adapter("discrete"), free: 22, total: 24, source: "amdgpu sysfs"},
		{name: "a GTT as large as the VRAM is not VRAM", card: ptr(amdCard(gibs(4), gibs(0.25), gibs(4), 0)), adapter: adapter("discrete"), free: 3.75, total: 4, source: "amdgpu sysfs"},
		{
			name: "sysfs before Vulkan", card: ptr(amdCard(gibs(24), gibs(2), 0, 0)),
			adapter: withBudget("discrete", num(24), num(10), unknown), free: 22, total: 24, source: "amdgpu sysfs",
		},
		{name: "nvidia-smi", card: &smi, adapter: withBudget("discrete", num(24), num(10), unknown), free: 20, total: 24, source: "nvidia-smi"},
		{name: "Vulkan's budget less its usage", card: &noFigures, adapter: withBudget("discrete", num(24), num(18), num(0.5)), free: 17.5, total: 24, source: "Vulkan memory budget"},
		{name: "Vulkan's budget without a card", adapter: withBudget("discrete", num(24), num(18), unknown), free: 18, total: 24, source: "Vulkan memory budget"},
		{name: "Vulkan's budget above its heap", adapter: withBudget("discrete", num(24), num(58), unknown), free: 24, total: 24, source: "Vulkan memory budget"},
		{name: "Vulkan's heap alone", adapter: withBudget("discrete", num(24), unknown, unknown), free: 24, total: 24, source: "Vulkan heap", state: sensors.StateAssumed, detail: "what is in use is not told: all of it is assumed to be free"},
		{
			name: "more used than Vulkan's budget", adapter: withBudget("discrete", num(8), num(4), num(5)), total: 8, source: "Vulkan memory budget", device: policy.CPU,
			detail: "no free memory",
		},
		{
			name: "a total that may not be read", card: &refused, adapter: adapter("discrete"), source: "not told", state: sensors.StateNeedsPermission, device: policy.CPU,
			detail: "its free memory is unknown: pin it to use it",
		},
		{
			name: "sysfs total with Vulkan's budget, where the use cannot be read", card: &noUsed,
			adapter: withBudget("discrete", num(23.9), num(18), unknown), free: 18, total: 24, source: "Vulkan memory budget",
		},
		{name: "sysfs total alone", card: &noUsed, adapter: adapter("discrete"), free: 24, total: 24, source: "amdgpu sysfs", state: sensors.StateAssumed},
		{
			name: "more used than there is, set aside", card: &overfull, adapter: withBudget("discrete", num(8), num(6), unknown),
			free: 6, total: 8, source: "Vulkan memory budget", detail: "the VRAM in use that it reports is implausible, and set aside",
		},
		{
			name: "more used than there is, and nothing else tells: none is free", card: &overfull, adapter: adapter("discrete"),
			total: 8, source: "amdgpu sysfs", state: sensors.StateAssumed, device: policy.CPU,
			detail: "it reports more VRAM in use than it has: none is taken as free",
		},
		{name: "a discrete GPU that tells nothing is not used", card: &noFigures, adapter: adapter("discrete"), source: "not told", state: sensors.StateNotOffered, device: policy.CPU},
		{name: "a full discrete GPU is not used", card: ptr(amdCard(gibs(8), gibs(8), 0, 0)), adapter: adapter("discrete"), total: 8, source: "amdgpu sysfs", device: policy.CPU},
		{name: "an APU: carve-out and GTT", card: ptr(amdCard(gibs(4), gibs(1.25), gibs(20), gibs(1))), adapter: adapter("integrated"), free: 21.75, total: 24, source: "amdgpu sysfs"},
		{name: "an APU, capped by available RAM", card: ptr(amdCard(gibs(0.5), gibs(0.25), gibs(124), gibs(1))), adapter: adapter("integrated"), free: 24, total: 32.5, source: "amdgpu sysfs"},
		{name: "a carve-out is not RAM", card: ptr(amdCard(gibs(96), 0, gibs(15), 0)), adapter: adapter("integrated"), free: 96, total: 111, source: "amdgpu sysfs"},
		{name: "an APU whose GTT is not told: RAM stands in", card: &noGTT, adapter: adapter("integrated"), free: 24, source: "shared with RAM", state: sensors.StateAssumed},
		{name: "an APU whose GTT is not told, its carve-out above RAM", card: &largeNoGTT, adapter: adapter("integrated"), free: 95, total: 96, source: "amdgpu sysfs", state: sensors.StateAssumed},
		{name: "other unified memory: available RAM", card: &noFigures, adapter: withBudget("integrated", num(46.9), num(40), unknown), free: 24, source: "shared with RAM"},
		{name: "a platform's working-set limit", adapter: metal, free: 20, total: 20, source: "Metal working-set limit"},
		{name: "a working-set limit above what is free", adapter: largeMetal, free: 24, total: 28, source: "Metal working-set limit"},
		{name: "a virtual GPU has memory of its own", adapter: withBudget("virtual", num(8), num(7), unknown), free: 7, total: 8, source: "Vulkan memory budget"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sensors.Sample{Memory: ram(gibs(32), gibs(24)), Adapters: []sensors.Adapter{c.adapter}}
			if c.card != nil {
				s.Cards = []sensors.Card{*c.card}
			}
			if c.state == 0 {
				c.state = sensors.StateOK
			}
			r := budget.From(s, budget.Settings{})
			equal(t, "devices", len(r.GPUs), 1)
			gpu := r.GPUs[0]
			equal(t, "device", r.Device, c.device)
			equal(t, "source", gpu.VRAMSource, c.source)
			equal(t, "state", gpu.State, c.state)
			number(t, "total", gpu.VRAMTotal, gibs(c.total))
			if c.detail != "" {
				equal(t, "detail", gpu.Detail, c.detail)
			}
			if c.device == policy.GPU {
				number(t, "free", gpu.VRAMAvailable, gibs(c.free))
				equal(t, "free for the job", r.Memory.Free, uint64(gibs(c.free)))
				equal(t, "parts sum", sum(r.Memory.Parts), int64(gibs(c.free)))
				equal(t, "VRAM of the capabilities", r.Inputs.Host.VRAMAvailable, r.Memory.Budget)
			} else {
				equal(t, "RAM instead", r.Memory.Free, uint64(gibs(24)))
				equal(t, "VRAM of the capabilities", r.Inputs.Host.VRAMAvailable, 0)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

func sum(parts []budget.Part) int64 {
	var n int64
	for _, p := range parts {
		n += p.Bytes
	}
	return n
}

func TestMemoryBudget(t *testing.T) {
	free := ram(gibs(32), gibs(24))
	pin := budget.Pins{VRAMBytes: sensors.Num(gibs(8))}
	for _, c := range []struct {
		name   string
		memory sensors.Memory
		work   workload.Workload
		pins   budget.Pins
		free   uint64
		want   uint64
		state  sensors.State
	}{
		{name: "RAM less KV and compute", memory: free, work: job(1, 1, 0.25), free: 24 * gib, want: 24*gib - gib - gib/4, state: sensors.StateOK},
		{name: "nothing left is 0", memory: free, work: job(1, 30, 1), free: 24 * gib, state: sensors.StateOK},
		{name: "a workload beyond what 64 bits hold", memory: free, work: workload.Workload{KVBytes: math.MaxUint64, ComputeBytes: 2 * gib}, free: 24 * gib, state: sensors.StateOK},
		{name: "pinned, before KV and compute", memory: free, work: job(1, 1, 0), pins: pin, free: 8 * gib, want: 7 * gib, state: sensors.StatePinned},
		{name: "unknown RAM", memory: sensors.Memory{Available: missing("ram", sensors.StateError)}, state: sensors.StateError},
		{name: "unknown RAM, pinned", memory: sensors.Memory{}, pins: pin, free: 8 * gib, want: 8 * gib, state: sensors.StatePinned},
		{name: "more available than there is", memory: ram(gibs(4), gibs(6)), free: 4 * gib, want: 4 * gib, state: sensors.StateOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := budget.From(sensors.Sample{Memory: c.memory}, budget.Settings{Workload: c.work, Pins: c.pins}).Memory
			equal(t, "free", got.Free, c.free)
			equal(t, "budget", got.Budget, c.want)
			equal(t, "state", got.State, c.state)
		})
	}
}

// A running model that fills the GPU is the job itself: what it holds counts as free, and no more than is in use.
func TestCredit(t *testing.T) {
	bytes := func(v float64) sensors.Reading { return read("held", gibs(v), sensors.Bytes) }
	process := sensors.Process{PID: 7, Name: "llama-server", RAM: bytes(5), GPU: bytes(23)}
	for _, c := range []struct {
		name   string
		sample sensors.Sample
		pid    int
		device policy.ComputeBackend
		free   float64
		credit float64
	}{
		{
			name: "a full GPU", pid: 7, device: policy.GPU, free: 23, credit: 23,
			sample: sensors.Sample{Cards: []sensors.Card{amdCard(gibs(24), gibs(24), 0, 0)}, Adapters: []sensors.Adapter{adapter("discrete")}},
		},
		{
			name: "no more than is in use", pid: 7, device: policy.GPU, free: 24, credit: 10,
			sample: sensors.Sample{Cards: []sensors.Card{amdCard(gibs(24), gibs(10), 0, 0)}, Adapters: []sensors.Adapter{adapter("discrete")}},
		},
		{name: "RAM", pid: 7, device: policy.CPU, free: 25, credit: 5},
		{name: "another process is not the workload", pid: 8, device: policy.CPU, free: 20},
		{name: "none chosen", device: policy.CPU, free: 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.sample.Memory, c.sample.Workloads = ram(gibs(32), gibs(20)), []sensors.Process{process}
			r := budget.From(c.sample, budget.Settings{CreditPID: c.pid})
			equal(t, "device", r.Device, c.device)
			equal(t, "free", r.Memory.Free, uint64(gibs(c.free)))
			equal(t, "credit", r.Memory.Credit, uint64(gibs(c.credit)))
			equal(t, "parts sum", sum(r.Memory.Parts), int64(gibs(c.free)))
		})
	}
}
