package draw

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

const gib = 1 << 30

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// host is a machine of the tests: unset numbers are not offered.
type host struct {
	temp, crit            float64
	limitW, drawW         float64
	ram, vram, vramUsed   float64
	gpu                   string // integrated, discrete, or none
	percent               float64
	clock                 float64
	name                  string
	throttling, noSensors bool
}

func reading(kind string, v float64, u sensors.Unit) sensors.Reading {
	if v == 0 {
		return sensors.Missing(kind, kind, u, sensors.StateNotOffered, "test", "")
	}
	return sensors.Reading{ID: kind, Kind: kind, Value: sensors.Num(v), Unit: u, State: sensors.StateOK, Source: "test"}
}

func (k host) sample(at time.Time) sensors.Sample {
	s := sensors.Sample{
		Time: at, Host: sensors.Host{OS: "linux", Arch: "amd64", CPU: k.name, Threads: 16},
		AdaptersState: reading("adapters", 1, ""), Mains: reading("mains", 1, ""),
		Memory: sensors.Memory{Total: reading("total", k.ram*1.3, sensors.Bytes), Available: reading("available", k.ram, sensors.Bytes)},
	}
	if k.noSensors {
		return s
	}
	if k.temp != 0 {
		s.Temperatures = []sensors.Temperature{{
			Value: reading("hwmon/coretemp/"+k.name, k.temp, sensors.Celsius), Chip: "coretemp", Label: "Package id 0" + k.name,
			Role: sensors.RoleCPU, Crit: reading("crit", k.crit, sensors.Celsius),
		}}
	}
	if k.limitW != 0 {
		s.Power = []sensors.PowerDomain{{
			ID: "rapl/0", Name: "package-0" + k.name, Kind: sensors.PowerPackage,
			Limit: reading("limit", k.limitW*1000, sensors.Milliwatt), Draw: reading("draw", k.drawW*1000, sensors.Milliwatt),
		}}
	}
	if k.gpu != "" {
		s.Adapters = []sensors.Adapter{{
			Name: "Radeon 890M" + k.name, Type: k.gpu, Backend: "vulkan", PCI: "0000:c5:00.0", MaxBufferSize: 2 * gib, MaxStorageBinding: 2 * gib,
		}}
		s.Cards = []sensors.Card{{
			ID: "pci/0000:c5:00.0", PCI: "0000:c5:00.0", Name: "Radeon 890M" + k.name, Driver: "amdgpu", Vendor: 0x1002,
			VRAMTotal: reading("vt", k.vram, sensors.Bytes), VRAMUsed: reading("vu", k.vramUsed, sensors.Bytes),
			GTTTotal: reading("gt", k.ram*0.9, sensors.Bytes), GTTUsed: reading("gu", k.ram*0.1, sensors.Bytes),
		}}
		if k.gpu == "discrete" {
			s.Power = append(s.Power, sensors.PowerDomain{
				ID: "gpu", Name: "PPT", Kind: sensors.PowerGPU, Card: "pci/0000:c5:00.0",
				Limit: reading("limit", k.limitW*1000, sensors.Milliwatt), Draw: reading("draw", k.drawW*1000, sensors.Milliwatt),
			})
		}
		s.Clocks = append(s.Clocks, sensors.Clock{Device: "pci/0000:c5:00.0", Now: reading("now", k.clock*600, sensors.Megahertz), Max: reading("max", 2900, sensors.Megahertz)})
	}
	if k.clock != 0 {
		s.Clocks = append(s.Clocks, sensors.Clock{Device: "cpu", Now: reading("now", k.clock*1000, sensors.Megahertz), Max: reading("max", 5100, sensors.Megahertz)})
	}
	if k.percent != 0 {
		s.Batteries = []sensors.Battery{{
			ID: "BAT0", Present: true, Status: sensors.Charging, Now: reading("now", k.percent*600, sensors.MilliWh),
			Full: reading("full", 60000, sensors.MilliWh), Rate: reading("rate", 12000, sensors.Milliwatt), Capacity: reading("capacity", k.percent, sensors.Percent),
		}}
	}
	active := 0.0
	if k.throttling {
		active = 1
	}
	s.Throttle = []sensors.ThrottleFlag{{ID: "cpu/thermal", Device: "cpu", Reason: "thermal", Active: sensors.Reading{Value: sensors.Num(active), State: sensors.StateOK, Source: "test"}}}
	return s
}

