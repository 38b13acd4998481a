package budget_test

import (
	"math"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

const gib = 1 << 30

// gibs is a fraction of GiB in whole bytes.
func gibs(v float64) float64 { return math.Round(v * gib) }

func read(id string, v float64, unit sensors.Unit) sensors.Reading {
	return sensors.Reading{ID: id, Kind: "test", Value: sensors.Num(v), Unit: unit, State: sensors.StateOK, Source: id}
}

func missing(id string, state sensors.State) sensors.Reading {
	return sensors.Missing(id, "test", "", state, id, "")
}

func cpuTemp(chip, label string, rank int, now float64, crit sensors.Reading) sensors.Temperature {
	return sensors.Temperature{Value: read(chip+"/"+label, now, sensors.Celsius), Chip: chip, Label: label, Role: sensors.RoleCPU, Rank: rank, Crit: crit}
}

func gpuTemp(card, label string, now float64, crit sensors.Reading) sensors.Temperature {
	return sensors.Temperature{Value: read(card+"/"+label, now, sensors.Celsius), Chip: "amdgpu", Label: label, Role: sensors.RoleGPU, Card: card, Crit: crit}
}

func celsius(v float64) sensors.Reading { return read("crit", v, sensors.Celsius) }

var noLimit = missing("crit", sensors.StateNotOffered)

func ram(total, available float64) sensors.Memory {
	return sensors.Memory{Total: read("ram/total", total, sensors.Bytes), Available: read("ram/available", available, sensors.Bytes)}
}

func job(params uint64, kv, compute float64) workload.Workload {
	return workload.Workload{Name: "job", Params: params, KVBytes: uint64(gibs(kv)), ComputeBytes: uint64(gibs(compute))}
}

const cardID = "pci/0000:03:00.0"

func amdCard(vramTotal, vramUsed, gttTotal, gttUsed float64) sensors.Card {
	return sensors.Card{
		ID: cardID, Name: "AMD", Driver: "amdgpu", PCI: "0000:03:00.0", Vendor: 0x1002,
		VRAMTotal: read("vram/total", vramTotal, sensors.Bytes), VRAMUsed: read("vram/used", vramUsed, sensors.Bytes),
		GTTTotal: read("gtt/total", gttTotal, sensors.Bytes), GTTUsed: read("gtt/used", gttUsed, sensors.Bytes),
	}
}

func adapter(kind string) sensors.Adapter {
	return sensors.Adapter{Name: "AMD adapter", Type: kind, Backend: "vulkan", VendorID: 0x1002, DeviceID: 1, PCI: "0000:03:00.0"}
}

// The three worked examples of the design, as written.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		name   string
		sample sensors.Sample
		work   workload.Workload

		budgetGiB, headroom, powerMW float64
		heatState, powerState        sensors.State
		precision                    policy.Precision
		fits, tight                  bool
		needGiB                      float64
		backend                      policy.ComputeBackend
		tiles                        uint32
		zeroCopy                     policy.ZeroCopyStrategy
	}{
		{
			name: "laptop, APU",
			sample: sensors.Sample{
				Temperatures: []sensors.Temperature{cpuTemp("k10temp", "Tctl", 2, 91.8, noLimit)},
				Power: []sensors.PowerDomain{{
					ID: "amdgpu/PPT", Name: "amdgpu PPT", Kind: sensors.PowerGPU, Card: cardID,
					Limit: read("cap", 33_000, sensors.Milliwatt), Draw: read("avg", 14_600, sensors.Milliwatt),
				}},
				Memory:   ram(gibs(32), gibs(24)),
				Cards:    []sensors.Card{amdCard(gibs(4), gibs(1.2), gibs(20), gibs(1.1))},
				Adapters: []sensors.Adapter{adapter("integrated")},
			},
			work:      job(8_030_000_000, 1.0, 0.26),
			budgetGiB: 20.44, headroom: 3.2, powerMW: 18_400,
			heatState: sensors.StateAssumed, powerState: sensors.StateOK,
			precision: policy.Q8, fits: true, tight: true, needGiB: 7.48,
			backend: policy.GPU, tiles: 1, zeroCopy: policy.MmapDirect,
		},
		{
			name: "desktop, discrete",
			sample: sensors.Sample{
				Temperatures: []sensors.Temperature{
					cpuTemp("coretemp", "Package id 0", 0, 45, celsius(100)),
					gpuTemp(cardID, "edge", 55, celsius(100)),
				},
				Power: []sensors.PowerDomain{{
					ID: "amdgpu/PPT", Name: "amdgpu PPT", Kind: sensors.PowerGPU, Card: cardID,
					Limit: read("cap", 290_000, sensors.Milliwatt), Draw: read("avg", 68_000, sensors.Milliwatt),
				}},
				Memory:   ram(gibs(64), gibs(48)),
				Cards:    []sensors.Card{amdCard(gibs(24), gibs(1.5), gibs(32), 0)},
				Adapters: []sensors.Adapter{adapter("discrete")},
			},
			work:      job(70_600_000_000, 1.25, 0.27),
			budgetGiB: 20.98, headroom: 45, powerMW: 222_000,
			heatState: sensors.StateOK, powerState: sensors.StateOK,
			precision: policy.Q4, needGiB: 32.88,
			backend: policy.GPU, tiles: 2, zeroCopy: policy.StagingUpload,
		},
		{
			name:      "no GPU",
			sample:    sensors.Sample{Memory: ram(gibs(8), gibs(3))},
			work:      job(1_240_000_000, 0.06, 0.25),
			budgetGiB: 2.69, headroom: 30, powerMW: 60_000,
			heatState: sensors.StateAssumed, powerState: sensors.StateAssumed,
			precision: policy.F16, fits: true, needGiB: 2.31,
			backend: policy.CPU, tiles: 1, zeroCopy: policy.MmapDirect,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := budget.From(c.sample, budget.Settings{Workload: c.work})
			p := policy.Decide(r.Inputs)
			near(t, "memory budget, GiB", float64(r.Memory.Budget)/gib, c.budgetGiB, 0.005)
			near(t, "headroom", r.Thermal.HeadroomC, c.headroom, 1e-9)
			near(t, "power", r.Power.BudgetMW, c.powerMW, 1e-9)
			equal(t, "heat state", r.Thermal.State, c.heatState)
			equal(t, "power state", r.Power.State, c.powerState)
			equal(t, "precision", p.Precision, c.precision)
			equal(t, "fits", p.Fits, c.fits)
			equal(t, "tight", p.Tight, c.tight)
			near(t, "weights, GiB", float64(p.Job)/gib, c.needGiB, 0.005)
			equal(t, "backend", p.Backend, c.backend)
			equal(t, "tiles", p.Tiles, c.tiles)
			equal(t, "zero copy", p.ZeroCopy, c.zeroCopy)
		})
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, not %v", what, got, want)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, not %v", what, got, want)
	}
}
