package budget

import (
	"fmt"
	"math"

	"headroom/sensors"
)

// What stands in for a temperature or a limit that nothing tells, and the bounds of what is plausible, in °C.
const (
	AssumedHeadroomC = 30
	AssumedLimitC    = 95

	minTemperatureC, maxTemperatureC = 1, 126
	MinLimitC, MaxLimitC             = 60, 125
)

// readThermal is the tightest of limit − temperature over the CPU package and the GPU in use.
func readThermal(temps []sensors.Temperature, gpu *device, set Settings) Thermal {
	best, found := hottestCPU(temps, set.Limits)
	for i := range temps {
		if temps[i].Role != sensors.RoleGPU || !gpu.owns(temps[i].Card) {
			continue
		}
		// A GPU's sensor without a plausible limit does not count: nothing is assumed for it.
		if t, ok := heatOf(temps[i], set.Limits); ok && t.LimitState != sensors.StateAssumed {
			if !found || t.HeadroomC < best.HeadroomC {
				best, found = t, true
			}
		}
	}
	if !found {
		best = Thermal{
			State: sensors.StateAssumed, LimitState: sensors.StateNotOffered, HeadroomC: AssumedHeadroomC,
			Source: "assumption", Detail: noTemperature(temps),
		}
	}
	if pin, ok := set.Pins.ThermalC.Get(); ok {
		if found {
			best.Detail = "measured: " + best.Source
		} else {
			best.Detail = "unpinned: " + best.Detail
		}
		best.State, best.Source, best.ReadingID = sensors.StatePinned, "pinned", ""
		best.HeadroomC = pin
	}
	best.HeadroomC = min(max(best.HeadroomC, -math.MaxFloat32), math.MaxFloat32)
	return best
}

// hottestCPU is the CPU's temperature: of the best kind of sensor that can be used, the one closest to its limit.
func hottestCPU(temps []sensors.Temperature, limits map[string]float64) (Thermal, bool) {
	var best Thermal
	rank, found := 0, false
	for i := range temps {
		if temps[i].Role != sensors.RoleCPU || (found && temps[i].Rank > rank) {
			continue
		}
		t, ok := heatOf(temps[i], limits)
		if !ok {
			continue
		}
		if !found || temps[i].Rank < rank || t.HeadroomC < best.HeadroomC {
			best, rank, found = t, temps[i].Rank, true
		}
	}
	return best, found
}

// heatOf is one sensor's headroom; false where it has no plausible temperature.
func heatOf(t sensors.Temperature, limits map[string]float64) (Thermal, bool) {
	now, ok := usable(t.Value)
	if !ok || now < minTemperatureC || now > maxTemperatureC {
		return Thermal{}, false
	}
	limit, state, note := limitOf(t, limits)
	h := Thermal{
		State: sensors.Worst(t.Value.State, state), HeadroomC: milli(limit - now), Temperature: sensors.Num(now),
		Limit: sensors.Num(limit), LimitState: state, ReadingID: t.Value.ID, Detail: note,
	}
	h.Source = fmt.Sprintf("%.1f of %s °C · %s", now, trim(limit), sensorName(t))
	return h, true
}

// limitOf is where a sensor's device starts to throttle: the user's figure, the sensor's own critical limit, else its
// zone's lowest plausible passive trip, then hot, then critical, else an assumption.
func limitOf(t sensors.Temperature, limits map[string]float64) (float64, sensors.State, string) {
	if v, ok := pinnedLimit(limits, t.Value.ID, t.Crit.ID); ok {
		return v, sensors.StatePinned, "the limit is yours"
	}
	if v, ok := plausibleLimit(t.Crit); ok {
		return v, t.Crit.State, ""
	}
	for _, kind := range []string{"passive", "hot", "critical"} {
		lowest, state, found := 0.0, sensors.StateOK, false
		for _, trip := range t.Trips {
			if v, ok := plausibleLimit(trip.Limit); ok && trip.Type == kind && (!found || v < lowest) {
				lowest, state, found = v, trip.Limit.State, true
			}
		}
		if found {
			return lowest, state, "the limit is its " + kind + " trip point"
		}
	}
	return AssumedLimitC, sensors.StateAssumed, "its limit is " + words(unusableLimit(t)) + ": 95 °C is assumed"
}

// unusableLimit is the state of the limit that an assumption stands in for.
func unusableLimit(t sensors.Temperature) sensors.State {
	state := missingState(t.Crit)
	if t.Crit.Usable() {
		state = sensors.StateImplausible
	}
	for _, trip := range t.Trips {
		if trip.Type != "active" {
			state = min(state, missingState(trip.Limit))
		}
	}
	return state
}

func plausibleLimit(r sensors.Reading) (float64, bool) {
	v, ok := usable(r)
	return v, ok && v >= MinLimitC && v <= MaxLimitC
}

// sensorName is a sensor in words: "k10temp Tctl".
func sensorName(t sensors.Temperature) string {
	switch {
	case t.Label == "":
		return t.Chip
	case t.Chip == "":
		return t.Label
	}
	return t.Chip + " " + t.Label
}

// noTemperature says why there is none: the best-ranked sensor's own words where one was there and could not be used.
func noTemperature(temps []sensors.Temperature) string {
	for i := range temps {
		if temps[i].Role != sensors.RoleCPU {
			continue
		}
		state := temps[i].Value.State
		if temps[i].Value.Usable() {
			state = sensors.StateImplausible
		}
		return sensorName(temps[i]) + " is " + words(state) + ": 30 °C of headroom is assumed"
	}
	return "no sensor of the CPU or the GPU in use: 30 °C of headroom is assumed"
}

// trim writes a number with one decimal where it needs one.
func trim(v float64) string {
	if v == math.Trunc(v) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}
