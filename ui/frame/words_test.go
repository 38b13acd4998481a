package frame_test

import (
	"strings"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

const gib = 1 << 30

func read(id string, v float64) sensors.Reading {
	return sensors.Reading{ID: id, Kind: "test", Value: sensors.Num(v), State: sensors.StateOK, Source: id}
}

func missing(id string) sensors.Reading {
	return sensors.Missing(id, "test", "", sensors.StateNotOffered, id, "")
}

// host is a machine in a few numbers; 0 is unknown.
type host struct {
	now, limit     float64
	limitW, drawW  float64
	vram, vramUsed float64
	gtt, gttUsed   float64
	ram            float64
	kind           string
	onBattery      bool
}

func (h host) sample() sensors.Sample {
	s := sensors.Sample{Host: sensors.Host{OS: "linux", Arch: "amd64", Threads: 8}, AdaptersState: missing("adapters")}
	if h.now > 0 {
		t := sensors.Temperature{Value: read("hwmon/k10temp/Tctl", h.now), Chip: "k10temp", Label: "Tctl", Role: sensors.RoleCPU, Crit: missing("crit")}
		if h.limit > 0 {
			t.Crit = read("crit", h.limit)
		}
		s.Temperatures = []sensors.Temperature{t}
	}
	const card = "pci/0000:03:00.0"
	if h.limitW > 0 {
		d := sensors.PowerDomain{ID: "ppt", Name: "PPT", Kind: sensors.PowerPackage, Limit: read("cap", h.limitW*1000), Draw: missing("draw")}
		if h.drawW > 0 {
			d.Draw = read("draw", h.drawW*1000)
		}
		if h.kind == "discrete" {
			d.Kind, d.Card = sensors.PowerGPU, card
		}
		s.Power = []sensors.PowerDomain{d}
	}
	if h.kind != "" {
		s.Cards = []sensors.Card{{
			ID: card, PCI: "0000:03:00.0", Driver: "amdgpu", Vendor: 0x1002,
			VRAMTotal: read("vt", h.vram*gib), VRAMUsed: read("vu", h.vramUsed*gib), GTTTotal: read("gt", h.gtt*gib), GTTUsed: read("gu", h.gttUsed*gib),
		}}
		s.Adapters = []sensors.Adapter{{Name: "Radeon", Type: h.kind, Backend: "vulkan", PCI: "0000:03:00.0", VendorID: 0x1002}}
	}
	if h.ram > 0 {
		s.Memory = sensors.Memory{Total: read("total", 2*h.ram*gib), Available: read("available", h.ram*gib)}
	}
	if h.onBattery {
		s.Mains = read("AC", 0)
		s.Batteries = []sensors.Battery{{ID: "BAT0", Present: true, Status: sensors.Idle}}
	}
	return s
}

var (
	apu     = host{now: 91.8, limitW: 33, drawW: 14.6, vram: 4, vramUsed: 1.2, gtt: 20, gttUsed: 1.1, ram: 24, kind: "integrated"}
	desktop = host{now: 55, limit: 100, limitW: 290, drawW: 68, vram: 24, vramUsed: 1.5, ram: 48, kind: "discrete"}
	server  = host{ram: 3}
)

func job(params uint64, kv, compute float64) workload.Workload {
	return workload.Workload{Name: "job", Params: params, KVBytes: uint64(kv * gib), ComputeBytes: uint64(compute * gib), Context: 8192}
}

// The design's worked examples, and what else a verdict has to say, as a user reads it.
func TestVerdict(t *testing.T) {
	llama := job(8_030_000_000, 1, 0.26)
	with := func(h host, change func(*host)) host {
		change(&h)
		return h
	}
	pin := func(p budget.Pins) budget.Settings { return budget.Settings{Workload: llama, Pins: p} }
	for _, c := range []struct {
		name                      string
		host                      host
		set                       budget.Settings
		headline, because, change string
		assumed, pinned           string
	}{
		{
			name: "laptop, APU", host: apu, set: budget.Settings{Workload: llama},
			headline: "Runs at q8 on the GPU · 8.8 of 21.7 GiB",
			because:  "Held back by heat: 3.2 °C of headroom is under 5 °C, so f32 and f16 are off.",
			change:   "f16 with 1.8 °C more, or if the real limit is 96.8 °C or more (95 assumed).",
			assumed:  "thermal limit 95 °C",
		},
		{
			name: "desktop, discrete", host: desktop, set: budget.Settings{Workload: job(70_600_000_000, 1.25, 0.27)},
			headline: "Nothing fits: q4 in 2 tiles on the GPU",
			because:  "Held back by memory: even q4 needs 32.9 GiB, budget 20.9 GiB: 12.0 GiB short.",
			change:   "q4 fits with 12.0 GiB more.",
		},
		{
			name: "no GPU", host: server, set: budget.Settings{Workload: job(1_240_000_000, 0.06, 0.25)},
			headline: "Runs at f16 on the CPU · 2.7 of 3.0 GiB",
			because:  "Held back by memory: f32 needs 4.6 GiB, budget 2.6 GiB: 2.0 GiB short.",
			change:   "2.0 GiB more gives f32; q8 if the real headroom is under 5 °C (30 assumed) or the real power is under 15 W (60 assumed).",
			assumed:  "thermal headroom 30 °C, power budget 60.0 W",
		},
		{
			name: "a known limit", host: with(apu, func(h *host) { h.now, h.limit = 97, 100 }), set: budget.Settings{Workload: llama},
			headline: "Runs at q8 on the GPU · 8.8 of 21.7 GiB",
			because:  "Held back by heat: 3.0 °C of headroom is under 5 °C, so f32 and f16 are off.",
			change:   "2.0 °C more gives f16.",
		},
		{
			name: "a hair under the threshold is not shown as on it", host: with(apu, func(h *host) { h.now, h.limit = 95.04, 100 }), set: budget.Settings{Workload: llama},
			headline: "Runs at q8 on the GPU · 8.8 of 21.7 GiB",
			because:  "Held back by heat: 4.96 °C of headroom is under 5 °C, so f32 and f16 are off.",
			change:   "0.04 °C more gives f16.",
		},
		{
			name: "power", host: with(apu, func(h *host) { h.now, h.limit, h.drawW = 50, 100, 21 }), set: budget.Settings{Workload: llama},
			headline: "Runs at q8 on the GPU · 8.8 of 21.7 GiB",
			because:  "Held back by power: 12.0 W of power is under 15 W, so f32 and f16 are off.",
			change:   "3.0 W more gives f16.",
		},
		{
			name: "heat and power", host: with(apu, func(h *host) { h.drawW = 21 }), set: budget.Settings{Workload: llama},
			headline: "Runs at q8 on the GPU · 8.8 of 21.7 GiB",
			because:  "Held back by heat and power: 3.2 °C of headroom is under 5 °C and 12.0 W of power is under 15 W, so f32 and f16 are off.",
			change:   "1.8 °C and 3.0 W more give f16.",
			assumed:  "thermal limit 95 °C",
		},
		{
			name: "memory and heat", host: with(apu, func(h *host) { h.limit, h.gtt = 96, 10 }), set: budget.Settings{Workload: llama},
			headline: "Runs at q8 on the GPU · 8.8 of 11.7 GiB",
			because:  "Held back by memory and heat: f16 needs 15.0 GiB, budget 10.4 GiB: 4.6 GiB short; 4.2 °C of headroom is under 5 °C.",
			change:   "4.6 GiB and 0.8 °C more give f16.",
		},
		{
			name: "an unknown draw", host: host{now: 50, limit: 100, limitW: 28, ram: 24}, set: budget.Settings{Workload: llama},
			headline: "Runs at f16 on the CPU · 16.3 of 24.0 GiB",
			because:  "Held back by memory: f32 needs 29.9 GiB, budget 22.7 GiB: 7.2 GiB short.",
			change:   "7.2 GiB more gives f32; q8 if more than 13.0 W is drawn of the limit of 28.0 W (the draw is unknown).",
			assumed:  "power draw (the whole limit of 28.0 W counts)",
		},
		{
			name: "assumed power on battery", host: host{now: 50, limit: 100, ram: 24, onBattery: true}, set: budget.Settings{Workload: llama},
			headline: "Runs at q8 on the CPU · 8.8 of 24.0 GiB",
			because:  "Held back by power: 12.0 W of power is under 15 W, so f32 and f16 are off.",
			change:   "f16 with 3.0 W more, or if the real power is 15 W or more (12 assumed).",
			assumed:  "power budget 12.0 W",
		},
		{
			name: "nothing holds it back", host: host{now: 50, limit: 100, limitW: 65, drawW: 20, ram: 48}, set: budget.Settings{Workload: llama},
			headline: "Runs at f32 on the CPU · 31.2 of 48.0 GiB",
			because:  "Nothing holds it back: f32 fits with 16.8 GiB to spare.",
			change:   "f16 under 29.9 GiB of memory budget; q8 under 5 °C of headroom or under 15 W of power.",
		},
		{
			name: "an assumed limit that no plausible one would flip", host: host{now: 42.5, limitW: 65, drawW: 20, ram: 24}, set: budget.Settings{Workload: llama},
			headline: "Runs at f16 on the CPU · 16.3 of 24.0 GiB",
			because:  "Held back by memory: f32 needs 29.9 GiB, budget 22.7 GiB: 7.2 GiB short.",
			change:   "7.2 GiB more gives f32.",
			assumed:  "thermal limit 95 °C",
		},
		{
			name: "an assumed limit that a lower one would flip", host: host{now: 70, limitW: 65, drawW: 20, ram: 24}, set: budget.Settings{Workload: llama},
			headline: "Runs at f16 on the CPU · 16.3 of 24.0 GiB",
			because:  "Held back by memory: f32 needs 29.9 GiB, budget 22.7 GiB: 7.2 GiB short.",
			change:   "7.2 GiB more gives f32; q8 if the real limit is under 75 °C (95 assumed).",
			assumed:  "thermal limit 95 °C",
		},
		{
			name: "memory unknown", host: host{now: 50, limit: 100}, set: budget.Settings{Workload: llama},
			headline: "Cannot say what runs: the free memory is unknown",
			because:  "The free memory is unknown (not offered), so nothing can be said to fit.",
			change:   "Pin the free memory to get an answer.",
			assumed:  "power budget 60.0 W",
		},
		{
			name: "all pinned", host: apu, set: pin(budget.Pins{ThermalC: sensors.Num(3), PowerMW: sensors.Num(20_000), VRAMBytes: sensors.Num(16 * gib)}),
			headline: "Runs at q8 on the GPU · 8.8 of 16.0 GiB",
			because:  "Held back by memory and heat: f16 needs 15.0 GiB, budget 14.7 GiB: 0.3 GiB short; 3.0 °C of headroom is under 5 °C.",
			change:   "0.3 GiB and 2.0 °C more give f16.",
			pinned:   "thermal headroom 3.0 °C, power budget 20.0 W, free memory 16.0 GiB",
		},
		{
			name: "a pinned limit", host: apu, set: budget.Settings{Workload: llama, Limits: map[string]float64{"hwmon/k10temp/Tctl": 100}},
			headline: "Runs at f16 on the GPU · 16.3 of 21.7 GiB",
			because:  "Held back by memory: f32 needs 29.9 GiB, budget 20.4 GiB: 9.5 GiB short.",
			change:   "9.5 GiB more gives f32.",
			pinned:   "thermal limit 100.0 °C",
		},
		{
			name: "KV takes all", host: desktop, set: budget.Settings{Workload: job(8_030_000_000, 30, 1)},
			headline: "Nothing fits: q4 on the CPU",
			because:  "Held back by memory: KV cache and compute buffers need 31.0 GiB of 22.5 GiB free: nothing is left for weights.",
			change:   "q4 fits with 3.7 GiB more.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := frame.New(c.host.sample(), c.set).Verdict()
			equal(t, "headline", v.Headline(), c.headline)
			equal(t, "because", v.Because, c.because)
			equal(t, "change", v.Change, c.change)
			equal(t, "assumed", strings.Join(v.Assumed, ", "), c.assumed)
			equal(t, "pinned", strings.Join(v.Pinned, ", "), c.pinned)
		})
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is\n\t%v, not\n\t%v", what, got, want)
	}
}

