package budget_test

import (
	"strings"
	"testing"

	"headroom/sensors"
	"headroom/sensors/budget"
)

func flag(device, reason string, active sensors.Reading) sensors.ThrottleFlag {
	return sensors.ThrottleFlag{ID: device + "/" + reason, Device: device, Reason: reason, Active: active}
}

func TestThrottle(t *testing.T) {
	on, off := read("flag", 1, sensors.Count), read("flag", 0, sensors.Count)
	stale := on
	stale.State = sensors.StateStale
	hot := cpuTemp("coretemp", "Package id 0", 0, 97, celsius(100))
	cool := cpuTemp("coretemp", "Package id 0", 0, 45, celsius(100))
	for _, c := range []struct {
		name    string
		flags   []sensors.ThrottleFlag
		temps   []sensors.Temperature
		now     float64
		known   bool
		reasons string
		state   sensors.State
	}{
		{name: "nothing tells", state: sensors.StateNotOffered},
		{name: "a flag that cannot be told yet", flags: []sensors.ThrottleFlag{flag("cpu", "thermal", missing("flag", sensors.StateNotOffered))}, state: sensors.StateNotOffered},
		{name: "a flag that needs permission", flags: []sensors.ThrottleFlag{flag("cpu", "thermal", missing("flag", sensors.StateNeedsPermission))}, state: sensors.StateNeedsPermission},
		{name: "not throttling", flags: []sensors.ThrottleFlag{flag("cpu", "thermal", off)}, known: true, state: sensors.StateOK},
		{
			name: "thermal, near the limit", flags: []sensors.ThrottleFlag{flag("cpu", "thermal", on), flag("cpu", "power", off)},
			temps: []sensors.Temperature{hot}, now: 1, known: true, reasons: "thermal", state: sensors.StateOK,
		},
		{
			name: "thermal at 45 °C is not believed", flags: []sensors.ThrottleFlag{flag("cpu", "thermal", on)},
			temps: []sensors.Temperature{cool}, known: true, state: sensors.StateOK,
		},
		{
			name: "power throttling does not ask for heat", flags: []sensors.ThrottleFlag{flag("cpu", "power", on), flag("cpu", "power", on)},
			temps: []sensors.Temperature{cool}, now: 1, known: true, reasons: "power", state: sensors.StateOK,
		},
		{
			name: "thermal without a temperature", flags: []sensors.ThrottleFlag{flag("cpu", "thermal", on)},
			now: 1, known: true, reasons: "thermal", state: sensors.StateOK,
		},
		{
			name: "a card is judged by its own sensors", flags: []sensors.ThrottleFlag{flag(cardID, "thermal", on)},
			temps: []sensors.Temperature{hot, gpuTemp(cardID, "junction", 41, celsius(110))}, known: true, state: sensors.StateOK,
		},
		{
			name: "several reasons", flags: []sensors.ThrottleFlag{flag("cpu", "thermal", on), flag(cardID, "current", stale)},
			temps: []sensors.Temperature{hot}, now: 1, known: true, reasons: "thermal current", state: sensors.StateStale,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := budget.From(sensors.Sample{Throttle: c.flags, Temperatures: c.temps}, budget.Settings{}).Throttle
			now, known := got.Now.Get()
			equal(t, "known", known, c.known)
			near(t, "now", now, c.now, 0)
			equal(t, "reasons", strings.Join(got.Reasons, " "), c.reasons)
			equal(t, "state", got.State, c.state)
		})
	}
}
