package heat

import (
	"time"

	"headroom/sensors"
)

// Reason is why a load ended or was refused.
type Reason string

// The reasons.
const (
	// ReasonTime: its time was over.
	ReasonTime Reason = "time"
	// ReasonTemperature: a device came within MarginC of its limit.
	ReasonTemperature Reason = "temperature"
	// ReasonBattery: on battery, under MinBatteryPercent. ReasonChargeUnknown: on battery, and the charge is not told.
	ReasonBattery       Reason = "battery"
	ReasonChargeUnknown Reason = "charge_unknown"
	// ReasonTemperatureUnknown: nothing tells the temperature of a loaded device. ReasonLimitUnknown: nothing tells its limit.
	// ReasonStale: what told it no longer does. ReasonSilent: no round of the sensors came any more.
	ReasonTemperatureUnknown Reason = "temperature_unknown"
	ReasonLimitUnknown       Reason = "limit_unknown"
	ReasonStale              Reason = "temperature_stale"
	ReasonSilent             Reason = "sensors_silent"
	// ReasonNoSensor: a limit was given for a sensor that is not there.
	ReasonNoSensor Reason = "no_sensor"
	// ReasonNoGPU: there is no GPU to load.
	ReasonNoGPU Reason = "no_gpu"
	// ReasonStopped: a user or program asked for it. ReasonParent: what started the load is gone.
	ReasonStopped Reason = "stopped"
	ReasonParent  Reason = "parent_gone"
	// ReasonFailed: a load broke.
	ReasonFailed Reason = "failed"
)

const (
	// stalePatience is how old a temperature may be that could not be read again: one bad answer is no news.
	stalePatience = 2 * time.Second
	// oldPatience is how old any may be: a slow tool is asked now and then only.
	oldPatience = 30 * time.Second
)

// judge says why the load must not go on; empty where it may. It is all that a load's end rests on beside signals and
// failures: the same Status gives the same answer.
func (o *Options) judge(s *Status) Reason {
	// A device that is not loaded counts as well: it may share a heat sink with one that is.
	if _, d := s.hottest(); d.Headroom.Known() && d.Headroom.Or(0) <= MarginC {
		return ReasonTemperature
	}
	percent, charged := s.BatteryPercent.Get()
	switch {
	case o.GPU && s.GPU == nil:
		return ReasonNoGPU
	case s.OnBattery && charged && percent < MinBatteryPercent:
		return ReasonBattery
	case s.Left <= 0:
		return ReasonTime
	case o.Insist:
		return ""
	case s.OnBattery && !charged:
		return ReasonChargeUnknown
	}
	_, _, why := s.distrusted()
	return why
}

// warning says what the rule would have ended the load for, had the user not insisted.
func (o *Options) warning(s *Status) string {
	if !o.Insist || o.judge(s) != "" {
		return ""
	}
	strict := *o
	strict.Insist = false
	if why := strict.judge(s); why != "" {
		return strict.explain(why, s)
	}
	return ""
}

// distrusted is the first loaded device whose temperature cannot be relied on, and why; an empty reason where there is none.
// A GPU in the CPU's package goes by the CPU's temperature where it has none of its own.
func (s *Status) distrusted() (name string, d *Device, why Reason) {
	onCPU := s.CPU.Loaded
	if s.GPU != nil && s.GPU.Loaded {
		if !s.GPU.Integrated || s.GPU.Headroom.Known() {
			if why := s.GPU.trust(); why != "" {
				return "the GPU", s.GPU, why
			}
		} else {
			onCPU = true
		}
	}
	if onCPU {
		return "the CPU", &s.CPU, s.CPU.trust()
	}
	return "", nil, ""
}

// trust says why the device's temperature cannot be relied on.
func (d *Device) trust() Reason {
	age := time.Duration(d.Age * float64(time.Second))
	switch {
	case !d.Temperature.Known():
		return ReasonTemperatureUnknown
	case !d.Headroom.Known():
		return ReasonLimitUnknown
	case age > oldPatience, age > stalePatience && d.State == sensors.StateStale:
		return ReasonStale
	}
	return ""
}
