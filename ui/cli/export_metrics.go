package cli

import (
	"strings"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"headroom/policy"
	"headroom/sensors"
	"headroom/ui/frame"
)

// maxSeries bounds the values of each label, maxLabel their length: a machine gone mad must not fill a database.
const (
	maxSeries = 256
	maxLabel  = 128
)

// frameCollector turns the last Frame into metrics. A number that is not known has no metric.
type frameCollector struct{ now *atomic.Pointer[frame.Frame] }

// Describe tells nothing: what there is depends on the machine.
func (frameCollector) Describe(chan<- *prometheus.Desc) {}

// Collect sends the metrics of the last Frame.
func (c frameCollector) Collect(out chan<- prometheus.Metric) {
	f := c.now.Load()
	if f == nil {
		return
	}
	g := gauges{out: out, seen: map[string]int{}}
	s := f.Snapshot()
	g.put("info", "The machine and the program; always 1.", 1,
		label{"version", version}, label{"os", s.Host.OS}, label{"arch", s.Host.Arch}, label{"cpu", s.Host.CPU})
	g.put("workload_info", "The workload that is decided for; always 1.", 1, label{"workload", s.Workload.Name})
	g.put("sample_timestamp_seconds", "When the sensors were last read.", float64(s.Time.UnixMilli())/1000)

	g.put("thermal_headroom_celsius", "Limit minus temperature of the tightest device.", s.Thermal.HeadroomC)
	g.known("thermal_temperature_celsius", "Temperature of the tightest device.", s.Thermal.Temperature, 1)
	g.known("thermal_limit_celsius", "Limit of the tightest device.", s.Thermal.Limit, 1)
	g.put("power_budget_watts", "Power left under the limit.", s.Power.BudgetMW/1000)
	g.known("power_limit_watts", "Power limit of the device that would run the job.", s.Power.Limit, 1e-3)
	g.known("power_draw_watts", "Power drawn by it.", s.Power.Draw, 1e-3)
	if b := s.Budget.VRAMBudgetBytes; b != nil {
		g.put("memory_budget_bytes", "Memory left for weights.", float64(*b))
	}
	for _, in := range []struct {
		name  string
		state sensors.State
	}{{"thermal", s.Thermal.State}, {"power", s.Power.State}, {"memory", s.Budget.VRAMState}} {
		g.flag("input_assumed", "1 where an input of the decisions rests on an assumption.", in.state == sensors.StateAssumed, label{"input", in.name})
	}
	if s.Throttle.Now != nil {
		g.flag("throttling", "1 while the hardware says that it throttles.", *s.Throttle.Now)
	}
	g.flag("on_battery", "1 while running on battery.", s.Power.OnBattery)
	g.known("battery_ratio", "Charge of all packs together.", s.Battery.Percent, 0.01)
	g.known("battery_power_watts", "Power into or out of the packs.", s.Battery.Rate, 1e-3)
	g.known("memory_total_bytes", "RAM, as far as a container may use it.", s.Memory.RAMTotal, 1)
	g.known("memory_available_bytes", "RAM available.", s.Memory.RAMAvailable, 1)
	for _, d := range s.GPUs {
		g.known("gpu_memory_total_bytes", "Graphics memory.", d.VRAMTotal, 1, label{"gpu", d.ID})
		g.known("gpu_memory_available_bytes", "Graphics memory that a job may take.", d.VRAMAvailable, 1, label{"gpu", d.ID})
	}
	g.decisions(s)
	g.speed(f.Speed())
	g.sensors(f.Sample)
	for state, n := range countStates(s.Readings) {
		g.put("readings", "Readings by how far they can be trusted.", float64(n), label{"state", sensors.State(state).String()})
	}
}

