package trace

import (
	"math"
	"strconv"
	"time"

	"headroom/sensors"
)

// machine is the part of a scenario file that describes the host. Every number is a curve, in the unit that its key names.
type machine struct {
	Host         sensors.Host  `json:"host"`
	Temperatures []temperature `json:"temperatures"`
	Power        []powerDomain `json:"power"`
	Mains        *curve        `json:"mains"`
	Batteries    []battery     `json:"batteries"`
	Memory       memory        `json:"memory"`
	Cards        []card        `json:"cards"`
	Adapters     []adapter     `json:"adapters"`
	NPUs         []npu         `json:"npus"`
	Throttle     []throttle    `json:"throttle"`
	Clocks       []clock       `json:"clocks"`
	Load         *curve        `json:"load"`
	Processes    []process     `json:"processes"`
}

// spell is when a device is there, in seconds since the start: the pairs [from, to] of a file. None is always.
type spell [][2]float64

func (s spell) at(d time.Duration) bool {
	for _, w := range s {
		if t := d.Seconds(); t >= w[0] && t < w[1] {
			return true
		}
	}
	return len(s) == 0
}

type temperature struct {
	ID      string       `json:"id"`
	Chip    string       `json:"chip"`
	Label   string       `json:"label"`
	Role    sensors.Role `json:"role"`
	Rank    int          `json:"rank"`
	Card    string       `json:"card"`
	Celsius *curve       `json:"celsius"`
	Crit    *curve       `json:"crit"`
	Present spell        `json:"present"`
}

type powerDomain struct {
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Kind    sensors.PowerKind `json:"kind"`
	Card    string            `json:"card"`
	LimitW  *curve            `json:"limit_w"`
	DrawW   *curve            `json:"draw_w"`
	Present spell             `json:"present"`
}

// battery has a status that changes at points of time, as pairs [seconds, status].
type battery struct {
	ID       string       `json:"id"`
	Status   []statusFrom `json:"status"`
	NowWh    *curve       `json:"now_wh"`
	FullWh   *curve       `json:"full_wh"`
	DesignWh *curve       `json:"design_wh"`
	RateW    *curve       `json:"rate_w"`
	Volts    *curve       `json:"volts"`
}

type statusFrom struct {
	From float64               `json:"from"`
	Is   sensors.BatteryStatus `json:"is"`
}

type memory struct {
	TotalGiB     *curve `json:"total_gib"`
	AvailableGiB *curve `json:"available_gib"`
	SwapTotalGiB *curve `json:"swap_total_gib"`
	SwapFreeGiB  *curve `json:"swap_free_gib"`
}

type card struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Driver       string `json:"driver"`
	PCI          string `json:"pci"`
	Vendor       uint32 `json:"vendor"`
	Device       uint32 `json:"device"`
	VRAMTotalGiB *curve `json:"vram_total_gib"`
	VRAMUsedGiB  *curve `json:"vram_used_gib"`
	GTTTotalGiB  *curve `json:"gtt_total_gib"`
	GTTUsedGiB   *curve `json:"gtt_used_gib"`
	BusyPercent  *curve `json:"busy_percent"`
	Present      spell  `json:"present"`
}

type adapter struct {
	Name              string   `json:"name"`
	Type              string   `json:"type"`
	Backend           string   `json:"backend"`
	VendorID          uint32   `json:"vendor_id"`
	DeviceID          uint32   `json:"device_id"`
	PCI               string   `json:"pci"`
	Driver            string   `json:"driver"`
	MaxBufferSize     uint64   `json:"max_buffer_size,string"`
	MaxStorageBinding uint64   `json:"max_storage_binding,string"`
	VRAMTotalGiB      *curve   `json:"vram_total_gib"`
	VRAMBudgetGiB     *curve   `json:"vram_budget_gib"`
	VRAMUsageGiB      *curve   `json:"vram_usage_gib"`
	WorkingSetGiB     *curve   `json:"working_set_gib"`
	Features          []string `json:"features"`
	Present           spell    `json:"present"`
}

type npu struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Driver string `json:"driver"`
}

type throttle struct {
	ID     string `json:"id"`
	Device string `json:"device"`
	Reason string `json:"reason"`
	Active *curve `json:"active"`
}

type clock struct {
	Device  string `json:"device"`
	NowMHz  *curve `json:"now_mhz"`
	MaxMHz  *curve `json:"max_mhz"`
	Present spell  `json:"present"`
}

type process struct {
	PID    int    `json:"pid"`
	Name   string `json:"name"`
	Model  string `json:"model"`
	RAMGiB *curve `json:"ram_gib"`
	GPUGiB *curve `json:"gpu_gib"`
	PowerW *curve `json:"power_w"`
}

// grains are the steps to which a quantity is rounded, as its sensor would.
const (
	grainC    = 0.1
	grainMW   = 10
	grainMWh  = 10
	grainMV   = 10
	grainLoad = 0.01
	grainMHz  = 1
	grainPct  = 1
	grainB    = 1 << 20
	gib       = 1 << 30
)

// moment makes the readings of one sample.
type moment struct {
	at   time.Time
	d    time.Duration
	name string
}