// moving is a context after some minutes in which the host changed from one state to another and back.
func moving(set budget.Settings, states ...host) Context {
	h := frame.NewHistory()
	var f frame.Frame
	const steps = 260
	for i := range steps {
		k := states[i*len(states)/steps]
		// A little life, the same on every run.
		wave := math.Sin(float64(i) / 7)
		if k.temp != 0 {
			k.temp += wave
		}
		if k.drawW != 0 {
			k.drawW += wave / 2
		}
		f = frame.New(k.sample(noon.Add(time.Duration(i-steps)*2*time.Second)), set)
		h.Add(f)
	}
	return Context{Frame: f, History: h}
}

func still(set budget.Settings, k host) Context {
	return Context{Frame: frame.New(k.sample(noon), set)}
}

func bare(params uint64) budget.Settings { return budget.Settings{Workload: workload.Bare(params)} }

func at8k() budget.Settings { return budget.Settings{Workload: workload.Default()} }

var (
	laptop  = host{temp: 60, crit: 100, limitW: 45, drawW: 14, ram: 24 * gib, vram: 3 * gib, vramUsed: gib / 5, gpu: "integrated", percent: 63, clock: 4.1}
	hot     = host{temp: 96.4, crit: 100, limitW: 45, drawW: 14, ram: 24 * gib, vram: 3 * gib, vramUsed: gib / 5, gpu: "integrated", percent: 63, clock: 3.1, throttling: true}
	desktop = host{temp: 52, crit: 105, limitW: 300, drawW: 40, ram: 48 * gib, vram: 24 * gib, vramUsed: 1.5 * gib, gpu: "discrete", clock: 4.6}
)

// nice are the states that people meet, for the pictures that are kept.
var nice = sync.OnceValue(func() map[string]Context {
	assumed := hot
	assumed.crit = 0
	assumed.temp = 92
	none := host{noSensors: true, ram: 3 * gib}
	blind := host{temp: 60, crit: 100, limitW: 45, drawW: 14}
	pinned := at8k()
	pinned.Pins = budget.Pins{ThermalC: sensors.Num(20), PowerMW: sensors.Num(40_000)}
	return map[string]Context{
		"roomy":   moving(at8k(), laptop, hot, laptop),
		"tight":   moving(at8k(), laptop, hot),
		"nofit":   moving(bare(366_000_000_000), desktop),
		"assumed": moving(at8k(), laptop, assumed),
		"none":    still(bare(1_240_000_000), none),
		"unknown": still(at8k(), blind),
		"pinned":  moving(pinned, laptop),
		"waiting": {},
	}
})

// hostile are states that nobody designs for, and the nice ones and the scenarios too.
var hostile = sync.OnceValue(func() map[string]Context {
	long := strings.Repeat("A very long name · ", 20)
	named := laptop
	named.name = long + "漢字 \x00\n\x1b[31m\xff ≥"
	big := workload.Default()
	big.Name = long
	many := desktop
	many.vram, many.vramUsed = 1.1*gib, 0.1*gib
	below := hot
	below.temp, below.crit = 126, 60
	huge := desktop
	huge.vram, huge.ram, huge.limitW, huge.drawW = 4e15, 4e15, 990, 1
	dead := host{temp: 50, crit: 90, limitW: 10, drawW: 9, ram: 1, gpu: "integrated", vram: 1, vramUsed: 1}
	all := map[string]Context{
		"long names":   moving(budget.Settings{Workload: big}, named, hot, named),
		"9999 tiles":   still(bare(21_470_000_000_000), many),
		"most tiles":   still(bare(math.MaxUint64), many),
		"1e15 params":  moving(bare(1e15), laptop),
		"one weight":   moving(bare(1), huge),
		"no weight":    still(bare(0), laptop),
		"below limit":  moving(at8k(), below),
		"huge machine": moving(at8k(), huge),
		"no memory":    moving(at8k(), dead),
		"many changes": moving(at8k(), slices.Repeat([]host{laptop, hot}, 60)...),
		"no sample":    {Frame: frame.New(sensors.Sample{Time: noon}, budget.Settings{})},
	}
	for name, c := range nice() {
		all[name] = c
	}
	for _, s := range trace.Scenarios() {
		h := frame.NewHistory()
		var f frame.Frame
		for d := time.Duration(0); d < 200*time.Second; d += time.Second {
			f = frame.New(s.SampleAt(d), at8k())
			h.Add(f)
		}
		all["scenario "+s.Name] = Context{Frame: f, History: h, Origin: "scenario " + s.Name}
	}
	return all
})

