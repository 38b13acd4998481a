package budget

import (
	"math"

	"headroom/policy"
	"headroom/sensors"
)

// readMemory finds what a job may take on the device, from the best source that tells, before KV cache and compute
// buffers.
func (d *device) readMemory(ramAvailable sensors.Reading, ramTotal sensors.Number) {
	switch {
	case d.Asleep:
		d.State, d.VRAMSource, d.Detail = sensors.StateAsleep, "not read", "runtime-suspended, and left so"
	case d.HasAdapter && d.Type == policy.CPUDevice:
		d.State, d.VRAMSource = sensors.StateNotOffered, "none of its own"
	case d.HasAdapter && d.Unified:
		d.readShared(ramAvailable, ramTotal)
	default:
		d.readOwn()
	}
}

// readOwn reads a device with memory of its own. GTT is RAM that such a device reaches over the bus: it never counts.
func (d *device) readOwn() {
	d.State, d.VRAMSource = sensors.StateNotOffered, "not told"
	var total float64
	overfull := false
	if c := d.card; c != nil {
		vram := pool(c.VRAMTotal, c.VRAMUsed)
		if vram.whole {
			d.VRAMTotal, d.VRAMAvailable, d.State = sensors.Num(vram.total), sensors.Num(vram.free), vram.state
			d.VRAMSource = cardSource(*c)
			d.Parts, d.capacity = []Part{{Name: "VRAM", Bytes: int64(vram.free)}}, vram.total
			return
		}
		total = vram.total
		if !vram.known {
			d.State = missingState(c.VRAMTotal)
		}
		if overfull = c.VRAMUsed.State == sensors.StateImplausible || vram.implausible; overfull {
			d.Detail = "the VRAM in use that it reports is implausible, and set aside"
		}
	}
	a := d.adapter()
	if a == nil {
		if total > 0 {
			d.assumeFree(total, overfull, cardSource(*d.card))
		}
		return
	}
	heap := size(a.VRAMTotal)
	if total <= 0 {
		total = heap
	}
	if budget := size(a.VRAMBudget); budget > 0 {
		free := max(budget-size(a.VRAMUsage), 0)
		if total > 0 {
			free = min(free, total)
			d.VRAMTotal, d.capacity = sensors.Num(total), total
		}
		d.VRAMAvailable, d.State, d.VRAMSource = sensors.Num(free), sensors.StateOK, apiName(a.Backend)+" memory budget"
		d.Parts = []Part{{Name: "VRAM", Bytes: int64(free)}}
		return
	}
	if total > 0 {
		source := apiName(a.Backend) + " heap"
		if heap <= 0 {
			source = cardSource(*d.card)
		}
		d.assumeFree(total, overfull, source)
	}
}

// assumeFree counts the whole memory as free, as its size is known and what is in use is not; none of it where more is
// said to be in use than there is.
func (d *device) assumeFree(total float64, overfull bool, source string) {
	free := total
	switch {
	case overfull:
		free = 0
		d.Detail = "it reports more VRAM in use than it has: none is taken as free"
	case d.Detail == "":
		d.Detail = "what is in use is not told: all of it is assumed to be free"
	}
	d.VRAMTotal, d.VRAMAvailable, d.State, d.VRAMSource = sensors.Num(total), sensors.Num(free), sensors.StateAssumed, source
	d.Parts = []Part{{Name: "VRAM", Bytes: int64(free)}}
}

