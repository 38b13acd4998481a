package sensors

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/distatus/battery"
)

// askBatteries asks distatus/battery, which panics on empty files, returns nil packs and errors beside good data.
func askBatteries() ([]*battery.Battery, error) {
	packs, err := ask(battery.GetAll)
	var each battery.Errors
	if errors.As(err, &each) {
		err = nil
	}
	return packs, err
}

// libraryPack is a pack as the library tells it; mains is known from a pack that charges or discharges, the zero Reading otherwise.
func libraryPack(index int, b *battery.Battery, now time.Time) (Battery, Reading) {
	const source = "distatus/battery"
	id := fmt.Sprintf("battery/%d", index)
	value := func(name string, unit Unit, v float64, limit bounds, zero bool) Reading {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0) || v == 0 && !zero:
			r := Missing(id+"/"+name, "battery", unit, StateNotOffered, source, "the system does not tell")
			return r
		case !limit.holds(v):
			return implausible(id+"/"+name, "battery", unit, source, now, v, limit.why)
		}
		return got(id+"/"+name, "battery", unit, source, now, v)
	}
	out := Battery{
		ID: id, Present: true, Status: libraryStatus(b.State.Raw),
		Full:    value("full", MilliWh, b.Full, plausibleStored, false),
		Design:  value("design", MilliWh, b.Design, plausibleStored, false),
		Voltage: value("voltage", Millivolt, b.Voltage*1000, plausibleVoltage, false),
	}
	// A pack whose full energy is unknown did not answer: its 0 is no empty battery.
	out.Now = value("now", MilliWh, b.Current, plausibleStored, out.Full.Value.Known())
	// 0 is also how a rate that cannot be read comes; it is one only while nothing flows.
	resting := out.Status == Idle || out.Status == Full
	out.Rate = value("rate", Milliwatt, math.Abs(b.ChargeRate), plausibleRate, resting)
	out.Capacity = Missing(id+"/capacity", "battery", Percent, StateNotOffered, source, "the library gives no percentage")
	var mains Reading
	if out.Status == Charging || out.Status == Discharging {
		mains = got("mains", "battery", Count, source, now, truth(out.Status == Charging))
		mains.Detail = "as the pack's status tells"
	}
	if !out.Full.Value.Known() && out.Status != Charging && out.Status != Discharging {
		out.Status = StatusUnknown
	}
	return out, mains
}

func libraryStatus(s battery.AgnosticState) BatteryStatus {
	switch s {
	case battery.Charging:
		return Charging
	case battery.Discharging:
		return Discharging
	case battery.Idle:
		return Idle
	case battery.Full:
		return Full
	}
	return StatusUnknown
}

// compareLibrary notes where the library's figures are others than what the files hold. It was asked a moment before or
// after, so that only large differences are any; a rate is compared only where one of the two has none.
func compareLibrary(ours *Battery, b *battery.Battery) {
	for _, f := range [...]struct {
		r    *Reading
		v    float64
		same float64
	}{{&ours.Now, b.Current, 0.2}, {&ours.Full, b.Full, 0.02}, {&ours.Design, b.Design, 0.02}, {&ours.Rate, b.ChargeRate, 0}, {&ours.Voltage, b.Voltage * 1000, 0.2}} {
		v, ok := f.r.Value.Get()
		switch {
		case !ok && f.v == 0:
		case ok && f.same > 0 && math.Abs(v-f.v) <= math.Max(1, math.Abs(v)*f.same):
		case ok && f.same == 0 && (v == 0) == (f.v == 0) && f.v >= 0:
		default:
			note(f.r, fmt.Sprintf("distatus/battery gives %g %s", f.v, f.r.Unit))
		}
	}
}
