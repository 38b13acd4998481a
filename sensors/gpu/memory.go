package gpu

import (
	"headroom/sensors"
	"headroom/sensors/gpu/vulkan"
)

// addMemory gives each adapter what Vulkan tells of the same card: memory, PCI address and driver. WebGPU tells no
// address, so cards are matched by vendor, device and name, equal ones in the order of both lists.
func addMemory(adapters []adapter, cards []vulkan.Card) {
	used := map[string][]bool{}
	for i := range adapters {
		a := &adapters[i]
		taken := used[a.Backend]
		if taken == nil {
			taken = make([]bool, len(cards))
			used[a.Backend] = taken
		}
		for j, c := range cards {
			if !taken[j] && sameCard(*a, c) {
				taken[j] = true
				fill(a, c)
				break
			}
		}
	}
}

func sameCard(a adapter, c vulkan.Card) bool {
	if a.PCI != "" && c.PCI != "" {
		return a.PCI == c.PCI
	}
	if a.VendorID != c.VendorID {
		return false
	}
	if a.Backend == "vulkan" {
		return a.DeviceID == c.DeviceID && a.Name == clean(c.Name)
	}
	if a.DeviceID != 0 {
		return a.DeviceID == c.DeviceID
	}
	return baseName(a.Name) == baseName(c.Name)
}

func fill(a *adapter, c vulkan.Card) {
	a.PCI, a.Driver = c.PCI, c.Driver
	if a.Backend == "vulkan" {
		// WebGPU has no word for a virtual GPU and calls it a CPU.
		a.Type = c.Type
	}
	a.VRAMTotal, a.VRAMBudget, a.VRAMUsage = memoryOf(c)
}

// memoryOf gives total, budget and usage in bytes; a heap of no size was not told.
func memoryOf(c vulkan.Card) (total, budget, usage sensors.Number) {
	if c.Heap == 0 || c.Heap > maxBytes {
		return total, budget, usage
	}
	total = sensors.Num(float64(c.Heap))
	if c.HasBudget && c.Budget > 0 && c.Budget <= maxBytes {
		budget = sensors.Num(float64(c.Budget))
		if c.Usage <= maxBytes {
			usage = sensors.Num(float64(c.Usage))
		}
	}
	return total, budget, usage
}
