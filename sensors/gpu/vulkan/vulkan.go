//go:build cgo && (linux || windows)

package vulkan

/*
#cgo linux LDFLAGS: -ldl
#include "loader.h"
*/
import "C"

import (
	"fmt"
	"strings"
)

// maxCards bounds the listing.
const maxCards = 64

// Loader is an open Vulkan loader. There is one in a process at a time, for one goroutine.
type Loader struct{}

// Open opens the loader. It fails where none is installed, or no driver is.
func Open() (*Loader, error) {
	var why *C.char
	var result C.int
	if C.hr_vulkan_open(&why, &result) != 0 {
		if result != 0 {
			return nil, fmt.Errorf("open Vulkan: %s %s", C.GoString(why), resultWords(int(result)))
		}
		return nil, fmt.Errorf("open Vulkan: %s", C.GoString(why))
	}
	return &Loader{}, nil
}

// resultWords says what a VkResult means where it says something of the drivers.
func resultWords(code int) string {
	switch code {
	case -3:
		return "with VK_ERROR_INITIALIZATION_FAILED: a driver could not start"
	case -9:
		return "with VK_ERROR_INCOMPATIBLE_DRIVER: no driver could be loaded"
	}
	return fmt.Sprintf("with code %d", code)
}

// Cards lists the physical devices with their memory as it is now, in the loader's order.
func (*Loader) Cards() ([]Card, error) {
	var raw [maxCards]C.hr_card
	n := int(C.hr_vulkan_cards(&raw[0], maxCards))
	if n < 0 {
		return nil, fmt.Errorf("list Vulkan devices: vkEnumeratePhysicalDevices failed with code %d", n)
	}
	cards := make([]Card, n)
	for i := range cards {
		c := &raw[i]
		cards[i] = Card{
			Name: C.GoString(&c.name[0]), Type: typeName(uint32(c._type)),
			VendorID: uint32(c.vendor_id), DeviceID: uint32(c.device_id),
			Driver: strings.TrimSpace(C.GoString(&c.driver[0]) + " " + C.GoString(&c.driver_info[0])),
			Heap:   uint64(c.heap), HasBudget: c.has_budget != 0, Budget: uint64(c.budget), Usage: uint64(c.usage),
		}
		if c.has_pci != 0 {
			cards[i].PCI = fmt.Sprintf("%04x:%02x:%02x.%x", uint32(c.pci_domain), uint32(c.pci_bus), uint32(c.pci_device), uint32(c.pci_function))
		}
	}
	return cards, nil
}

// Close releases the loader's instance.
func (*Loader) Close() { C.hr_vulkan_close() }

// typeName spells VkPhysicalDeviceType.
func typeName(t uint32) string {
	switch t {
	case 1:
		return "integrated"
	case 2:
		return "discrete"
	case 3:
		return "virtual"
	case 4:
		return "cpu"
	default:
		return "other"
	}
}