// number is the curve's value times scale, rounded to the grain; unknown for a curve without values.
func (m moment) number(c *curve, seed string, scale, grain float64) sensors.Number {
	if c == nil || len(c.points) == 0 {
		return sensors.Number{}
	}
	steps := math.Round(float64(c.value(m.d, seed)*scale) / grain)
	if inverse := math.Round(1 / grain); grain < 1 {
		// A tenth has no exact float: dividing by ten gives the nearest one, multiplying by 0.1 does not.
		return sensors.Num(steps / inverse)
	}
	return sensors.Num(steps * grain)
}

// reading is a reading of the curve. A number that a limit of the hardware keeps above 0 never goes below it.
func (m moment) reading(c *curve, id, kind string, unit sensors.Unit, scale, grain float64) sensors.Reading {
	source := "scenario " + m.name
	if c == nil {
		return sensors.Missing(id, kind, unit, sensors.StateNotOffered, source, "this machine does not offer it")
	}
	n := m.number(c, id, scale, grain)
	v, known := n.Get()
	if !known {
		return sensors.Missing(id, kind, unit, c.missing, source, "")
	}
	if unit != sensors.Celsius {
		n = sensors.Num(max(v, 0))
	}
	return sensors.Reading{ID: id, Kind: kind, Value: n, Unit: unit, State: sensors.StateOK, Source: source, At: m.at}
}

func (m moment) celsius(c *curve, id, kind string) sensors.Reading {
	return m.reading(c, id, kind, sensors.Celsius, 1, grainC)
}

func (m moment) watts(c *curve, id, kind string) sensors.Reading {
	return m.reading(c, id, kind, sensors.Milliwatt, 1000, grainMW)
}

func (m moment) wattHours(c *curve, id string) sensors.Reading {
	return m.reading(c, id, "battery", sensors.MilliWh, 1000, grainMWh)
}

func (m moment) bytes(c *curve, id, kind string) sensors.Reading {
	return m.reading(c, id, kind, sensors.Bytes, gib, grainB)
}

func (m moment) percent(c *curve, id, kind string) sensors.Reading {
	return m.reading(c, id, kind, sensors.Percent, 1, grainPct)
}

func (m moment) megahertz(c *curve, id string) sensors.Reading {
	return m.reading(c, id, "clock", sensors.Megahertz, 1, grainMHz)
}

// flag is a reading of 0 or 1.
func (m moment) flag(c *curve, id, kind string) sensors.Reading {
	return m.reading(c, id, kind, sensors.Count, 1, 1)
}

// SampleAt is the sample at d since the start. The curves start over after Length; time goes on.
func (s *Script) SampleAt(d time.Duration) sensors.Sample {
	m := moment{at: s.Start.Add(d), d: d % s.Length, name: s.Name}
	if m.d < 0 {
		m.d += s.Length
	}
	h := &s.machine
	out := sensors.Sample{
		Time:   m.at,
		Host:   h.Host,
		Mains:  m.flag(h.Mains, "mains", "battery"),
		Memory: h.Memory.reading(m),
		Load:   m.reading(h.Load, "cpu/load", "load", sensors.Count, 1, grainLoad),
		OwnCPU: sensors.Missing("own/cpu", "own", sensors.Percent, sensors.StateNotOffered, "scenario "+s.Name,
			"a scenario costs its machine nothing"),
		OwnMemory: sensors.Missing("own/memory", "own", sensors.Bytes, sensors.StateNotOffered, "scenario "+s.Name,
			"a scenario costs its machine nothing"),
	}
	for _, t := range h.Temperatures {
		if t.Present.at(m.d) {
			out.Temperatures = append(out.Temperatures, t.reading(m))
		}
	}
	for _, p := range h.Power {
		if p.Present.at(m.d) {
			out.Power = append(out.Power, p.reading(m))
		}
	}
	for _, b := range h.Batteries {
		out.Batteries = append(out.Batteries, b.reading(m))
	}
	for _, c := range h.Cards {
		if c.Present.at(m.d) {
			out.Cards = append(out.Cards, c.reading(m))
		}
	}
	for _, a := range h.Adapters {
		if a.Present.at(m.d) {
			out.Adapters = append(out.Adapters, a.reading(m))
		}
	}
	out.AdaptersState = m.adaptersState(len(out.Adapters))
	for _, n := range h.NPUs {
		out.NPUs = append(out.NPUs, sensors.NPU{ID: n.ID, Name: n.Name, Driver: n.Driver, State: sensors.StateOK, Source: "scenario " + s.Name})
	}
	for _, t := range h.Throttle {
		out.Throttle = append(out.Throttle, sensors.ThrottleFlag{
			ID: t.ID, Device: t.Device, Reason: t.Reason, Active: m.flag(t.Active, t.ID, "throttle"),
		})
	}
	for _, c := range h.Clocks {
		if c.Present.at(m.d) {
			out.Clocks = append(out.Clocks, sensors.Clock{
				Device: c.Device, Now: m.megahertz(c.NowMHz, c.Device+"/clock"), Max: m.megahertz(c.MaxMHz, c.Device+"/clock_max"),
			})
		}
	}
	for _, p := range h.Processes {
		out.Workloads = append(out.Workloads, p.reading(m))
	}
	return out
}

