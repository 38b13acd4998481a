package budget_test

import (
	"testing"

	"headroom/sensors"
	"headroom/sensors/budget"
)

// A pinned input says what stands behind it, so that nobody takes the pin for what is assumed.
func TestPinsSayWhatTheyReplace(t *testing.T) {
	pins := budget.Settings{Pins: budget.Pins{ThermalC: sensors.Num(3), PowerMW: sensors.Num(12_000)}}
	r := budget.From(sensors.Sample{}, pins)
	equal(t, "heat without a sensor", r.Thermal.Detail, "unpinned: no sensor of the CPU or the GPU in use: 30 °C of headroom is assumed")
	equal(t, "power without a limit", r.Power.Detail, "unpinned: no power limit is readable: 60.0 W is assumed")
	r = budget.From(sensors.Sample{Temperatures: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 60, celsius(100))}}, pins)
	equal(t, "measured heat", r.Thermal.Detail, "measured: 60.0 of 100 °C · coretemp Package id 0")
}
