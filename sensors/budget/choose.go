package budget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/policy"
	"headroom/sensors"
)

// What Settings.Device may say beside the ID of a GPU.
const (
	DeviceCPU = "cpu"
	DeviceNPU = "npu"
)

// choose takes the device that decisions are made for: a GPU to route to with memory to spare, else an NPU, else the CPU.
func (r *Result) choose(devices []device, set Settings, credit credit) {
	order := preferred(devices)
	for i := range devices {
		if devices[i].Asleep {
			r.Asleep++
		}
	}
	wanted := r.wanted(devices, set.Device)
	r.gpuAvailable = wanted != wantCPU && len(order) > 0
	candidates := order
	if wanted >= 0 {
		candidates = []int{wanted}
	} else if wanted == wantCPU {
		candidates = nil
	}
	for _, i := range candidates {
		d := &devices[i]
		if d.spare(set, credit) > 0 {
			r.InUse, r.Shown, r.Device = i, i, policy.GPU
			d.giveCredit(credit)
			return
		}
		if d.Detail == "" {
			d.Detail = "no free memory"
			if !d.VRAMAvailable.Known() {
				d.Detail = "its free memory is unknown: pin it to use it"
			}
		}
	}
	r.Shown = shown(devices, order)
	if r.NPU.Available && set.Device != DeviceCPU {
		r.Device = policy.NPU
	}
}

// spare is the free memory that the choice goes by, the user's figure before the device's own.
func (d *device) spare(set Settings, credit credit) float64 {
	if pin, ok := set.Pins.VRAMBytes.Get(); ok {
		return pin
	}
	return d.VRAMAvailable.Or(0) + credit.onGPU(d)
}

const (
	wantAny = -1
	wantCPU = -2
)

// wanted is the index of the GPU that the user chose, wantCPU for a choice of CPU or NPU, wantAny where there is no
// choice, or none that can be followed: Detail then says why.
func (r *Result) wanted(devices []device, choice string) int {
	switch choice {
	case "":
		return wantAny
	case DeviceCPU:
		return wantCPU
	case DeviceNPU:
		if r.NPU.Available {
			return wantCPU
		}
		r.Detail = "the chosen NPU is not there: the device was chosen automatically"
		return wantAny
	}
	for i := range devices {
		d := &devices[i]
		if d.ID != choice && (d.pci == "" || !strings.EqualFold(d.pci, strings.TrimPrefix(choice, "pci/"))) {
			continue
		}
		if d.routable() {
			return i
		}
		why := d.Detail
		if why == "" {
			why = "it cannot be routed to"
		}
		r.Detail = fmt.Sprintf("the chosen device %s is not used (%s): the device was chosen automatically", choice, why)
		return wantAny
	}
	r.Detail = fmt.Sprintf("the chosen device %s is not there: the device was chosen automatically", choice)
	return wantAny
}

// preferred lists the GPUs to route to: discrete before integrated, more memory before less. It goes by the total, which
// does not change while the machine runs, so that the choice does not either.
func preferred(devices []device) []int {
	var order []int
	for i := range devices {
		if devices[i].routable() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &devices[a], &devices[b]
		return cmp.Or(
			cmp.Compare(typeRank(x.Type), typeRank(y.Type)),
			cmp.Compare(y.VRAMTotal.Or(0), x.VRAMTotal.Or(0)),
		)
	})
	return order
}

func typeRank(t policy.DeviceType) int {
	return slices.Index([]policy.DeviceType{
		policy.DiscreteGPU, policy.IntegratedGPU, policy.VirtualGPU, policy.OtherDevice, policy.CPUDevice,
	}, t)
}

// shown is the device that stands for the GPU when none is routed to: the best one, else any with an adapter.
func shown(devices []device, order []int) int {
	if len(order) > 0 {
		return order[0]
	}
	for _, asleep := range []bool{false, true} {
		for i := range devices {
			if devices[i].HasAdapter && devices[i].Asleep == asleep {
				return i
			}
		}
	}
	return -1
}

// findNPU is the first neural processor that was seen. One that is suspended wakes by itself when a job comes.
func findNPU(npus []sensors.NPU) NPU {
	n := NPU{State: sensors.StateNotOffered}
	for i, u := range npus {
		there := u.State == sensors.StateOK || u.State == sensors.StateAsleep
		if i == 0 || (there && !n.Available) {
			n = NPU{State: u.State, Name: u.Name, Available: there}
		}
	}
	return n
}