// readShared reads a device that shares the machine's RAM.
func (d *device) readShared(ramAvailable sensors.Reading, ramTotal sensors.Number) {
	ram, ramKnown := usable(ramAvailable)
	ramState := ramAvailable.State
	if !ramKnown {
		ramState = missingState(ramAvailable)
	}
	var carve memoryPool
	if d.card != nil {
		carve = pool(d.card.VRAMTotal, d.card.VRAMUsed)
	}
	if carve.whole {
		if gtt := pool(d.card.GTTTotal, d.card.GTTUsed); gtt.whole {
			d.readCarveOut(carve, gtt, ram, ramKnown, ramState, ramTotal)
			return
		}
	}
	d.VRAMSource = "shared with RAM"
	d.capacity = ramTotal.Or(0)
	if limit, ok := d.workingSet(); ok {
		// The platform's limit bounds what a job may take; it does not make RAM free that is not.
		d.VRAMTotal, d.VRAMSource = sensors.Num(limit), apiName(d.Backend)+" working-set limit"
		d.State = sensors.StateOK
		d.Parts = []Part{{Name: "working-set limit", Bytes: int64(limit)}}
		d.capacity = limit
		free := limit
		if ramKnown {
			free, d.State = min(limit, ram), ramState
			d.Parts = capped(d.Parts, limit, free)
		}
		d.VRAMAvailable = sensors.Num(free)
		return
	}
	d.State = ramState
	if ramKnown {
		d.VRAMAvailable = sensors.Num(ram)
		d.Parts = []Part{{Name: "RAM", Bytes: int64(ram)}}
	}
	if !carve.whole {
		return
	}
	d.State = sensors.Worst(d.State, sensors.StateAssumed)
	d.Detail = "the share of RAM that it may map is not told: available RAM stands in"
	if carve.free > ram {
		d.Detail = "the share of RAM that it may map is not told: the carve-out alone counts"
		d.State = sensors.Worst(carve.state, sensors.StateAssumed)
		d.VRAMTotal, d.VRAMAvailable, d.VRAMSource = sensors.Num(carve.total), sensors.Num(carve.free), cardSource(*d.card)
		d.Parts, d.capacity = []Part{{Name: "VRAM", Bytes: int64(carve.free)}}, carve.total
	}
}

// readCarveOut is the pool of an APU: its carve-out and the RAM that it may map (GTT). GTT is only as free as RAM is, so
// the sum is capped by available RAM; but a carve-out is not RAM, so a large one is never capped below itself.
func (d *device) readCarveOut(carve, gtt memoryPool, ram float64, ramKnown bool, ramState sensors.State, ramTotal sensors.Number) {
	total := carve.total + gtt.total
	if all, ok := ramTotal.Get(); ok {
		total = min(total, carve.total+all)
	}
	sum := carve.free + gtt.free
	free := sum
	d.State = sensors.Worst(carve.state, gtt.state)
	if ramKnown && max(ram, carve.free) < sum {
		free = max(ram, carve.free)
		d.State = sensors.Worst(d.State, ramState)
	}
	d.VRAMTotal, d.VRAMAvailable, d.VRAMSource = sensors.Num(total), sensors.Num(free), cardSource(*d.card)
	d.capacity = total
	d.Parts = capped([]Part{
		{Name: "VRAM", Bytes: int64(carve.free)},
		{Name: "GTT", Bytes: int64(gtt.free)},
	}, sum, free)
}

// capped adds the share that available RAM takes off a sum.
func capped(parts []Part, sum, free float64) []Part {
	if free < sum {
		parts = append(parts, Part{Name: "capped by available RAM", Bytes: int64(free) - int64(sum)})
	}
	return parts
}

func (d *device) workingSet() (float64, bool) {
	for i := range d.adapters {
		if v := size(d.adapters[i].WorkingSet); v > 0 {
			return v, true
		}
	}
	return 0, false
}

// memoryPool is one memory of a card, in bytes.
type memoryPool struct {
	total, free float64
	// known is whether the total was read; whole is whether the free part was too.
	known, whole, implausible bool
	state                     sensors.State
}

func pool(total, used sensors.Reading) memoryPool {
	t, ok := usableBytes(total)
	if !ok || t <= 0 {
		return memoryPool{}
	}
	p := memoryPool{total: t, known: true, state: total.State}
	if !used.Usable() {
		return p
	}
	u, ok := usableBytes(used)
	if !ok || u > t {
		p.implausible = true
		return p
	}
	p.free, p.whole, p.state = math.Trunc(t-u), true, sensors.Worst(total.State, used.State)
	return p
}

// missingState is why a reading has no usable value; a reading that was never made is not offered.
func missingState(r sensors.Reading) sensors.State {
	if r.ID == "" && r.Source == "" {
		return sensors.StateNotOffered
	}
	return min(r.State, sensors.StateNotOffered)
}

// cardSource names what gave a card's figures.
func cardSource(c sensors.Card) string {
	switch c.Driver {
	case "":
		return "kernel"
	case "nvidia":
		return "nvidia-smi"
	}
	return c.Driver + " sysfs"
}

// apiName is a backend's name as people write it.
func apiName(backend string) string {
	switch backend {
	case "vulkan":
		return "Vulkan"
	case "metal":
		return "Metal"
	case "d3d12":
		return "Direct3D 12"
	case backendGL:
		return "OpenGL"
	}
	return backend
}
