package budget_test

import (
	"strings"
	"testing"

	"headroom/sensors"
	"headroom/sensors/budget"
)

func zone(name string, now float64, trips ...sensors.Trip) sensors.Temperature {
	t := cpuTemp(name, "", 3, now, noLimit)
	t.Trips = trips
	return t
}

func trip(kind string, at float64) sensors.Trip {
	return sensors.Trip{Type: kind, Limit: read("trip", at, sensors.Celsius)}
}

func TestThermal(t *testing.T) {
	discrete := []sensors.Adapter{adapter("discrete")}
	cards := []sensors.Card{amdCard(gibs(24), 0, 0, 0)}
	stale := cpuTemp("coretemp", "Package id 0", 0, 60, celsius(100))
	stale.Value.State = sensors.StateStale
	for _, c := range []struct {
		name     string
		temps    []sensors.Temperature
		gpu      bool
		limits   map[string]float64
		headroom float64
		state    sensors.State
		limit    sensors.State
		source   string
	}{
		{name: "no sensor", headroom: 30, state: sensors.StateAssumed, limit: sensors.StateNotOffered, source: "assumption"},
		{
			name: "own critical limit", temps: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 37, celsius(100))},
			headroom: 63, state: sensors.StateOK, limit: sensors.StateOK, source: "37.0 of 100 °C · coretemp Package id 0",
		},
		{
			name: "the hotter of two packages", headroom: 10, state: sensors.StateOK, limit: sensors.StateOK, source: "Package id 1",
			temps: []sensors.Temperature{
				cpuTemp("coretemp", "Package id 0", 0, 60, celsius(92)), cpuTemp("coretemp", "Package id 1", 0, 82, celsius(92)),
			},
		},
		{
			name: "a package before a hotter zone", headroom: 40, state: sensors.StateOK, limit: sensors.StateOK, source: "coretemp",
			temps: []sensors.Temperature{zone("x86_pkg_temp", 90), cpuTemp("coretemp", "Package id 0", 0, 60, celsius(100))},
		},
		{
			name: "an unreadable package gives way to the zone, and does not count", headroom: 49, state: sensors.StateAssumed,
			limit: sensors.StateAssumed, source: "46.0 of 95 °C · x86_pkg_temp",
			temps: []sensors.Temperature{
				{Value: missing("pkg", sensors.StateError), Chip: "coretemp", Role: sensors.RoleCPU, Crit: celsius(100)},
				zone("x86_pkg_temp", 46, trip("passive", 0)),
			},
		},
		{
			name: "Tdie before Tctl", headroom: 45, state: sensors.StateAssumed, limit: sensors.StateAssumed, source: "Tdie",
			temps: []sensors.Temperature{cpuTemp("k10temp", "Tctl", 2, 60, noLimit), cpuTemp("k10temp", "Tdie", 1, 50, noLimit)},
		},
		{
			name: "acpitz never drives", headroom: 30, state: sensors.StateAssumed, limit: sensors.StateNotOffered,
			temps: []sensors.Temperature{{Value: read("acpitz", 94, sensors.Celsius), Chip: "acpitz", Role: sensors.RoleOther, Crit: celsius(95)}},
		},
		{
			name: "lowest plausible passive trip", headroom: 19, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{zone("cpu-thermal", 61, trip("critical", 110), trip("passive", 85), trip("passive", 80), trip("passive", 20.8))},
		},
		{
			name: "hot before critical", headroom: 39, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{zone("cpu-thermal", 61, trip("critical", 90), trip("hot", 100), trip("passive", -274))},
		},
		{
			name: "critical last", headroom: 49, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{zone("cpu-thermal", 61, trip("critical", 110), trip("active", 65))},
		},
		{
			name: "implausible limit", headroom: 52.5, state: sensors.StateAssumed, limit: sensors.StateAssumed,
			temps: []sensors.Temperature{cpuTemp("k10temp", "Tctl", 2, 42.5, celsius(20.8))},
		},
		{
			name: "implausible temperature", headroom: 30, state: sensors.StateAssumed, limit: sensors.StateNotOffered,
			temps: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 0, celsius(100)), cpuTemp("coretemp", "Package id 1", 0, 127, celsius(100))},
		},
		{
			name: "negative headroom stays", headroom: -3, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 103, celsius(100))},
		},
		{
			name: "no rounding error at the threshold", headroom: 5, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 90.1, celsius(95.1))},
		},
		{
			name: "stale stays stale", temps: []sensors.Temperature{stale},
			headroom: 40, state: sensors.StateStale, limit: sensors.StateOK,
		},
		{
			name: "the GPU's tightest sensor", gpu: true, headroom: 40, state: sensors.StateOK, limit: sensors.StateOK, source: "68.0 of 108 °C · amdgpu mem",
			temps: []sensors.Temperature{
				cpuTemp("coretemp", "Package id 0", 0, 45, celsius(100)), gpuTemp(cardID, "edge", 53, celsius(100)),
				gpuTemp(cardID, "junction", 61, celsius(110)), gpuTemp(cardID, "mem", 68, celsius(108)),
			},
		},
		{
			name: "the driving sensor's own parts: an assumed CPU limit that is not the tightest does not count", gpu: true,
			headroom: 40, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{cpuTemp("k10temp", "Tctl", 2, 42.5, noLimit), gpuTemp(cardID, "mem", 68, celsius(108))},
		},
		{
			name: "a GPU sensor without a limit", gpu: true, headroom: 55, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 45, celsius(100)), gpuTemp(cardID, "edge", 94, noLimit)},
		},
		{
			name: "another card's sensor", gpu: true, headroom: 55, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 45, celsius(100)), gpuTemp("pci/0000:04:00.0", "edge", 94, celsius(100))},
		},
		{
			name: "a GPU that is not used", headroom: 55, state: sensors.StateOK, limit: sensors.StateOK,
			temps: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 45, celsius(100)), gpuTemp(cardID, "edge", 94, celsius(100))},
		},
		{
			name: "a pinned limit", limits: map[string]float64{"k10temp/Tctl": 100}, headroom: 8.2, state: sensors.StatePinned,
			limit: sensors.StatePinned, temps: []sensors.Temperature{cpuTemp("k10temp", "Tctl", 2, 91.8, noLimit)},
		},
		{
			name: "a pinned limit makes a GPU sensor count", gpu: true, limits: map[string]float64{cardID + "/edge": 95}, headroom: 1,
			state: sensors.StatePinned, limit: sensors.StatePinned,
			temps: []sensors.Temperature{cpuTemp("coretemp", "Package id 0", 0, 45, celsius(100)), gpuTemp(cardID, "edge", 94, noLimit)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sensors.Sample{Temperatures: c.temps, Memory: ram(gibs(32), gibs(24))}
			if c.gpu {
				s.Cards, s.Adapters = cards, discrete
			}
			got := budget.From(s, budget.Settings{Limits: c.limits}).Thermal
			near(t, "headroom", got.HeadroomC, c.headroom, 1e-9)
			equal(t, "state", got.State, c.state)
			equal(t, "limit state", got.LimitState, c.limit)
			if !strings.Contains(got.Source, c.source) {
				t.Errorf("source is %q, without %q", got.Source, c.source)
			}
		})
	}
}

