package sensors

import (
	"slices"
	"testing"
)

const nvidiaHeader = "pci.bus_id, name, temperature.gpu, temperature.gpu.tlimit, power.draw [W], enforced.power.limit [W], memory.total [MiB], memory.used [MiB], memory.reserved [MiB], utilization.gpu [%], clocks.current.sm [MHz], clocks.max.sm [MHz], clocks_event_reasons.active\n"

// TestNVIDIA holds that nvidia-smi's card is the kernel's, with what only the tool knows.
func TestNVIDIA(t *testing.T) {
	f := join(
		drmCard("card1", "nvidia", "0000:01:00.0", files{"vendor": "0x10de\n", "device": "0x2684\n"}),
		files{"nvidia-smi.csv": nvidiaHeader + "00000000:01:00.0, NVIDIA GeForce RTX 4090, 71, 13, 310.5, 450, 24564, 8192, 400, 97, 2520, 3105, 0x24\n"},
	)
	s := sampleOf(t, f)
	c := card0(t, s)
	if c.Name != "NVIDIA GeForce RTX 4090" || c.Vendor != 0x10de || c.Device != 0x2684 {
		t.Errorf("the card is %+v", c)
	}
	is(t, c.VRAMTotal, Num(24564<<20), StateOK)
	is(t, c.VRAMUsed, Num(8592<<20), StateOK)
	is(t, c.Busy, Num(97), StateOK)
	want(t, s, "nvidia-smi/0000:01:00.0/gpu", Num(71), StateOK)
	want(t, s, "nvidia-smi/0000:01:00.0/gpu/crit", Num(84), StateOK)
	want(t, s, "nvidia-smi/0000:01:00.0/power/limit", Num(450000), StateOK)
	want(t, s, "nvidia-smi/0000:01:00.0/power/draw", Num(310500), StateOK)
	want(t, s, "pci/0000:01:00.0/clock", Num(2520), StateOK)
	want(t, s, "throttle/pci/0000:01:00.0/thermal", Num(1), StateOK)
	want(t, s, "throttle/pci/0000:01:00.0/power", Num(1), StateOK)
	if t0 := s.Temperatures[0]; t0.Role != RoleGPU || t0.Card != c.ID {
		t.Errorf("the temperature is %+v", t0)
	}
}

func TestNVIDIAUnknown(t *testing.T) {
	s := sampleOf(t, files{"nvidia-smi.csv": nvidiaHeader + "00000000:01:00.0, NVIDIA GB10, [N/A], [N/A], [Not Supported], [N/A], [N/A], [N/A], [N/A], 500, [N/A], [N/A], [N/A]\n"})
	c := card0(t, s)
	is(t, c.VRAMTotal, unknown, StateNotOffered)
	is(t, c.Busy, unknown, StateImplausible)
	want(t, s, "nvidia-smi/0000:01:00.0/gpu", unknown, StateNotOffered)
	want(t, s, "throttle/pci/0000:01:00.0/thermal", unknown, StateNotOffered)
	s = sampleOf(t, files{"nvidia-smi.csv": "NVIDIA-SMI has failed\n"})
	want(t, s, "source/nvidia-smi", unknown, StateError)
}

// TestNVIDIAAsleep holds that the tool is not asked while a card sleeps, and that the card is listed as asleep, also where
// it is no display device.
func TestNVIDIAAsleep(t *testing.T) {
	for name, f := range map[string]files{
		"display": drmCard("card1", "nvidia", "0000:01:00.0", files{"power/runtime_status": "suspended\n"}),
		"compute": under("sys/bus/pci/drivers/nvidia/0000:01:00.0", files{"power/runtime_status": "suspended\n", "uevent": "DRIVER=nvidia\nPCI_ID=10DE:2684\nPCI_SLOT_NAME=0000:01:00.0\n"}),
	} {
		t.Run(name, func(t *testing.T) {
			w := &watch{}
			root := tree(t, join(f, files{"nvidia-smi.csv": nvidiaHeader + "00000000:01:00.0, X, 71, 13, 310.5, 450, 24564, 8192, 400, 97, 2520, 3105, 0x24\n"}))
			s := NewPoller(Options{Sysroot: root, Clock: newStepClock(), Observe: w.see}).Once(t.Context())
			if c := card0(t, s); !c.Asleep || c.PCI != "0000:01:00.0" {
				t.Errorf("the card is %+v", c)
			}
			want(t, s, "source/nvidia-smi", unknown, StateAsleep)
			if slices.Contains(w.take(), "/nvidia-smi.csv") {
				t.Error("the tool's answer was read")
			}
		})
	}
}
