package budget

import (
	"headroom/sensors"
)

// readRAM takes the machine's RAM, already capped by a container's limit.
func readRAM(m sensors.Memory) Memory {
	out := Memory{ram: m.Available}
	total, totalOK := usable(m.Total)
	available, availableOK := usable(m.Available)
	out.RAMState = sensors.Worst(stateOf(m.Total), stateOf(m.Available))
	if totalOK && total > 0 {
		out.RAMTotal = sensors.Num(total)
	}
	if availableOK {
		available = max(available, 0)
		if totalOK && total > 0 {
			available = min(available, total)
		}
		out.RAMAvailable = sensors.Num(available)
		out.ram.Value = out.RAMAvailable
	}
	return out
}

// stateOf is a reading's state, or why it has none.
func stateOf(r sensors.Reading) sensors.State {
	if r.Usable() {
		return r.State
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
		m.State, m.Source = stateOf(m.ram), m.ram.Source
		if ram, ok := m.RAMAvailable.Get(); ok {
			own := credit.ram
			if total, ok := m.RAMTotal.Get(); ok {
				own = min(own, max(total-ram, 0))
			}
			free = ram + own
			m.Parts = []Part{{Name: "RAM", Bytes: toInt64(ram)}}
			if own > 0 {
				m.Parts = append(m.Parts, Part{Name: "held by " + credit.name + " itself", Bytes: toInt64(own)})
				m.Credit = toUint64(own)
			}
		}
	}
	if pin, ok := set.Pins.VRAMBytes.Get(); ok {
		free = max(pin, 0)
		m.State, m.Source, m.Credit = sensors.StatePinned, "pinned", 0
		m.Parts = []Part{{Name: "pinned", Bytes: toInt64(free)}}
	}
	m.Free = toUint64(free)
	m.Budget = subBytes(m.Free, addBytes(set.Workload.KVBytes, set.Workload.ComputeBytes))
}
