package heat

import (
	"strings"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
)

const (
	packageID = "hwmon/coretemp/Package id 0"
	cardID    = "pci/0000:03:00.0"
	edgeID    = "hwmon/amdgpu/edge"
)

func celsius(id string, v float64) sensors.Reading {
	return sensors.Reading{ID: id, Kind: "temperature", Value: sensors.Num(v), Unit: sensors.Celsius, State: sensors.StateOK, At: noon}
}

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// laptop is a machine with a CPU at that temperature, of 100 °C, on mains.
func laptop(temperature float64) sensors.Sample {
	return sensors.Sample{
		Time: noon, Host: sensors.Host{CPU: "a CPU", Threads: 8},
		Temperatures: []sensors.Temperature{{
			Value: celsius(packageID, temperature), Chip: "coretemp", Label: "Package id 0", Role: sensors.RoleCPU,
			Crit: celsius(packageID+"/crit", 100),
		}},
		Mains: sensors.Reading{ID: "mains", Value: sensors.Num(1), State: sensors.StateOK},
	}
}

// withCard adds a graphics card of a type at that temperature with that limit. A limit of 0 is not told; a temperature of 0 is a
// card without a sensor.
func withCard(s sensors.Sample, kind string, temperature, limit float64) sensors.Sample {
	s.Cards = []sensors.Card{{ID: cardID, PCI: "0000:03:00.0", VRAMTotal: bytes(8 << 30), VRAMUsed: bytes(1 << 30), GTTTotal: bytes(8 << 30), GTTUsed: bytes(0)}}
	s.Memory = sensors.Memory{Total: bytes(32 << 30), Available: bytes(24 << 30)}
	s.Adapters = []sensors.Adapter{{Name: "a card", Type: kind, Backend: "vulkan", PCI: "0000:03:00.0"}}
	if temperature == 0 {
		return s
	}
	t := sensors.Temperature{Value: celsius(edgeID, temperature), Chip: "amdgpu", Label: "edge", Role: sensors.RoleGPU, Card: cardID}
	if limit > 0 {
		t.Crit = celsius(edgeID+"/crit", limit)
	}
	s.Temperatures = append(s.Temperatures, t)
	return s
}

func bytes(n float64) sensors.Reading {
	return sensors.Reading{Kind: "memory", Value: sensors.Num(n), Unit: sensors.Bytes, State: sensors.StateOK}
}

// onBattery takes the mains away; a charge below 0 is not told.
func onBattery(s sensors.Sample, percent float64) sensors.Sample {
	s.Mains.Value = sensors.Num(0)
	b := sensors.Battery{ID: "BAT0", Present: true, Status: sensors.Discharging}
	if percent >= 0 {
		b.Capacity = sensors.Reading{ID: "BAT0/capacity", Value: sensors.Num(percent), Unit: sensors.Percent, State: sensors.StateOK}
	}
	s.Batteries = []sensors.Battery{b}
	return s
}

// aged makes the CPU's temperature a value that was read earlier.
func aged(s sensors.Sample, by time.Duration, state sensors.State) sensors.Sample {
	v := &s.Temperatures[0].Value
	v.At, v.State, v.Detail = s.Time.Add(-by), state, "no answer"
	return s
}

func lost(s sensors.Sample) sensors.Sample {
	s.Temperatures[0].Value = sensors.Missing(packageID, "temperature", sensors.Celsius, sensors.StateError, "", "gone")
	return s
}

func unlimited(s sensors.Sample) sensors.Sample {
	s.Temperatures[0].Crit = sensors.Reading{}
	return s
}

