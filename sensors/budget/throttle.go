package budget

import (
	"fmt"
	"slices"

	"headroom/sensors"
)

// nearLimitC is how close to its limit a device must be for its own claim of thermal throttling to be believed.
const nearLimitC = 10

// readThrottle is what the hardware says of itself. A thermal flag raised far from the limit is shown, not believed.
func readThrottle(flags []sensors.ThrottleFlag, temps []sensors.Temperature, limits map[string]float64) Throttle {
	t := Throttle{State: sensors.StateNotOffered, Reasons: []string{}}
	now, told, active := 0.0, false, sensors.StateNotOffered
	why := sensors.StateNotOffered
	for _, f := range flags {
		v, ok := usable(f.Active)
		if !ok {
			why = min(why, missingState(f.Active))
			continue
		}
		if !told {
			active = f.Active.State
		}
		told = true
		active = sensors.Worst(active, f.Active.State)
		if v == 0 {
			continue
		}
		if gap, known := headroomOf(f.Device, temps, limits); f.Reason == "thermal" && known && gap >= nearLimitC {
			t.Detail = fmt.Sprintf("%s claims thermal throttling %.1f °C under its limit: not believed", f.Device, gap)
			continue
		}
		now = 1
		if !slices.Contains(t.Reasons, f.Reason) {
			t.Reasons = append(t.Reasons, f.Reason)
		}
	}
	if !told {
		t.State = why
		t.Detail = "nothing tells of throttling"
		return t
	}
	t.State, t.Now = active, sensors.Num(now)
	return t
}

// headroomOf is the smallest headroom of the device that a flag speaks of.
func headroomOf(id string, temps []sensors.Temperature, limits map[string]float64) (float64, bool) {
	if id == "cpu" {
		t, ok := hottestCPU(temps, limits)
		return t.HeadroomC, ok
	}
	gap, found := 0.0, false
	for i := range temps {
		if temps[i].Card != id {
			continue
		}
		if t, ok := heatOf(temps[i], limits); ok && (!found || t.HeadroomC < gap) {
			gap, found = t.HeadroomC, true
		}
	}
	return gap, found
}
