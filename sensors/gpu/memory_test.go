package gpu

import (
	"testing"

	"headroom/sensors"
	"headroom/sensors/gpu/vulkan"
)

func TestMemoryGoesToTheSameCard(t *testing.T) {
	cards := []vulkan.Card{
		{Name: "Radeon", Type: "discrete", VendorID: 0x1002, DeviceID: 7, PCI: "0000:03:00.0", Driver: "radv Mesa 24", Heap: 8 << 30, HasBudget: true, Budget: 7 << 30, Usage: 0},
		{Name: "Radeon", Type: "discrete", VendorID: 0x1002, DeviceID: 7, PCI: "0000:04:00.0", Heap: 16 << 30},
		{Name: "Virtio-GPU Venus", Type: "virtual", VendorID: 0x1af4, DeviceID: 0x1050, Heap: 1 << 30},
		{Name: "Broken", Type: "discrete", VendorID: 1, DeviceID: 1, Heap: 1<<64 - 1, HasBudget: true, Budget: 1<<64 - 1},
	}
	adapters := []adapter{
		{Name: "Radeon", Type: "discrete", Backend: "vulkan", VendorID: 0x1002, DeviceID: 7},
		{Name: "Radeon", Type: "discrete", Backend: "vulkan", VendorID: 0x1002, DeviceID: 7},
		{Name: "Radeon", Type: "discrete", Backend: "d3d12", VendorID: 0x1002, DeviceID: 7},
		{Name: "Virtio-GPU Venus", Type: "cpu", Backend: "vulkan", VendorID: 0x1af4, DeviceID: 0x1050},
		{Name: "Broken", Type: "discrete", Backend: "vulkan", VendorID: 1, DeviceID: 1},
		{Name: "Elsewhere", Type: "discrete", Backend: "vulkan", VendorID: 2, DeviceID: 2},
		{Name: "Radeon (radeonsi, navi, LLVM 15)", Type: "other", Backend: "opengl", VendorID: 0x1002},
	}
	addMemory(adapters, cards)
	for i, want := range []struct {
		pci, typ string
		total    sensors.Number
	}{
		{"0000:03:00.0", "discrete", sensors.Num(8 << 30)},
		{"0000:04:00.0", "discrete", sensors.Num(16 << 30)},
		{"0000:03:00.0", "discrete", sensors.Num(8 << 30)},
		{"", "virtual", sensors.Num(1 << 30)},
		{"", "discrete", sensors.Number{}},
		{"", "discrete", sensors.Number{}},
		{"0000:03:00.0", "other", sensors.Num(8 << 30)},
	} {
		if a := adapters[i]; a.PCI != want.pci || a.Type != want.typ || a.VRAMTotal != want.total {
			t.Errorf("adapter %d: got %q %s %v, want %+v", i, a.PCI, a.Type, a.VRAMTotal, want)
		}
	}
	if a := adapters[0]; a.VRAMBudget != sensors.Num(7<<30) || a.VRAMUsage != sensors.Num(0) {
		t.Errorf("budget %v, usage %v: a usage of 0 that was told is not unknown", a.VRAMBudget, a.VRAMUsage)
	}
	if a := adapters[1]; a.VRAMBudget.Known() || a.VRAMUsage.Known() {
		t.Errorf("budget %v, usage %v without the extension", a.VRAMBudget, a.VRAMUsage)
	}
}
