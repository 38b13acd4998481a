package budget_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// FuzzFrom feeds Samples as a recording may hold them: any text that reads as one.
func FuzzFrom(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		s, set := randomHost(r)
		f.Add(asJSON(f, s), asJSON(f, set))
	}
	f.Fuzz(func(t *testing.T, sample, settings []byte) {
		var s sensors.Sample
		var set budget.Settings
		if json.Unmarshal(sample, &s) != nil || json.Unmarshal(settings, &set) != nil {
			return
		}
		checkResult(t, s, set)
	})
}

// TestRandomHosts mixes the known faults at random, from a fixed seed.
func TestRandomHosts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		s, set := randomHost(r)
		checkResult(t, s, set)
		if t.Failed() {
			t.Fatalf("sample %s\nsettings %s", asJSON(t, s), asJSON(t, set))
		}
	}
}

func asJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkResult holds what is true of every Result.
func checkResult(t *testing.T, s sensors.Sample, set budget.Settings) {
	t.Helper()
	before := asJSON(t, s)
	r := budget.From(s, set)
	if string(asJSON(t, s)) != string(before) {
		t.Error("the Sample was changed")
	}
	if !reflect.DeepEqual(r, budget.From(s, set)) {
		t.Error("the same Sample and settings gave two results")
	}
	for name, v := range map[string]float64{
		"headroom": r.Thermal.HeadroomC, "headroom of the inputs": float64(r.Inputs.Budget.ThermalHeadroomC),
		"power": r.Power.BudgetMW, "power credit": r.Power.Credit,
	} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s is %v", name, v)
		}
	}
	if r.Power.BudgetMW < 0 || r.Power.BudgetMW != float64(r.Inputs.Budget.PowerBudgetMW) {
		t.Errorf("power is %v, %v for the policy", r.Power.BudgetMW, r.Inputs.Budget.PowerBudgetMW)
	}
	if v, ok := r.Battery.Percent.Get(); ok && (v < 0 || v > 100) {
		t.Errorf("battery at %v %%", v)
	}
	if v, ok := r.Battery.Rate.Get(); ok && v < 0 {
		t.Errorf("battery rate %v", v)
	}
	if r.Memory.Budget > r.Memory.Free || r.Memory.Budget != r.Inputs.Budget.VRAMBudgetBytes {
		t.Errorf("memory budget %d of %d free, %d for the policy", r.Memory.Budget, r.Memory.Free, r.Inputs.Budget.VRAMBudgetBytes)
	}
	vram := uint64(0)
	if r.InUse >= 0 {
		vram = r.Memory.Budget
		if g := r.GPUs[r.InUse]; g.Asleep || !g.HasAdapter || g.Type == policy.CPUDevice || r.Device != policy.GPU || r.Shown != r.InUse {
			t.Errorf("in use: %+v on %v", g, r.Device)
		}
	} else if r.Device == policy.GPU {
		t.Error("a GPU is the device, none is in use")
	}
	if r.Inputs.Host.VRAMAvailable != vram {
		t.Errorf("%d bytes of VRAM, not %d", r.Inputs.Host.VRAMAvailable, vram)
	}
	if free := r.Memory.Free; free < 1<<53 && len(r.Memory.Parts) > 0 && sum(r.Memory.Parts) != int64(free) {
		t.Errorf("parts %+v do not add up to %d", r.Memory.Parts, free)
	}
	if p := policy.Decide(r.Inputs); r.Memory.Free > 0 && r.InUse >= 0 && p.Fits != (p.Tiles == 1) && r.Memory.Budget > 0 {
		t.Errorf("fits is %v with %d tiles", p.Fits, p.Tiles)
	}
}