func (t temperature) reading(m moment) sensors.Temperature {
	return sensors.Temperature{
		Value: m.celsius(t.Celsius, t.ID, "temperature"), Crit: m.celsius(t.Crit, t.ID+"/crit", "limit"),
		Chip: t.Chip, Label: t.Label, Role: t.Role, Rank: t.Rank, Card: t.Card,
	}
}

func (p powerDomain) reading(m moment) sensors.PowerDomain {
	return sensors.PowerDomain{
		ID: p.ID, Name: p.Name, Kind: p.Kind, Card: p.Card,
		Limit: m.watts(p.LimitW, p.ID+"/limit", "limit"), Draw: m.watts(p.DrawW, p.ID+"/draw", "power"),
	}
}

func (b battery) reading(m moment) sensors.Battery {
	out := sensors.Battery{
		ID: b.ID, Present: true, Status: sensors.StatusUnknown,
		Now: m.wattHours(b.NowWh, b.ID+"/now"), Full: m.wattHours(b.FullWh, b.ID+"/full"), Design: m.wattHours(b.DesignWh, b.ID+"/design"),
		Rate:    m.watts(b.RateW, b.ID+"/rate", "battery"),
		Voltage: m.reading(b.Volts, b.ID+"/voltage", "battery", sensors.Millivolt, 1000, grainMV),
	}
	for _, s := range b.Status {
		if m.d.Seconds() >= s.From {
			out.Status = s.Is
		}
	}
	now, ok := out.Now.Value.Get()
	full, known := out.Full.Value.Get()
	out.Capacity = sensors.Missing(b.ID+"/capacity", "battery", sensors.Percent, sensors.StateNotOffered, out.Now.Source, "")
	if ok && known && full > 0 {
		out.Capacity.State, out.Capacity.At = sensors.StateOK, m.at
		out.Capacity.Value = sensors.Num(math.Round(now / full * 100))
	}
	return out
}

func (r memory) reading(m moment) sensors.Memory {
	return sensors.Memory{
		Total: m.bytes(r.TotalGiB, "memory/total", "memory"), Available: m.bytes(r.AvailableGiB, "memory/available", "memory"),
		SwapTotal: m.bytes(r.SwapTotalGiB, "memory/swap_total", "memory"), SwapFree: m.bytes(r.SwapFreeGiB, "memory/swap_free", "memory"),
		ContainerLimit: m.bytes(nil, "memory/container_limit", "memory"),
	}
}

func (c card) reading(m moment) sensors.Card {
	return sensors.Card{
		ID: c.ID, Name: c.Name, Driver: c.Driver, PCI: c.PCI, Vendor: c.Vendor, Device: c.Device,
		VRAMTotal: m.bytes(c.VRAMTotalGiB, c.ID+"/vram_total", "gpu"), VRAMUsed: m.bytes(c.VRAMUsedGiB, c.ID+"/vram_used", "gpu"),
		GTTTotal: m.bytes(c.GTTTotalGiB, c.ID+"/gtt_total", "gpu"), GTTUsed: m.bytes(c.GTTUsedGiB, c.ID+"/gtt_used", "gpu"),
		Busy: m.percent(c.BusyPercent, c.ID+"/busy", "gpu"),
	}
}

func (a adapter) reading(m moment) sensors.Adapter {
	return sensors.Adapter{
		Name: a.Name, Type: a.Type, Backend: a.Backend, VendorID: a.VendorID, DeviceID: a.DeviceID, PCI: a.PCI, Driver: a.Driver,
		MaxBufferSize: a.MaxBufferSize, MaxStorageBinding: a.MaxStorageBinding,
		VRAMTotal:  m.number(a.VRAMTotalGiB, a.Name+"/vram_total", gib, grainB),
		VRAMBudget: m.number(a.VRAMBudgetGiB, a.Name+"/vram_budget", gib, grainB),
		VRAMUsage:  m.number(a.VRAMUsageGiB, a.Name+"/vram_usage", gib, grainB),
		WorkingSet: m.number(a.WorkingSetGiB, a.Name+"/working_set", gib, grainB),
		Features:   a.Features,
	}
}

// adaptersState says how many adapters there are, as the probe does.
func (m moment) adaptersState(n int) sensors.Reading {
	r := sensors.Reading{
		ID: "gpu/adapters", Kind: "gpu", Value: sensors.Num(float64(n)), Unit: sensors.Count, State: sensors.StateOK,
		Source: "scenario " + m.name, At: m.at,
	}
	if n == 0 {
		r.Detail = "WebGPU lists no adapter"
	}
	return r
}

func (p process) reading(m moment) sensors.Process {
	id := "process/" + strconv.Itoa(p.PID)
	return sensors.Process{
		PID: p.PID, Name: p.Name, Model: p.Model,
		RAM: m.bytes(p.RAMGiB, id+"/ram", "memory"), GPU: m.bytes(p.GPUGiB, id+"/gpu", "gpu"), Power: m.watts(p.PowerW, id+"/power", "power"),
	}
}