func TestWhenALoadMustNotGoOn(t *testing.T) {
	cpu := Options{CPU: 8, For: time.Minute}
	insist := Options{CPU: 8, For: time.Minute, Insist: true}
	both := Options{CPU: 8, GPU: true, For: time.Minute}
	gpu := Options{GPU: true, For: time.Minute}
	limited := func(id string, v float64) Options {
		o := cpu
		o.Limits = map[string]float64{id: v}
		return o
	}
	for _, c := range []struct {
		name    string
		o       Options
		s       sensors.Sample
		elapsed time.Duration
		want    Reason
		// words are part of the sentence that says it.
		words string
	}{
		{"cool", cpu, laptop(60), 0, "", ""},
		{"a hair above the margin", cpu, laptop(96.9), 0, "", ""},
		{"at the margin", cpu, laptop(97), 0, ReasonTemperature, "the CPU is at 97.0 °C, 3.0 °C under its limit of 100 °C"},
		{"over the limit", cpu, laptop(103), 0, ReasonTemperature, "3.0 °C over its limit"},
		{"insisting changes no limit", insist, laptop(97), 0, ReasonTemperature, "97.0 °C"},
		{"an assumed limit holds too", cpu, unlimited(laptop(92)), 0, ReasonTemperature, "limit of 95 °C"},
		{"the user states the limit that the machine does not", limited(packageID, 105), unlimited(laptop(98)), 0, "", ""},
		{"but none that no chip has", limited(packageID, 180), unlimited(laptop(107.5)), 0, ReasonTemperature, "limit of 110 °C"},
		{"the user lowers a limit", limited(packageID, 80), laptop(78), 0, ReasonTemperature, "limit of 80 °C"},
		{"the user cannot raise one", limited(packageID, 120), laptop(98), 0, ReasonTemperature, "limit of 100 °C"},

		{"before its time", cpu, laptop(60), 59 * time.Second, "", ""},
		{"its time", cpu, laptop(60), time.Minute, ReasonTime, "its time of 1 min is over"},
		{"its time in minutes and seconds", Options{CPU: 8, For: 90 * time.Second}, laptop(60), 90 * time.Second, ReasonTime, "its time of 1 min 30 s is over"},

		{"on battery", cpu, onBattery(laptop(60), 21), 0, "", ""},
		{"on a low battery", cpu, onBattery(laptop(60), 19.5), 0, ReasonBattery, "on battery at 19.5 %, under 20 %"},
		{"insisting fills no battery", insist, onBattery(laptop(60), 19), 0, ReasonBattery, ""},
		{"on a battery of unknown charge", cpu, onBattery(laptop(60), -1), 0, ReasonChargeUnknown, "its charge is unknown"},
		{"insisting on a battery of unknown charge", insist, onBattery(laptop(60), -1), 0, "", ""},

		{"no temperature", cpu, sensors.Sample{Time: noon}, 0, ReasonTemperatureUnknown, "the temperature of the CPU is unknown: no sensor tells it"},
		{"a temperature that failed", cpu, lost(laptop(60)), 0, ReasonTemperatureUnknown, packageID + " is error"},
		{"insisting without one", insist, sensors.Sample{Time: noon}, 0, "", ""},
		{"a temperature of before", cpu, aged(laptop(60), time.Second, sensors.StateStale), 0, "", ""},
		{"a temperature of long before", cpu, aged(laptop(60), 3*time.Second, sensors.StateStale), 0, ReasonStale, "is 3 s old: no answer"},
		{"an old one that a slow tool gave", cpu, aged(laptop(60), 10*time.Second, sensors.StateOK), 0, "", ""},
		{"one too old even so", cpu, aged(laptop(60), time.Minute, sensors.StateOK), 0, ReasonStale, "is 1 min old"},
		{"insisting on an old one", insist, aged(laptop(60), time.Minute, sensors.StateStale), 0, "", ""},

		{"no GPU", both, laptop(60), 0, ReasonNoGPU, "there is no GPU to load"},
		{"insisting makes no GPU", Options{CPU: 1, GPU: true, For: time.Minute, Insist: true}, laptop(60), 0, ReasonNoGPU, ""},
		{"a cool GPU", both, withCard(laptop(60), "discrete", 70, 110), 0, "", ""},
		{"a hot GPU", both, withCard(laptop(60), "discrete", 107, 110), 0, ReasonTemperature, "the GPU is at 107.0 °C, 3.0 °C under its limit of 110 °C"},
		{"a hot GPU that is not loaded", cpu, withCard(laptop(60), "discrete", 108, 110), 0, ReasonTemperature, "the GPU"},
		{"a hot CPU beside the loaded GPU", gpu, withCard(laptop(98), "discrete", 70, 110), 0, ReasonTemperature, "the CPU"},
		{"a GPU whose limit nothing tells", gpu, withCard(laptop(60), "discrete", 70, 0), 0, ReasonLimitUnknown, "--limit '" + edgeID + "=90'"},
		{"the same, not loaded", cpu, withCard(laptop(60), "discrete", 70, 0), 0, "", ""},
		{"the same, its limit given", Options{GPU: true, For: time.Minute, Limits: map[string]float64{edgeID: 90}}, withCard(laptop(60), "discrete", 88, 0), 0, ReasonTemperature, "limit of 90 °C"},
		{"a discrete GPU without a sensor does not go by the CPU's", gpu, withCard(laptop(60), "discrete", 0, 0), 0, ReasonTemperatureUnknown, "the GPU"},
		{"an integrated GPU goes by the CPU's package", gpu, withCard(laptop(60), "integrated", 0, 0), 0, "", ""},
		{"and with it", gpu, aged(withCard(laptop(60), "integrated", 0, 0), 3*time.Second, sensors.StateStale), 0, ReasonStale, "the CPU"},
		{"only the GPU is loaded: the CPU's sensor may fail", gpu, lost(withCard(laptop(60), "discrete", 70, 110)), 0, "", ""},
		{"the GPU is cool and the CPU's sensor fails", both, lost(withCard(laptop(60), "discrete", 70, 110)), 0, ReasonTemperatureUnknown, "the CPU"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.o.at(c.s, c.elapsed)
			got := c.o.judge(&s)
			if got != c.want {
				t.Fatalf("got %q, want %q for %+v", got, c.want, s)
			}
			if words := c.o.explain(got, &s); c.want != "" && !strings.Contains(words, c.words) {
				t.Errorf("it is said as %q, without %q", words, c.words)
			}
			if c.o.Insist && got == "" && s.Warning == "" {
				t.Error("insisting is not warned of")
			}
		})
	}
}

