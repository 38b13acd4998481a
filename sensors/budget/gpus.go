package budget

import (
	"fmt"
	"strings"

	"headroom/policy"
	"headroom/sensors"
)

// device is one graphics device with what the kernel, the vendor's tool and WebGPU say of it.
type device struct {
	GPU
	card     *sensors.Card
	adapters []sensors.Adapter
	// cardIDs are the names under which temperatures and power domains may refer to it.
	cardIDs []string
	pci     string
	vendor  uint32
	product uint32
}

// findDevices merges the cards and adapters of one device and reads each one's memory.
func findDevices(s sensors.Sample, ramAvailable sensors.Reading, ramTotal sensors.Number) []device {
	var devices []device
	for i := range s.Cards {
		devices = addCard(devices, s.Cards[i])
	}
	cards := len(devices)
	for i := range s.Adapters {
		devices = addAdapter(devices, s.Adapters[i], i)
	}
	for i := range devices {
		d := &devices[i]
		d.describe()
		d.readMemory(ramAvailable, ramTotal)
		if i < cards && !d.HasAdapter && !d.Asleep {
			d.Detail = "no WebGPU adapter belongs to it"
		}
	}
	return devices
}

// addCard adds a card, or completes the one with the same PCI address: the kernel and the vendor's tool list it twice.
func addCard(devices []device, c sensors.Card) []device {
	pci := strings.ToLower(c.PCI)
	for i := range devices {
		d := &devices[i]
		if pci == "" || d.pci != pci {
			continue
		}
		both := *d.card
		both.Asleep = both.Asleep || c.Asleep
		both.VRAMTotal = better(both.VRAMTotal, c.VRAMTotal)
		both.VRAMUsed = better(both.VRAMUsed, c.VRAMUsed)
		both.GTTTotal = better(both.GTTTotal, c.GTTTotal)
		both.GTTUsed = better(both.GTTUsed, c.GTTUsed)
		d.card = &both
		d.cardIDs = append(d.cardIDs, c.ID)
		return devices
	}
	d := device{card: &c, pci: pci, vendor: c.Vendor, product: c.Device, cardIDs: []string{c.ID}}
	d.ID = c.ID
	if pci != "" {
		d.cardIDs = append(d.cardIDs, "pci/"+pci)
	}
	return append(devices, d)
}

func better(a, b sensors.Reading) sensors.Reading {
	if !a.Usable() && b.Usable() {
		return b
	}
	return a
}

// addAdapter adds an adapter to the device that it belongs to, or as a device of its own.
func addAdapter(devices []device, a sensors.Adapter, index int) []device {
	if !software(a) {
		if i := owner(devices, a); i >= 0 {
			devices[i].adapters = append(devices[i].adapters, a)
			return devices
		}
	}
	d := device{adapters: []sensors.Adapter{a}, pci: strings.ToLower(a.PCI), vendor: a.VendorID, product: a.DeviceID}
	d.ID = fmt.Sprintf("adapter/%d", index)
	if software(a) {
		// A software adapter may borrow the address of a real card: it must not be merged with one.
		d.pci, d.vendor, d.product = "", 0, 0
	} else if d.pci != "" {
		d.cardIDs = []string{"pci/" + d.pci}
	}
	return append(devices, d)
}

// owner finds the device that an adapter belongs to: by PCI address, else by vendor and device, else by vendor alone.
// Two adapters of one backend are two devices, unless they share an address. −1 where none, or where the vendor alone
// does not tell which.
func owner(devices []device, a sensors.Adapter) int {
	pci := strings.ToLower(a.PCI)
	if pci != "" {
		for i := range devices {
			if devices[i].pci == pci {
				return i
			}
		}
	}
	if a.VendorID == 0 {
		return -1
	}
	byVendor, several := -1, false
	for i := range devices {
		d := &devices[i]
		if d.vendor != a.VendorID || (pci != "" && d.pci != "") || d.speaks(a.Backend) {
			continue
		}
		if d.product == a.DeviceID && a.DeviceID != 0 {
			return i
		}
		if d.product != 0 && a.DeviceID != 0 {
			continue
		}
		several = several || byVendor >= 0
		if byVendor < 0 {
			byVendor = i
		}
	}
	// OpenGL names neither device nor address: whichever device of that vendor it is, Vulkan has told of it already.
	if several && a.Backend != backendGL {
		return -1
	}
	return byVendor
}

const backendGL = "opengl"

// speaks reports whether an adapter of that backend was found already.
func (d *device) speaks(backend string) bool {
	for i := range d.adapters {
		if d.adapters[i].Backend == backend {
			return true
		}
	}
	return false
}

// describe fills in what the adapter says, the one of a native backend before OpenGL's.
func (d *device) describe() {
	if d.card != nil {
		d.Name, d.Asleep = d.card.Name, d.card.Asleep
	}
	a := d.adapter()
	if a == nil {
		return
	}
	d.HasAdapter = true
	d.Backend = a.Backend
	if a.Name != "" {
		d.Name = a.Name
	}
	d.Type = deviceType(*a)
	d.Unified = policy.ZeroCopyForDeviceType(d.Type) == policy.MmapDirect
	d.MaxBufferSize, d.MaxStorageBinding = a.MaxBufferSize, a.MaxStorageBinding
	if d.Type == policy.CPUDevice {
		d.Detail = "a software adapter: it runs on the CPU, so it is no GPU to route to"
	}
}

// adapter is the one that speaks for the device; nil where WebGPU does not list it.
func (d *device) adapter() *sensors.Adapter {
	for i := range d.adapters {
		if d.adapters[i].Backend != backendGL {
			return &d.adapters[i]
		}
	}
	if len(d.adapters) > 0 {
		return &d.adapters[0]
	}
	return nil
}

// routable is a device that jobs may be sent to, if it has memory to spare.
func (d *device) routable() bool { return d.HasAdapter && !d.Asleep && d.Type != policy.CPUDevice }

// owns reports whether a temperature or power domain of that card ID belongs to the device.
func (d *device) owns(card string) bool {
	if d == nil || card == "" {
		return false
	}
	for _, id := range d.cardIDs {
		if id == card {
			return true
		}
	}
	return false
}

// deviceType is the adapter's type; software rasterisers that call themselves something else are recognised by name.
func deviceType(a sensors.Adapter) policy.DeviceType {
	if software(a) {
		return policy.CPUDevice
	}
	switch a.Type {
	case "discrete":
		return policy.DiscreteGPU
	case "integrated":
		return policy.IntegratedGPU
	case "virtual":
		return policy.VirtualGPU
	}
	return policy.OtherDevice
}

// software reports whether an adapter is a rasteriser on the CPU.
func software(a sensors.Adapter) bool {
	if a.Type == "cpu" {
		return true
	}
	name := strings.ToLower(a.Name)
	for _, s := range []string{"llvmpipe", "lavapipe", "softpipe", "swiftshader", "swrast", "basic render"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}