// decisions are the plan: one metric a choice, 1 for the one that was made.
func (g gauges) decisions(s frame.Snapshot) {
	for p := policy.F32; p <= policy.Q4; p++ {
		g.flag("precision", "The precision of the weights: 1 for the one chosen.", s.Plan.Precision == p.String(), label{"precision", p.String()})
	}
	for _, b := range []policy.ComputeBackend{policy.GPU, policy.NPU, policy.CPU} {
		g.flag("backend", "The backend: 1 for the one chosen.", s.Plan.Backend == b.String(), label{"backend", b.String()})
	}
	for _, z := range []policy.ZeroCopyStrategy{policy.MmapDirect, policy.StagingUpload} {
		g.flag("zero_copy", "The way of the weights to the device: 1 for the one chosen.", s.Plan.ZeroCopy == z.String(), label{"strategy", z.String()})
	}
	g.flag("tight", "1 while the power and thermal envelope is tight.", s.Plan.Tight)
	if s.Plan.Fits != nil {
		g.flag("fits", "1 while the weights fit the memory budget.", *s.Plan.Fits)
	}
	g.put("tiles", "Pieces that the job is cut into.", float64(s.Plan.Tiles))
	g.count("binding_tiles", "Pieces that the largest tensor is cut into to be bound.", s.Plan.BindingTiles)
	g.count("fusion_ops", "Ops of one layer.", s.Plan.Fusion.Ops)
	g.count("fusion_passes", "Compute passes of one layer after fusion.", s.Plan.Fusion.Passes)
}

// speed is what the plan writes, as a range; what it rests on is one of a few words.
func (g gauges) speed(s frame.Speed) {
	basis, _, _ := strings.Cut(s.Basis, ", measured ")
	for bound, n := range map[string]sensors.Number{"low": s.Low, "high": s.High} {
		g.known("tokens_per_second", "Bounds of the speed at which one sequence is written, from measured bandwidth.", n, 1,
			label{"bound", bound}, label{"basis", basis})
	}
}

// sensors are the single sensors.
func (g gauges) sensors(s sensors.Sample) {
	for _, t := range s.Temperatures {
		g.read("temperature_celsius", "Temperature of one sensor.", t.Value, 1, label{"sensor", t.Value.ID})
		g.read("temperature_limit_celsius", "Critical temperature of one sensor.", t.Crit, 1, label{"sensor", t.Value.ID})
	}
	for _, d := range s.Power {
		g.read("domain_power_watts", "Power drawn by one domain; domains may contain one another.", d.Draw, 1e-3, label{"domain", d.ID})
		g.read("domain_power_limit_watts", "Power limit of one domain.", d.Limit, 1e-3, label{"domain", d.ID})
	}
	for _, c := range s.Clocks {
		g.read("clock_hertz", "Clock of one device.", c.Now, 1e6, label{"device", c.Device})
		g.read("clock_max_hertz", "Highest clock of one device.", c.Max, 1e6, label{"device", c.Device})
	}
}

func countStates(readings []frame.ReadingJSON) map[sensors.State]int {
	n := map[sensors.State]int{}
	for _, r := range readings {
		n[r.State]++
	}
	return n
}

type label struct{ name, value string }

// gauges sends metrics, each series once and of each name at most maxSeries.
type gauges struct {
	out  chan<- prometheus.Metric
	seen map[string]int
}

func (g gauges) put(name, help string, v float64, labels ...label) {
	names, values := make([]string, len(labels)), make([]string, len(labels))
	for i, l := range labels {
		names[i], values[i] = l.name, clipLabel(l.value)
	}
	series := name + "\x00" + strings.Join(values, "\x00")
	if g.seen[series]++; g.seen[series] > 1 || g.seen[name] >= maxSeries {
		return
	}
	g.seen[name]++
	desc := prometheus.NewDesc("headroom_"+name, help, names, nil)
	g.out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v, values...)
}

func (g gauges) flag(name, help string, on bool, labels ...label) {
	v := 0.0
	if on {
		v = 1
	}
	g.put(name, help, v, labels...)
}

func (g gauges) known(name, help string, n sensors.Number, scale float64, labels ...label) {
	if v, ok := n.Get(); ok {
		g.put(name, help, v*scale, labels...)
	}
}

func (g gauges) read(name, help string, r sensors.Reading, scale float64, labels ...label) {
	if r.Usable() {
		g.known(name, help, r.Value, scale, labels...)
	}
}

func (g gauges) count(name, help string, n *uint32) {
	if n != nil {
		g.put(name, help, float64(*n))
	}
}

// clipLabel keeps a label's value valid and short; a long one keeps its two ends, which tell it apart.
func clipLabel(s string) string {
	s = strings.ToValidUTF8(s, "�")
	if r := []rune(s); len(r) > maxLabel {
		s = string(r[:maxLabel/2-1]) + "…" + string(r[len(r)-maxLabel/2:])
	}
	return s
}
