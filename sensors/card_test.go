package sensors

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// drmCard makes a display device at a PCI address.
func drmCard(name, driver, pci string, f files) files {
	dir := "sys/class/drm/" + name + "/device"
	return join(under(dir, f), files{dir + "/uevent": "DRIVER=" + driver + "\nPCI_SLOT_NAME=" + pci + "\n"})
}

func card0(t *testing.T, s Sample) Card {
	t.Helper()
	if len(s.Cards) != 1 {
		t.Fatalf("%d cards are listed, want 1: %+v", len(s.Cards), s.Cards)
	}
	return s.Cards[0]
}

func TestCardMemory(t *testing.T) {
	c := card0(t, sampleOf(t, join(
		drmCard("card1", "amdgpu", "0000:C5:00.0", files{
			"vendor": "0x1002\n", "device": "0x150e\n", "mem_info_vram_total": "536870912\n", "mem_info_vram_used": "514580480\n",
			"mem_info_gtt_total": "16441004032\n", "mem_info_gtt_used": "3946811392\n", "gpu_busy_percent": "7\n",
		}),
		files{"sys/class/drm/card1-HDMI-A-1/status": "connected\n", "sys/class/drm/renderD128/device/uevent": "DRIVER=amdgpu\n", "sys/class/drm/version": "drm\n"},
	)))
	if c.ID != "pci/0000:c5:00.0" || c.PCI != "0000:c5:00.0" || c.Driver != "amdgpu" || c.Vendor != 0x1002 || c.Device != 0x150e || c.Asleep {
		t.Errorf("the card is %+v", c)
	}
	is(t, c.VRAMTotal, Num(536870912), StateOK)
	is(t, c.VRAMUsed, Num(514580480), StateOK)
	is(t, c.GTTTotal, Num(16441004032), StateOK)
	is(t, c.GTTUsed, Num(3946811392), StateOK)
	is(t, c.Busy, Num(7), StateOK)

	c = card0(t, sampleOf(t, drmCard("card0", "i915", "0000:00:02.0", files{"vendor": "0x8086\n"})))
	is(t, c.VRAMTotal, unknown, StateNotOffered)
	is(t, c.Busy, unknown, StateNotOffered)

	c = card0(t, sampleOf(t, drmCard("card0", "amdgpu", "0000:03:00.0", files{"mem_info_vram_total": "-1\n", "mem_info_vram_used": "x\n", "gpu_busy_percent": "65535\n"})))
	is(t, c.VRAMTotal, unknown, StateImplausible)
	is(t, c.VRAMUsed, unknown, StateError)
	is(t, c.Busy, unknown, StateImplausible)

	// 0 bytes is how a driver says that it knows of no such memory; what is in use without it is a figure all the same.
	c = card0(t, sampleOf(t, drmCard("card0", "amdgpu", "0000:03:00.0", files{
		"mem_info_vram_total": "0\n", "mem_info_vram_used": "0\n", "mem_info_gtt_total": "0\n", "mem_info_gtt_used": "4096\n",
	})))
	for _, r := range []Reading{c.VRAMTotal, c.VRAMUsed, c.GTTTotal} {
		is(t, r, unknown, StateNotOffered)
		if !strings.Contains(r.Detail, "the driver reports none") {
			t.Errorf("%s says %q, want that the driver reports none", r.ID, r.Detail)
		}
	}
	is(t, c.GTTUsed, Num(4096), StateOK)
	if c = card0(t, sampleOf(t, drmCard("card0", "amdgpu", "0000:03:00.0", files{"mem_info_vram_total": "8589934592\n", "mem_info_vram_used": "0\n"}))); c.VRAMUsed.Value != Num(0) {
		t.Errorf("an idle card's VRAM in use is %+v, want 0", c.VRAMUsed)
	}
}

// TestChipWithoutALink holds that in a recording without links a graphics chip is that of the only card of its driver, and of
// none where there are several.
func TestChipWithoutALink(t *testing.T) {
	chip := hwmon(6, "amdgpu", files{"temp1_input": "53000\n", "temp1_crit": "100000\n", "power1_average": "9000000\n"})
	one := join(chip, drmCard("card0", "i915", "0000:00:02.0", nil), drmCard("card1", "amdgpu", "0000:03:00.0", nil))
	s := sampleOf(t, one)
	if len(s.Temperatures) != 1 || s.Temperatures[0].Card != "pci/0000:03:00.0" || s.Power[0].Card != "pci/0000:03:00.0" {
		t.Errorf("the chip's readings are %+v, %+v", s.Temperatures, s.Power)
	}
	s = sampleOf(t, join(one, drmCard("card2", "amdgpu", "0000:c5:00.0", nil)))
	if len(s.Temperatures) != 1 || s.Temperatures[0].Card != "" {
		t.Errorf("of two cards one is taken: %+v", s.Temperatures)
	}
}

