// Package vulkan asks the system's Vulkan loader for what WebGPU does not tell: a card's memory heaps, how much of them
// this process may use now, its PCI address and its driver. The loader is opened at run time; nothing is linked.
// It runs drivers inside the process, so only the WebGPU child uses it.
package vulkan

// Card is one physical device.
type Card struct {
	Name string
	// Type is discrete, integrated, virtual, cpu or other.
	Type     string
	VendorID uint32
	DeviceID uint32
	// PCI is the address as the kernel writes it, 0000:03:00.0; empty where the driver does not tell.
	PCI string
	// Driver is its name and version as it calls itself; empty where it does not tell.
	Driver string
	// Heap is the largest device-local heap in bytes; 0 where there is none.
	Heap uint64
	// HasBudget is whether VK_EXT_memory_budget tells Budget and Usage, both bytes of that heap: what this process may use,
	// and what it uses now.
	HasBudget     bool
	Budget, Usage uint64
}