// A driver that failed may have had the GPU that is missed.
func TestAFailedDriverIsNamedWhereNoGPUIsLeft(t *testing.T) {
	for name, cards := range map[string][]sensors.Card{"no card": nil, "its card": desktop.sample().Cards} {
		s := server.sample()
		s.Cards = cards
		s.Adapters = []sensors.Adapter{{Name: "llvmpipe", Type: "cpu", Backend: "vulkan"}}
		s.AdaptersState = sensors.Missing("gpu/adapters", "gpu", sensors.Count, sensors.StateError, "probe", "Vulkan driver radeon.json is left out")
		f := frame.New(s, budget.Settings{Workload: job(1_240_000_000, 0.06, 0.25)})
		if got := f.ReasonWords(policy.DecideBackend); !strings.Contains(got, "Vulkan driver radeon.json is left out") {
			t.Errorf("%s: the backend is chosen as %q", name, got)
		}
	}
}

func TestRungWords(t *testing.T) {
	for _, c := range []struct {
		name string
		host host
		work workload.Workload
		want [4]string
	}{
		{
			"hot", apu, job(8_030_000_000, 1, 0.26),
			[4]string{"too big by 9.5 GiB, and off while hot", "fits, but off while hot", "taken: finest allowed", "fits"},
		},
		{
			"nothing fits", desktop, job(70_600_000_000, 1.25, 0.27),
			[4]string{"too big by 242.1 GiB", "too big by 110.6 GiB", "too big by 44.9 GiB", "too big by 12.0 GiB, taken as nothing fits"},
		},
		{
			"hot and short of power",
			host{now: 98, limit: 100, limitW: 12, drawW: 2, ram: 64},
			job(1_000_000_000, 0, 0),
			[4]string{
				"fits, but off while hot and power is short", "fits, but off while hot and power is short", "taken: finest allowed", "fits",
			},
		},
		{
			"unknown memory",
			host{now: 50},
			job(1, 0, 0),
			[4]string{"unknown: the free memory was not read", "unknown: the free memory was not read", "unknown: the free memory was not read", "unknown: the free memory was not read"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := frame.New(c.host.sample(), budget.Settings{Workload: c.work})
			for p := policy.F32; p <= policy.Q4; p++ {
				equal(t, p.String(), f.RungWords()[p], c.want[p])
			}
		})
	}
}