// watch collects the names of all files that are read.
type watch struct {
	mu    sync.Mutex
	names []string
}

func (w *watch) see(name string, _ []byte, _ error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names = append(w.names, name)
}

func (w *watch) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := w.names
	w.names = nil
	return names
}

// sleeper is a card with a chip, seen from both classes, that sleeps by the kernel's word.
func sleeper(status files) files {
	chip := files{"name": "amdgpu\n", "temp1_label": "edge\n", "temp1_input": "53000\n", "temp1_crit": "100000\n", "power1_average": "60000000\n", "power1_cap": "100000000\n"}
	return join(
		drmCard("card1", "amdgpu", "0000:03:00.0", join(status, files{"vendor": "0x1002\n", "device": "0x744c\n", "mem_info_vram_total": "8589934592\n", "mem_info_vram_used": "1\n", "gpu_busy_percent": "3\n", "gpu_metrics": ""}, under("hwmon/hwmon5", chip))),
		under("sys/class/hwmon/hwmon5", join(chip, files{"device/uevent": "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n"})),
		drmCard("card0", "i915", "0000:00:02.0", files{"vendor": "0x8086\n"}),
		hwmon(3, "coretemp", files{"temp1_label": "Package id 0\n", "temp1_input": "45000\n"}),
	)
}

// TestSleepingCard holds that of a suspended card nothing is read but whether it sleeps and what it is, and that what it
// showed before is then asleep, not missing.
func TestSleepingCard(t *testing.T) {
	root := tree(t, sleeper(files{"power/runtime_status": "active\n", "power_state": "D0\n"}))
	w := &watch{}
	p := NewPoller(Options{Sysroot: root, Clock: newStepClock(), Observe: w.see})
	s := p.Once(t.Context())
	const temp = "hwmon/amdgpu@0000:03:00.0/edge"
	want(t, s, temp, Num(53), StateOK)
	want(t, s, "pci/0000:03:00.0/vram_total", Num(8589934592), StateOK)
	for _, status := range []files{{"power/runtime_status": "suspended\n"}, {"power/runtime_status": "active\n", "power_state": "D3cold\n"}} {
		write(t, root, under("sys/class/drm/card1/device", status))
		w.take()
		s = p.Once(t.Context())
		want(t, s, temp, unknown, StateAsleep)
		want(t, s, temp+"/crit", unknown, StateAsleep)
		want(t, s, "pci/0000:03:00.0/vram_total", unknown, StateAsleep)
		want(t, s, "hwmon/coretemp/Package id 0", Num(45), StateOK)
		for _, c := range s.Cards {
			if c.Asleep != (c.ID == "pci/0000:03:00.0") {
				t.Errorf("%s is asleep: %v", c.ID, c.Asleep)
			}
		}
		for _, n := range w.take() {
			mine := strings.HasPrefix(n, "/sys/class/drm/card1/") || strings.HasPrefix(n, "/sys/class/hwmon/hwmon5/")
			allowed := strings.HasSuffix(n, "/power/runtime_status") || strings.HasSuffix(n, "/power_state") || strings.HasSuffix(n, "/uevent")
			if mine && !allowed {
				t.Errorf("%s of a sleeping card was read", n)
			}
		}
	}
	write(t, root, under("sys/class/drm/card1/device", files{"power/runtime_status": "active\n", "power_state": "D0\n"}))
	want(t, p.Once(t.Context()), temp, Num(53), StateOK)
}

// TestSleepingCardNeverSeenAwake holds that its sensors are asleep, not missing.
func TestSleepingCardNeverSeenAwake(t *testing.T) {
	s := sampleOf(t, sleeper(files{"power/runtime_status": "suspended\n", "power_state": "D3cold\n"}))
	want(t, s, "hwmon/amdgpu@0000:03:00.0/asleep", unknown, StateAsleep)
	if i := slices.IndexFunc(s.Temperatures, func(x Temperature) bool { return x.Card == "pci/0000:03:00.0" }); i < 0 || s.Temperatures[i].Role != RoleGPU {
		t.Error("no sensor of the card is listed")
	}
}

