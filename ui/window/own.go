//go:build cgo || !darwin

package window

import (
	"maps"

	"headroom/policy/workload"
	"headroom/sensors/budget"
)

// own tells which settings the user has changed while a recording is shown. The others follow the recording; what is the
// user's own stays until everything is released.
type own struct{ workload, thermal, power, memory, limits, device, credit bool }

// ownOf are the settings that differ from the recorded ones.
func ownOf(set, recorded budget.Settings) own {
	return own{
		workload: !sameWorkload(set.Workload, recorded.Workload),
		thermal:  set.Pins.ThermalC != recorded.Pins.ThermalC,
		power:    set.Pins.PowerMW != recorded.Pins.PowerMW,
		memory:   set.Pins.VRAMBytes != recorded.Pins.VRAMBytes,
		limits:   !maps.Equal(set.Limits, recorded.Limits),
		device:   set.Device != recorded.Device,
		credit:   set.CreditPID != recorded.CreditPID,
	}
}

func sameWorkload(a, b workload.Workload) bool {
	return a.Name == b.Name && a.Params == b.Params && a.Bare == b.Bare && a.Context == b.Context && a.KVType == b.KVType && a.KVBytes == b.KVBytes
}

// over are the recorded settings with the user's own in their place.
func (o own) over(mine, recorded budget.Settings) budget.Settings {
	set := recorded
	if o.workload {
		set.Workload = mine.Workload
	}
	if o.thermal {
		set.Pins.ThermalC = mine.Pins.ThermalC
	}
	if o.power {
		set.Pins.PowerMW = mine.Pins.PowerMW
	}
	if o.memory {
		set.Pins.VRAMBytes = mine.Pins.VRAMBytes
	}
	if o.limits {
		set.Limits = mine.Limits
	}
	if o.device {
		set.Device = mine.Device
	}
	if o.credit {
		set.CreditPID = mine.CreditPID
	}
	return set
}

// followRecording takes the recorded settings that the engine has come to.
func (v *view) followRecording(base *budget.Settings) {
	if base == nil || base == v.base {
		return
	}
	v.base = base
	v.set = v.own.over(v.set, *base)
	if !v.own.workload {
		v.choice = choiceOf(v.set.Workload)
	}
}

// holds reports whether there is something to be released.
func (v *view) holds() bool {
	if v.base != nil {
		return v.own != own{}
	}
	return v.set.Pins.Any() || len(v.set.Limits) > 0 || v.set.Device != "" || v.set.CreditPID != 0
}