func TestAStatusHoldsWhatTheSensorsSay(t *testing.T) {
	s := withCard(laptop(91.5), "discrete", 70, 110)
	s.Clocks = []sensors.Clock{{Device: "cpu", Now: mhz(2100), Max: mhz(4600)}, {Device: cardID, Now: mhz(2400), Max: mhz(2500)}}
	s.Power = []sensors.PowerDomain{
		{ID: "rapl", Name: "package-0", Kind: sensors.PowerPackage, Draw: mw(27_000), Limit: mw(28_000)},
		{ID: "cap", Name: "amdgpu", Kind: sensors.PowerGPU, Card: cardID, Draw: mw(90_000), Limit: mw(120_000)},
	}
	s.Throttle = []sensors.ThrottleFlag{{ID: "t", Device: "cpu", Reason: "thermal", Active: sensors.Reading{Value: sensors.Num(1), State: sensors.StateOK}}}
	o := Options{CPU: 4, GPU: true, For: time.Minute}
	st := o.at(s, 10*time.Second)
	if st.Elapsed != 10 || st.Left != 50 || st.Threads != 4 || st.Phase != Heating {
		t.Errorf("time and threads are %+v", st)
	}
	want := func(what string, got sensors.Number, v float64) {
		t.Helper()
		if f, ok := got.Get(); !ok || f != v {
			t.Errorf("%s is %v, want %v", what, got, v)
		}
	}
	want("the CPU's temperature", st.CPU.Temperature, 91.5)
	want("the CPU's limit", st.CPU.Limit, 100)
	want("the CPU's headroom", st.CPU.Headroom, 8.5)
	want("where the CPU stops", st.CPU.StopAt, 97)
	want("the CPU's clock", st.CPU.Clock, 2100)
	want("the CPU's draw", st.CPU.Draw, 27_000)
	want("the GPU's temperature", st.GPU.Temperature, 70)
	want("where the GPU stops", st.GPU.StopAt, 107)
	want("the GPU's clock", st.GPU.Clock, 2400)
	want("the GPU's draw", st.GPU.Draw, 90_000)
	want("throttling", st.Throttling, 1)
	if !st.CPU.Loaded || !st.GPU.Loaded || st.GPU.Name != "a card" {
		t.Errorf("loaded are %+v", st)
	}
	if r := budget.From(s, o.settings()); r.Thermal.HeadroomC != 8.5 {
		t.Errorf("the budget's headroom is %v, not the one that is shown", r.Thermal.HeadroomC)
	}
}

func mhz(v float64) sensors.Reading {
	return sensors.Reading{Value: sensors.Num(v), Unit: sensors.Megahertz, State: sensors.StateOK}
}

func mw(v float64) sensors.Reading {
	return sensors.Reading{Value: sensors.Num(v), Unit: sensors.Milliwatt, State: sensors.StateOK}
}