// TestSleepingChip holds the same for a chip that belongs to no card.
func TestSleepingChip(t *testing.T) {
	root := tree(t, hwmon(0, "nvme", files{"temp1_input": "40000\n", "device/power/runtime_status": "active\n"}))
	w := &watch{}
	p := NewPoller(Options{Sysroot: root, Clock: newStepClock(), Observe: w.see})
	p.env.rescan = rescanEvery
	want(t, p.Once(t.Context()), "hwmon/nvme/temp1", Num(40), StateOK)
	write(t, root, files{"sys/class/hwmon/hwmon0/device/power/runtime_status": "suspended\n"})
	w.take()
	want(t, p.Once(t.Context()), "hwmon/nvme/temp1", unknown, StateAsleep)
	if i := slices.IndexFunc(w.take(), func(n string) bool { return strings.HasSuffix(n, "temp1_input") }); i >= 0 {
		t.Error("the sleeping drive's sensor was read")
	}
}

// TestChipOfCard holds that a chip finds its card by folder or by address, and is listed once.
func TestChipOfCard(t *testing.T) {
	chip := files{"name": "amdgpu\n", "temp1_label": "edge\n", "temp1_input": "38000\n"}
	for name, f := range map[string]files{
		"in the card's folder alone": drmCard("card0", "amdgpu", "0000:03:00.0", under("hwmon/hwmon4", chip)),
		"in both":                    join(drmCard("card0", "amdgpu", "0000:03:00.0", under("hwmon/hwmon4", chip)), under("sys/class/hwmon/hwmon4", chip)),
		"by address":                 join(drmCard("card0", "amdgpu", "0000:03:00.0", nil), under("sys/class/hwmon/hwmon4", join(chip, files{"device/uevent": "PCI_SLOT_NAME=0000:03:00.0\n"}))),
		"without a display device":   under("sys/class/hwmon/hwmon4", join(chip, files{"device/uevent": "PCI_SLOT_NAME=0000:03:00.0\n"})),
	} {
		t.Run(name, func(t *testing.T) {
			s := sampleOf(t, f)
			if len(s.Temperatures) != 1 || s.Temperatures[0].Card != "pci/0000:03:00.0" || s.Temperatures[0].Role != RoleGPU {
				t.Errorf("the temperatures are %+v", s.Temperatures)
			}
		})
	}
}

// TestSoCZone holds that a system on a chip's GPU zone is its only card's.
func TestSoCZone(t *testing.T) {
	s := sampleOf(t, join(thermalZone(0, "gpu-thermal", "47000", "passive 85000"), files{"sys/class/drm/card0/device/uevent": "DRIVER=panfrost\nOF_NAME=gpu\n"}))
	if len(s.Temperatures) != 1 || s.Temperatures[0].Role != RoleGPU || s.Temperatures[0].Card != "drm/card0" {
		t.Errorf("the temperatures are %+v", s.Temperatures)
	}
}

func TestNPUs(t *testing.T) {
	accel := func(n, uevent string, f files) files {
		return under("sys/class/accel/"+n+"/device", join(f, files{"uevent": uevent}))
	}
	s := sampleOf(t, join(
		accel("accel0", "DRIVER=intel_vpu\nPCI_SLOT_NAME=0000:00:0b.0\n", files{"npu_busy_time_us": "5\n", "power/runtime_status": "suspended\n"}),
		accel("accel1", "DRIVER=amdxdna\nPCI_SLOT_NAME=0000:c6:00.1\n", nil),
		accel("accel2", "DRIVER=rocket\nOF_NAME=npu\n", nil),
		accel("accel3", "DRIVER=habanalabs\n", nil),
		accel("accel4", "", nil),
		files{"sys/class/drm/card1/device/uevent": "DRIVER=RKNPU\nOF_NAME=npu\n"},
	))
	var got []string
	for _, u := range s.NPUs {
		got = append(got, u.Name+" "+u.State.String())
	}
	w := "Intel NPU ok, AMD XDNA NPU ok, Rockchip NPU ok, Habana accelerator ok, neural processor ok, Rockchip NPU ok"
	if strings.Join(got, ", ") != w {
		t.Errorf("the NPUs are %s, want %s", strings.Join(got, ", "), w)
	}
	for _, dir := range []string{"sys/bus/platform/drivers/RKNPU/fdab0000.npu/", "sys/class/devfreq/fdab0000.npu/"} {
		if s := sampleOf(t, files{dir: ""}); len(s.NPUs) != 1 || s.NPUs[0].Name != "Rockchip NPU" {
			t.Errorf("%s shows %+v", dir, s.NPUs)
		}
	}
	if !s.NPUs[0].Asleep || s.NPUs[1].Asleep {
		t.Error("which of them sleeps is wrong")
	}
	if len(s.Cards) != 0 {
		t.Errorf("an NPU is listed as a card: %+v", s.Cards)
	}
}