func TestAssumedLimitSaysWhatItStandsFor(t *testing.T) {
	for _, c := range []struct {
		crit sensors.Reading
		want string
	}{
		{missing("crit", sensors.StateNeedsPermission), "needs permission"},
		{missing("crit", sensors.StateImplausible), "implausible"},
		{celsius(20.8), "implausible"},
		{sensors.Reading{}, "not offered"},
	} {
		s := sensors.Sample{Temperatures: []sensors.Temperature{cpuTemp("k10temp", "Tctl", 2, 42.5, c.crit)}}
		if got := budget.From(s, budget.Settings{}).Thermal; !strings.Contains(got.Detail, c.want) {
			t.Errorf("a limit that is %v gives the detail %q, without %q", c.crit.State, got.Detail, c.want)
		}
	}
}

func TestPinnedHeadroomReplacesItsParts(t *testing.T) {
	s := sensors.Sample{Temperatures: []sensors.Temperature{cpuTemp("k10temp", "Tctl", 2, 91.8, noLimit)}}
	got := budget.From(s, budget.Settings{Pins: budget.Pins{ThermalC: sensors.Num(12)}}).Thermal
	near(t, "headroom", got.HeadroomC, 12, 0)
	equal(t, "state", got.State, sensors.StatePinned)
	near(t, "the temperature that is still shown", got.Temperature.Or(0), 91.8, 0)
	if !strings.Contains(got.Detail, "91.8 of 95 °C") {
		t.Errorf("the detail %q does not tell what was measured", got.Detail)
	}
}
