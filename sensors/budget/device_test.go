package budget_test

import (
	"strings"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

func card(pci string, vendor, product uint32, vram float64) sensors.Card {
	c := amdCard(gibs(vram), 0, 0, 0)
	c.ID, c.PCI, c.Vendor, c.Device, c.Name = "pci/"+pci, pci, vendor, product, "card "+pci
	if pci == "" {
		c.ID = "drm/card0"
	}
	return c
}

func asleep(c sensors.Card) sensors.Card {
	c.Asleep = true
	c.VRAMTotal, c.VRAMUsed = missing("vram", sensors.StateAsleep), missing("vram", sensors.StateAsleep)
	return c
}

func api(name, kind, backend, pci string, vendor, product uint32) sensors.Adapter {
	return sensors.Adapter{Name: name, Type: kind, Backend: backend, PCI: pci, VendorID: vendor, DeviceID: product}
}

const (
	intel, nvidia, amd = 0x8086, 0x10de, 0x1002
	slot1, slot2       = "0000:01:00.0", "0000:02:00.0"
)

func TestOneDeviceIsListedOnce(t *testing.T) {
	for _, c := range []struct {
		name     string
		cards    []sensors.Card
		adapters []sensors.Adapter
		want     []string
	}{
		{
			"by PCI address",
			[]sensors.Card{card(slot1, amd, 0, 8)},
			[]sensors.Adapter{api("A", "discrete", "vulkan", slot1, amd, 1)},
			[]string{"pci/" + slot1 + " A discrete"},
		},
		{
			"an address in capitals",
			[]sensors.Card{card("0000:c5:00.0", amd, 0, 8)},
			[]sensors.Adapter{api("A", "discrete", "vulkan", "0000:C5:00.0", amd, 1)},
			[]string{"pci/0000:c5:00.0 A discrete"},
		},
		{
			"by vendor and device",
			[]sensors.Card{card(slot1, amd, 7, 8), card(slot2, amd, 9, 8)},
			[]sensors.Adapter{api("B", "discrete", "vulkan", "", amd, 9)},
			[]string{"pci/" + slot1 + " card " + slot1 + " -", "pci/" + slot2 + " B discrete"},
		},
		{
			"by vendor, where there is one",
			[]sensors.Card{card(slot1, amd, 0, 8), card(slot2, intel, 0, 0)},
			[]sensors.Adapter{api("A", "discrete", "vulkan", "", amd, 9)},
			[]string{"pci/" + slot1 + " A discrete", "pci/" + slot2 + " card " + slot2 + " -"},
		},
		{
			"a vendor that does not tell which",
			[]sensors.Card{card(slot1, amd, 0, 8), card(slot2, amd, 0, 8)},
			[]sensors.Adapter{api("A", "discrete", "vulkan", "", amd, 9)},
			[]string{"pci/" + slot1 + " card " + slot1 + " -", "pci/" + slot2 + " card " + slot2 + " -", "adapter/0 A discrete"},
		},
		{
			"other device ids are other devices",
			[]sensors.Card{card(slot1, amd, 7, 8)},
			[]sensors.Adapter{api("A", "discrete", "vulkan", "", amd, 9)},
			[]string{"pci/" + slot1 + " card " + slot1 + " -", "adapter/0 A discrete"},
		},
		{
			"two equal cards",
			[]sensors.Card{card(slot1, nvidia, 7, 24), card(slot2, nvidia, 7, 24)},
			[]sensors.Adapter{api("A", "discrete", "vulkan", "", nvidia, 7), api("B", "discrete", "vulkan", "", nvidia, 7)},
			[]string{"pci/" + slot1 + " A discrete", "pci/" + slot2 + " B discrete"},
		},
		{
			"one device through three APIs",
			[]sensors.Card{card(slot1, amd, 7, 8)},
			[]sensors.Adapter{
				api("GL", "other", "opengl", "", amd, 0), api("A", "discrete", "vulkan", slot1, amd, 7), api("A (D3D)", "discrete", "d3d12", "", amd, 7),
			},
			[]string{"pci/" + slot1 + " A discrete"},
		},
		{
			"OpenGL beside two cards of the vendor",
			[]sensors.Card{card(slot1, amd, 7, 8), card(slot2, amd, 9, 8)},
			[]sensors.Adapter{
				api("A", "discrete", "vulkan", slot1, amd, 7), api("B", "integrated", "vulkan", slot2, amd, 9), api("GL", "other", "opengl", "", amd, 0),
			},
			[]string{"pci/" + slot1 + " A discrete", "pci/" + slot2 + " B integrated"},
		},
		{
			"a card that the kernel and the vendor's tool list",
			[]sensors.Card{card(slot1, nvidia, 7, 0), card(slot1, nvidia, 7, 24)},
			nil,
			[]string{"pci/" + slot1 + " card " + slot1 + " -"},
		},
		{
			"a software adapter is never a card, whatever address it gives",
			[]sensors.Card{card(slot1, amd, 0, 8)},
			[]sensors.Adapter{api("llvmpipe (LLVM 15)", "cpu", "vulkan", slot1, 0x10005, 1)},
			[]string{"pci/" + slot1 + " card " + slot1 + " -", "adapter/0 llvmpipe (LLVM 15) cpu"},
		},
		{
			"llvmpipe through OpenGL calls itself something else", nil,
			[]sensors.Adapter{api("llvmpipe", "other", "opengl", "", 0, 0)},
			[]string{"adapter/0 llvmpipe cpu"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := budget.From(sensors.Sample{Cards: c.cards, Adapters: c.adapters, Memory: ram(gibs(32), gibs(24))}, budget.Settings{})
			var got []string
			for _, g := range r.GPUs {
				kind := "-"
				if g.HasAdapter {
					kind = g.Type.String()
				}
				got = append(got, g.ID+" "+g.Name+" "+kind)
			}
			equal(t, "devices", strings.Join(got, "; "), strings.Join(c.want, "; "))
		})
	}
}

func TestDevice(t *testing.T) {
	small, large := card(slot1, nvidia, 7, 8), card(slot2, nvidia, 9, 24)
	onSmall, onLarge := api("small", "discrete", "vulkan", slot1, nvidia, 7), api("large", "discrete", "vulkan", slot2, nvidia, 9)
	igpu := api("Iris Xe", "integrated", "vulkan", "0000:00:02.0", intel, 1)
	full := small
	full.VRAMUsed = full.VRAMTotal
	blind := card(slot1, nvidia, 7, 8)
	blind.VRAMTotal, blind.VRAMUsed = missing("vram", sensors.StateNotOffered), missing("vram", sensors.StateNotOffered)
	npu := []sensors.NPU{{ID: "accel0", Name: "Intel NPU", State: sensors.StateOK}}
	pin := budget.Pins{VRAMBytes: sensors.Num(gibs(6))}
	for _, c := range []struct {
		name     string
		cards    []sensors.Card
		adapters []sensors.Adapter
		npus     []sensors.NPU
		set      budget.Settings
		device   policy.ComputeBackend
		inUse    string
		shown    string
		gpu, npu bool
		asleep   int
		copy     policy.ZeroCopyStrategy
		detail   string
	}{
		{name: "nothing", device: policy.CPU},
		{name: "NPU alone", npus: npu, device: policy.NPU, npu: true},
		{
			name: "a sleeping NPU wakes by itself", npus: []sensors.NPU{{Name: "Intel NPU", State: sensors.StateAsleep, Asleep: true}},
			device: policy.NPU, npu: true,
		},
		{name: "an NPU that cannot be told", npus: []sensors.NPU{{Name: "NPU", State: sensors.StateError}}, device: policy.CPU},
		{
			name: "a card that WebGPU does not list", cards: []sensors.Card{large}, device: policy.CPU,
		},
		{
			name: "discrete before integrated, whatever comes first", cards: []sensors.Card{small}, adapters: []sensors.Adapter{igpu, onSmall},
			device: policy.GPU, inUse: "small", shown: "small", gpu: true, copy: policy.StagingUpload,
		},
		{
			name: "the larger of two", cards: []sensors.Card{small, large}, adapters: []sensors.Adapter{onSmall, onLarge}, npus: npu,
			device: policy.GPU, inUse: "large", shown: "large", gpu: true, npu: true, copy: policy.StagingUpload,
		},
		{
			name: "the user's choice", cards: []sensors.Card{small, large}, adapters: []sensors.Adapter{onSmall, onLarge},
			set:    budget.Settings{Device: "pci/" + slot1},
			device: policy.GPU, inUse: "small", shown: "small", gpu: true, copy: policy.StagingUpload,
		},
		{
			name: "the user's choice by bare address", cards: []sensors.Card{small, large}, adapters: []sensors.Adapter{onSmall, onLarge},
			set: budget.Settings{Device: slot1}, device: policy.GPU, inUse: "small", shown: "small", gpu: true, copy: policy.StagingUpload,
		},
		{
			name: "a choice that is gone", cards: []sensors.Card{small}, adapters: []sensors.Adapter{onSmall},
			set:    budget.Settings{Device: "pci/0000:09:00.0"},
			device: policy.GPU, inUse: "small", shown: "small", gpu: true, copy: policy.StagingUpload, detail: "not there",
		},
		{
			name: "the CPU by choice", cards: []sensors.Card{small}, adapters: []sensors.Adapter{onSmall}, npus: npu,
			set: budget.Settings{Device: "cpu"}, device: policy.CPU, shown: "small",
		},
		{
			name: "the NPU by choice", cards: []sensors.Card{small}, adapters: []sensors.Adapter{onSmall}, npus: npu,
			set: budget.Settings{Device: "npu"}, device: policy.NPU, shown: "small", npu: true,
		},
		{
			name: "an NPU by choice that is not there", cards: []sensors.Card{small}, adapters: []sensors.Adapter{onSmall},
			set: budget.Settings{Device: "npu"}, device: policy.GPU, inUse: "small", shown: "small", gpu: true, copy: policy.StagingUpload, detail: "not there",
		},
		{
			name: "a sleeping card is counted and never used", cards: []sensors.Card{asleep(large)}, adapters: []sensors.Adapter{igpu, onLarge},
			device: policy.GPU, inUse: "Iris Xe", shown: "Iris Xe", gpu: true, asleep: 1,
		},
		{
			name: "not even by choice", cards: []sensors.Card{asleep(large)}, adapters: []sensors.Adapter{igpu, onLarge},
			set:    budget.Settings{Device: "pci/" + slot2},
			device: policy.GPU, inUse: "Iris Xe", shown: "Iris Xe", gpu: true, asleep: 1, detail: "suspended",
		},
		{
			name: "only a sleeping card", cards: []sensors.Card{asleep(large)}, adapters: []sensors.Adapter{onLarge},
			device: policy.CPU, shown: "large", asleep: 1,
		},
		{
			name: "a software adapter is shown, not used", adapters: []sensors.Adapter{api("llvmpipe", "cpu", "vulkan", "", 0x10005, 1)},
			device: policy.CPU, shown: "llvmpipe",
		},
		{
			name: "a full GPU gives way to the NPU", cards: []sensors.Card{full}, adapters: []sensors.Adapter{onSmall}, npus: npu,
			device: policy.NPU, shown: "small", gpu: true, npu: true,
		},
		{
			name: "a full GPU beside one with room", cards: []sensors.Card{full}, adapters: []sensors.Adapter{onSmall, igpu},
			device: policy.GPU, inUse: "Iris Xe", shown: "Iris Xe", gpu: true,
		},
		{
			name: "a full GPU by choice gives way to the CPU", cards: []sensors.Card{full}, adapters: []sensors.Adapter{onSmall, igpu},
			set: budget.Settings{Device: "pci/" + slot1}, device: policy.CPU, shown: "small", gpu: true,
		},
		{
			name: "a GPU whose memory is unknown", cards: []sensors.Card{blind}, adapters: []sensors.Adapter{onSmall},
			device: policy.CPU, shown: "small", gpu: true,
		},
		{
			name: "pinned memory makes it usable", cards: []sensors.Card{blind}, adapters: []sensors.Adapter{onSmall}, set: budget.Settings{Pins: pin},
			device: policy.GPU, inUse: "small", shown: "small", gpu: true, copy: policy.StagingUpload,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sensors.Sample{Cards: c.cards, Adapters: c.adapters, NPUs: c.npus, Memory: ram(gibs(32), gibs(24)), Host: sensors.Host{Threads: 8}}
			c.set.Workload = workload.Bare(8e9)
			r := budget.From(s, c.set)
			name := func(i int) string {
				if i < 0 {
					return ""
				}
				return r.GPUs[i].Name
			}
			equal(t, "device", r.Device, c.device)
			equal(t, "in use", name(r.InUse), c.inUse)
			equal(t, "shown", name(r.Shown), c.shown)
			equal(t, "asleep", r.Asleep, c.asleep)
			equal(t, "GPU available", r.Inputs.Host.GPUAvailable, c.gpu)
			equal(t, "NPU available", r.Inputs.Host.NPUAvailable, c.npu)
			equal(t, "threads", r.Inputs.Host.CPUThreads, 8)
			if !strings.Contains(r.Detail, c.detail) || (c.detail == "") != (r.Detail == "") {
				t.Errorf("detail is %q, not %q", r.Detail, c.detail)
			}
			p := policy.Decide(r.Inputs)
			equal(t, "backend", p.Backend, c.device)
			equal(t, "zero copy", p.ZeroCopy, c.copy)
		})
	}
}

func TestLimitsOfTheAdapterInUse(t *testing.T) {
	a := adapter("discrete")
	a.MaxBufferSize, a.MaxStorageBinding = 1<<64-1, 1<<31
	s := sensors.Sample{Cards: []sensors.Card{amdCard(gibs(24), 0, 0, 0)}, Adapters: []sensors.Adapter{a}}
	r := budget.From(s, budget.Settings{})
	equal(t, "binding", r.Inputs.MaxBinding, 1<<31)
	equal(t, "buffer size is no VRAM", r.Memory.Free, 24*gib)
	for _, c := range []struct{ buffer, binding, want uint64 }{
		{1 << 28, 1 << 31, 1 << 28}, {0, 1 << 31, 1 << 31}, {1 << 28, 0, 1 << 28}, {0, 0, 0},
	} {
		s.Adapters[0].MaxBufferSize, s.Adapters[0].MaxStorageBinding = c.buffer, c.binding
		equal(t, "what one binding spans", budget.From(s, budget.Settings{}).Inputs.MaxBinding, c.want)
	}
}