// randomHost is a machine with any mix of devices and faults.
func randomHost(r *rand.Rand) (sensors.Sample, budget.Settings) {
	one := func(values ...float64) float64 { return values[r.IntN(len(values))] }
	id := 0
	reading := func(values ...float64) sensors.Reading {
		id++
		out := read([]string{"a", "b", "c", "d"}[r.IntN(4)], one(values...), "")
		if r.IntN(4) == 0 {
			out.State = sensors.State(r.IntN(int(sensors.StateOK) + 1))
		}
		if r.IntN(8) == 0 {
			out.Value = sensors.Number{}
		}
		return out
	}
	bytes := func() sensors.Reading {
		return reading(0, -1, 1, 512<<20, 4<<30, 24<<30, 124<<30, 1<<62, 1e300, -1e300)
	}
	celsiuses := func() sensors.Reading {
		return reading(-273.15, -268.8, 0, 1, 16.8, 45, 60, 91.8, 95, 100, 126, 127, 65261.85, 1e300)
	}
	milliwatts := func() sensors.Reading {
		return reading(0, -4721, 1, 8000, 14_999.5, 15_000, 33_000, 290_000, 640_000, 3_408_250, 4.3e9, 1e300)
	}
	cardIDs := []string{cardID, "pci/" + slot1, "drm/card0", ""}
	s := sensors.Sample{
		Host: sensors.Host{Threads: int(one(-1, 0, 8, 1<<40))}, Mains: reading(0, 1),
		Memory: sensors.Memory{Total: bytes(), Available: bytes()},
	}
	for range r.IntN(4) {
		s.Temperatures = append(s.Temperatures, sensors.Temperature{
			Value: celsiuses(), Crit: celsiuses(), Chip: "chip", Role: []sensors.Role{"cpu", "gpu", "other"}[r.IntN(3)], Rank: r.IntN(4),
			Card: cardIDs[r.IntN(4)], Trips: []sensors.Trip{{Type: []string{"passive", "hot", "critical", "active"}[r.IntN(4)], Limit: celsiuses()}},
		})
	}
	for range r.IntN(4) {
		s.Power = append(s.Power, sensors.PowerDomain{
			ID: "p", Name: []string{"package-0", "package-1", ""}[r.IntN(3)], Kind: []sensors.PowerKind{"package", "psys", "core", "dram", "gpu"}[r.IntN(5)],
			Card: cardIDs[r.IntN(4)], Limit: milliwatts(), Draw: milliwatts(),
		})
	}
	for range r.IntN(3) {
		s.Batteries = append(s.Batteries, sensors.Battery{
			ID: "BAT", Present: r.IntN(5) > 0, Peripheral: r.IntN(5) == 0, Dead: r.IntN(5) == 0,
			Status: []sensors.BatteryStatus{"charging", "discharging", "idle", "full", "unknown", "odd"}[r.IntN(6)],
			Now:    milliwatts(), Full: milliwatts(), Design: milliwatts(), Rate: milliwatts(), Voltage: milliwatts(), Capacity: reading(-1, 0, 50, 100, 109, 255),
		})
	}
	for range r.IntN(4) {
		c := sensors.Card{
			ID: cardIDs[r.IntN(4)], PCI: []string{"", slot1, "0000:03:00.0"}[r.IntN(3)], Vendor: uint32(one(0, amd, nvidia)), Device: uint32(r.IntN(2)),
			Driver: []string{"", "amdgpu", "nvidia"}[r.IntN(3)], Asleep: r.IntN(4) == 0,
			VRAMTotal: bytes(), VRAMUsed: bytes(), GTTTotal: bytes(), GTTUsed: bytes(),
		}
		s.Cards = append(s.Cards, c)
	}
	for range r.IntN(4) {
		s.Adapters = append(s.Adapters, sensors.Adapter{
			Name: []string{"", "llvmpipe", "GPU"}[r.IntN(3)], Type: []string{"discrete", "integrated", "virtual", "cpu", "other", "odd"}[r.IntN(6)],
			Backend: []string{"vulkan", "opengl", "metal"}[r.IntN(3)], PCI: []string{"", slot1, "0000:03:00.0"}[r.IntN(3)],
			VendorID: uint32(one(0, amd, nvidia)), DeviceID: uint32(r.IntN(2)), MaxStorageBinding: uint64(one(0, 1<<31)),
			VRAMTotal: bytes().Value, VRAMBudget: bytes().Value, VRAMUsage: bytes().Value, WorkingSet: bytes().Value,
		})
	}
	for range r.IntN(2) {
		s.NPUs = append(s.NPUs, sensors.NPU{Name: "NPU", State: sensors.State(r.IntN(int(sensors.StateOK) + 1))})
		s.Workloads = append(s.Workloads, sensors.Process{PID: 7, Name: "server", RAM: bytes(), GPU: bytes(), Power: milliwatts()})
		s.Throttle = append(s.Throttle, sensors.ThrottleFlag{Device: []string{"cpu", cardID}[r.IntN(2)], Reason: "thermal", Active: reading(0, 1)})
	}
	set := budget.Settings{
		Workload: workload.Workload{
			Params: uint64(one(0, 1, 8e9, 1e15)), KVBytes: uint64(one(0, 1<<30, 1<<63)), ComputeBytes: uint64(one(0, 1<<28, 1<<63)),
		},
		Device: []string{"", "", "", "cpu", "npu", cardID, "adapter/0", "nonsense"}[r.IntN(8)], CreditPID: r.IntN(2) * 7,
	}
	if r.IntN(3) == 0 {
		set.Limits = map[string]float64{"a": one(-1, 0, 100, 1e300), "p": one(45_000, 1e300)}
	}
	pin := func(values ...float64) (n sensors.Number) {
		if r.IntN(4) == 0 {
			n = sensors.Num(one(values...))
		}
		return n
	}
	set.Pins = budget.Pins{ThermalC: pin(-5, 3, 1e300), PowerMW: pin(-1, 0, 12_000, 1e300), VRAMBytes: pin(-1, 0, 8<<30, 1e300)}
	return s, set
}
