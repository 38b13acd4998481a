package budget

import (
	"math"

	"headroom/sensors"
)

// readRAM takes the machine's RAM, already capped by a container's limit.
func readRAM(m sensors.Memory) Memory {
	out := Memory{ram: m.Available}
	total, totalOK := usableBytes(m.Total)
	available, availableOK := usableBytes(m.Available)
	out.RAMState = sensors.Worst(stateOfBytes(m.Total), stateOfBytes(m.Available))
	if totalOK && total > 0 {
		out.RAMTotal = sensors.Num(total)
	}
	if availableOK {
		available = math.Trunc(available)
		if totalOK && total > 0 {
			available = min(available, total)
		}
		out.RAMAvailable = sensors.Num(available)
	}
	out.ram.Value, out.ram.State = out.RAMAvailable, stateOfBytes(m.Available)
	return out
}

// stateOfBytes is the state of a size of memory, or why it has none.
func stateOfBytes(r sensors.Reading) sensors.State {
	if _, ok := usableBytes(r); ok {
		return r.State
	}
	if r.Usable() {
		return sensors.StateImplausible
	}
	return missingState(r)
}

func (m *Memory) ramAvailable() sensors.Reading { return m.ram }

// settle fixes free memory and the budget for the device in use: its own pool, else RAM; the user's figure before both.
func (m *Memory) settle(d *device, set Settings, credit credit) {
	var free float64
	switch {
	case d != nil:
		free = d.VRAMAvailable.Or(0)
		m.State, m.Parts, m.Source, m.Detail = d.State, d.Parts, d.VRAMSource, d.Detail
		m.Credit = toUint64(d.credit)
	default:
		m.State, m.Source = m.ram.State, m.ram.Source
		if ram, ok := m.RAMAvailable.Get(); ok {
			own := credit.ram
			if total, ok := m.RAMTotal.Get(); ok {
				own = min(own, max(total-ram, 0))
			}
			free = ram + own
			m.Parts = []Part{{Name: "RAM", Bytes: int64(ram)}}
			if own > 0 {
				m.Parts = append(m.Parts, Part{Name: "held by " + credit.name + " itself", Bytes: int64(own)})
				m.Credit = toUint64(own)
			}
		}
	}
	if pin, ok := set.Pins.VRAMBytes.Get(); ok {
		free = math.Trunc(min(max(pin, 0), maxBytes))
		m.State, m.Source, m.Credit = sensors.StatePinned, "pinned", 0
		m.Parts = []Part{{Name: "pinned", Bytes: int64(free)}}
	}
	m.Free = toUint64(free)
	m.Budget = subBytes(m.Free, addBytes(set.Workload.KVBytes, set.Workload.ComputeBytes))
}