// sizes are a figure's places on pages, and odd ones.
func sizes(figure string) [][2]float64 {
	out := [][2]float64{{640, 400}, {420, 300}, {303, 134}, {200, 110}, {1600, 90}, {60, 30}, {1, 1}, {3840, 2160}}
	for _, page := range [][2]float64{{900, 556}, {1280, 756}, {1920, 1036}, {2560, 1396}} {
		for _, s := range LiveLayout(page[0], page[1]) {
			if s.Figure == figure {
				out = append(out, [2]float64{s.W, s.H})
			}
		}
	}
	return out
}

// box is where a label's ink may be.
type box struct {
	x0, y0, x1, y1 float64
	text           string
}

func labels(s Scene) []box {
	var out []box
	for _, it := range s.Items {
		if it.Kind != Label {
			continue
		}
		w := TextWidth(it.Text, it.Size, it.Weight)
		x := it.X
		switch it.Anchor {
		case Middle:
			x -= w / 2
		case End:
			x -= w
		}
		out = append(out, box{x, it.Y - 0.76*it.Size, x + w, it.Y + 0.2*it.Size, it.Text})
	}
	return out
}

func TestTextStaysInsideAndApart(t *testing.T) {
	for state, c := range hostile() {
		for _, whole := range []bool{false, true} {
			c.Whole = whole
			for name, figure := range Figures {
				if whole && name != "fusion" {
					continue
				}
				for _, size := range sizes(name) {
					s := figure(c, size[0], size[1])
					checkScene(t, s, state+", "+name)
				}
			}
		}
		for _, size := range [][2]float64{{900, 600}, {1024, 768}, {1280, 800}, {1920, 1080}, {3840, 2160}} {
			checkScene(t, Live(c, size[0], size[1]), state+", live")
		}
	}
}

func checkScene(t *testing.T, s Scene, what string) {
	t.Helper()
	ls := labels(s)
	for i, a := range ls {
		if a.x0 < -0.5 || a.y0 < -0.5 || a.x1 > s.W+0.5 || a.y1 > s.H+0.5 {
			t.Errorf("%s at %v×%v: %q lies outside (%.1f to %.1f, %.1f to %.1f)", what, s.W, s.H, a.text, a.x0, a.x1, a.y0, a.y1)
		}
		for _, b := range ls[i+1:] {
			if min(a.x1, b.x1)-max(a.x0, b.x0) > 1 && min(a.y1, b.y1)-max(a.y0, b.y0) > 1.5 {
				t.Errorf("%s at %v×%v: %q and %q overlap", what, s.W, s.H, a.text, b.text)
			}
		}
	}
	for _, it := range s.Items {
		for _, v := range append([]float64{it.X, it.Y, it.W, it.H, it.R, it.Width}, flat(it.Points)...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s at %v×%v: %+v has no place", what, s.W, s.H, it)
			}
		}
		if it.Kind == Rect && (it.X < -0.5 || it.Y < -0.5 || it.X+it.W > s.W+0.5 || it.Y+it.H > s.H+0.5) {
			t.Errorf("%s at %v×%v: a rectangle lies outside: %+v", what, s.W, s.H, it)
		}
	}
}

func flat(points []Point) []float64 {
	out := make([]float64, 0, 2*len(points))
	for _, p := range points {
		out = append(out, p.X, p.Y)
	}
	return out
}
