package budget

import (
	"math"

	"headroom/sensors"
)

// credit is what the running workload itself holds: counted as available, since it is the job that is being planned.
type credit struct {
	name            string
	ram, gpu, power float64
}

// findCredit finds the process that the user named as the workload; its zero value credits nothing.
func findCredit(processes []sensors.Process, pid int) credit {
	if pid <= 0 {
		return credit{}
	}
	for _, p := range processes {
		if p.PID != pid {
			continue
		}
		return credit{name: p.Name, ram: heldBytes(p.RAM), gpu: heldBytes(p.GPU), power: heldPower(p.Power)}
	}
	return credit{}
}

func heldBytes(r sensors.Reading) float64 {
	v, ok := usableBytes(r)
	if !ok {
		return 0
	}
	return math.Trunc(v)
}

func heldPower(r sensors.Reading) float64 {
	v, _ := usable(r)
	return min(max(v, 0), maxLimitMW)
}

// onGPU is the share that can be counted on a device: no more than what is in use there.
func (c credit) onGPU(d *device) float64 {
	free, ok := d.VRAMAvailable.Get()
	if !ok {
		return 0
	}
	return min(c.gpu, max(d.capacity-free, 0))
}

// giveCredit counts the workload's own memory on the device as available.
func (d *device) giveCredit(c credit) {
	extra := c.onGPU(d)
	if extra <= 0 {
		return
	}
	d.VRAMAvailable = sensors.Num(d.VRAMAvailable.Or(0) + extra)
	d.Parts = append(d.Parts, Part{Name: "held by " + c.name + " itself", Bytes: int64(extra)})
	d.credit = extra
}
