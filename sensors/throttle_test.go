package sensors

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"
)

// pollTwice makes a sample, changes the tree, lets a second pass and makes another.
func pollTwice(t *testing.T, f, change files) (Sample, Sample) {
	t.Helper()
	root := tree(t, f)
	clock := newStepClock()
	p := NewPoller(Options{Sysroot: root, Clock: clock})
	first := p.sample(t.Context())
	write(t, root, change)
	clock.step(time.Second)
	return first, p.sample(t.Context())
}

func cpuFolder(n int, pkg, siblings string, counts files) files {
	dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d", n)
	return join(under(dir+"/thermal_throttle", counts), files{dir + "/topology/physical_package_id": pkg + "\n", dir + "/topology/core_cpus_list": siblings + "\n"})
}

func TestThrottleCounters(t *testing.T) {
	counts := func(core, pkg string) files {
		return files{"core_throttle_count": core + "\n", "package_throttle_count": pkg + "\n"}
	}
	machine := join(cpuFolder(0, "0", "0,2", counts("5", "100")), cpuFolder(1, "0", "1,3", counts("7", "100")), cpuFolder(2, "0", "0,2", counts("5", "100")), cpuFolder(3, "0", "1,3", counts("7", "100")))
	first, second := pollTwice(t, machine, files{
		"sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count":    "9\n",
		"sys/devices/system/cpu/cpu3/thermal_throttle/core_throttle_count":    "9\n",
		"sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "100\n",
	})
	want(t, first, "throttle/cpu/core_throttle", unknown, StateNotOffered)
	// Siblings share a counter, which counts once.
	if r := want(t, second, "throttle/cpu/core_throttle", Num(1), StateOK); !strings.Contains(r.Detail, "2 events") {
		t.Errorf("the detail is %q", r.Detail)
	}
	want(t, second, "throttle/cpu/package_throttle", Num(0), StateOK)
	for _, f := range second.Throttle {
		if f.Device != "cpu" || f.Reason != "thermal" {
			t.Errorf("the flag is %+v", f)
		}
	}
}

// TestThrottleHolds holds that throttling lasts a moment beyond the event that is counted, and then ends.
func TestThrottleHolds(t *testing.T) {
	root := tree(t, cpuFolder(0, "0", "0", files{"package_throttle_count": "1\n"}))
	clock := newStepClock()
	p := NewPoller(Options{Sysroot: root, Clock: clock})
	p.sample(t.Context())
	write(t, root, files{"sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "2\n"})
	var got []string
	for range 6 {
		clock.step(time.Second)
		got = append(got, fmt.Sprint(reading(t, p.sample(t.Context()), "throttle/cpu/package_throttle").Value.Or(-1)))
	}
	if s := strings.Join(got, " "); s != "1 1 1 0 0 0" {
		t.Errorf("throttling is %s", s)
	}
	// A counter that falls is another one.
	write(t, root, files{"sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "0\n"})
	clock.step(time.Second)
	want(t, p.sample(t.Context()), "throttle/cpu/package_throttle", unknown, StateNotOffered)
}

func TestCoolingDevices(t *testing.T) {
	device := func(n int, kind, state string) files {
		return under(fmt.Sprintf("sys/class/thermal/cooling_device%d", n), files{"type": kind + "\n", "cur_state": state + "\n"})
	}
	s := sampleOf(t, join(device(0, "intel_powerclamp", "-1"), device(1, "Fan", "3"), device(2, "Processor", "0")))
	want(t, s, "throttle/cpu/cooling", Num(0), StateOK)
	s = sampleOf(t, join(device(0, "intel_powerclamp", "-1"), device(1, "thermal-cpufreq-0", "2")))
	want(t, s, "throttle/cpu/cooling", Num(1), StateOK)
	s = sampleOf(t, join(device(0, "Processor", "garbage")))
	want(t, s, "throttle/cpu/cooling", unknown, StateNotOffered)
}

func amdgpu(metrics string) files {
	return drmCard("card0", "amdgpu", "0000:03:00.0", files{"gpu_metrics": metrics})
}

// metrics makes a gpu_metrics table with 64 bits set at one place.
func metrics(format, content byte, size, at int, bits uint64) string {
	data := make([]byte, size)
	binary.LittleEndian.PutUint16(data, uint16(size))
	data[2], data[3] = format, content
	binary.LittleEndian.PutUint64(data[at:], bits)
	return string(data)
}

func TestAMDGPUThrottle(t *testing.T) {
	const id = "throttle/pci/0000:03:00.0/"
	s := sampleOf(t, amdgpu(metrics(1, 3, 120, 112, 1<<36)))
	want(t, s, id+"thermal", Num(1), StateOK)
	want(t, s, id+"power", Num(0), StateOK)
	want(t, s, id+"current", Num(0), StateOK)
	s = sampleOf(t, amdgpu(metrics(2, 2, 128, 120, 1<<64-1)))
	want(t, s, id+"other", unknown, StateNotOffered)
	s = sampleOf(t, amdgpu("garbage"))
	want(t, s, id+"other", unknown, StateNotOffered)
	// Counters of a newer APU, and its package limit, which it states nowhere else.
	table := []byte(metrics(3, 0, 264, 244, 7))
	binary.LittleEndian.PutUint32(table[112:], 18000)
	binary.LittleEndian.PutUint16(table[172:], 28000)
	quiet := string(table)
	binary.LittleEndian.PutUint32(table[236:], 50)
	first, second := pollTwice(t, amdgpu(quiet), files{"sys/class/drm/card0/device/gpu_metrics": string(table)})
	want(t, first, id+"power", unknown, StateNotOffered)
	want(t, second, id+"power", Num(1), StateOK)
	want(t, second, id+"thermal", Num(0), StateOK)
	want(t, second, "gpu_metrics@0000:03:00.0/STAPM/limit", Num(28000), StateOK)
	want(t, second, "gpu_metrics@0000:03:00.0/STAPM/draw", Num(18000), StateOK)
}

func TestIntelThrottle(t *testing.T) {
	const id = "throttle/pci/0000:03:00.0/"
	xe := func(f files) files {
		return drmCard("card0", "xe", "0000:03:00.0", under("tile0/gt0/freq0", join(f, files{"act_freq": "2400\n", "cur_freq": "2450\n", "rp0_freq": "2850\n"})))
	}
	s := sampleOf(t, xe(files{"throttle/status": "1\n", "throttle/reason_pl1": "1\n", "throttle/reason_pl2": "0\n", "throttle/reason_thermal": "0\n", "throttle/reason_prochot": "0\n", "throttle/reason_vr_tdc": "0\n"}))
	if r := want(t, s, id+"power", Num(1), StateOK); !strings.Contains(r.Detail, "reason_pl1") {
		t.Errorf("the detail is %q", r.Detail)
	}
	want(t, s, id+"thermal", Num(0), StateOK)
	want(t, s, id+"current", Num(0), StateOK)
	want(t, s, "pci/0000:03:00.0/clock", Num(2400), StateOK)
	want(t, s, "pci/0000:03:00.0/clock_max", Num(2850), StateOK)

	i915 := join(
		drmCard("card0", "i915", "0000:03:00.0", nil),
		under("sys/class/drm/card0/gt/gt0", files{
			"throttle_reason_status": "1\n", "throttle_reason_thermal": "1\n", "throttle_reason_pl1": "0\n", "throttle_reason_ratl": "0\n",
			"rps_act_freq_mhz": "0\n", "rps_cur_freq_mhz": "350\n", "rps_RP0_freq_mhz": "1350\n",
		}),
	)
	s = sampleOf(t, i915)
	want(t, s, id+"thermal", Num(1), StateOK)
	want(t, s, id+"power", Num(0), StateOK)
	if r := want(t, s, "pci/0000:03:00.0/clock", Num(350), StateOK); !strings.Contains(r.Detail, "idle") {
		t.Errorf("the detail is %q", r.Detail)
	}
	s = sampleOf(t, drmCard("card0", "i915", "0000:00:02.0", nil))
	if len(s.Throttle) != 0 || len(s.Clocks) != 1 {
		t.Errorf("a card that tells nothing shows %+v, %+v", s.Throttle, s.Clocks)
	}
}

func TestClocks(t *testing.T) {
	policy := func(n int, now, limit string) files {
		return under(fmt.Sprintf("sys/devices/system/cpu/cpufreq/policy%d", n), files{"scaling_cur_freq": now + "\n", "cpuinfo_max_freq": limit + "\n"})
	}
	s := sampleOf(t, join(policy(0, "800000", "4700000"), policy(2, "3100000", "4700000"), policy(10, "2200000", "3600000")))
	want(t, s, "cpu/clock", Num(3100), StateOK)
	want(t, s, "cpu/clock_max", Num(4700), StateOK)
	s = sampleOf(t, join(policy(0, "garbage", "0"), policy(1, "-1", "4700000")))
	if r := reading(t, s, "cpu/clock"); r.Value.Known() {
		t.Errorf("garbage is a clock of %v", r.Value)
	}
	want(t, s, "cpu/clock_max", Num(4700), StateOK)
	s = sampleOf(t, files{"proc/cpuinfo": "processor\t: 0\ncpu MHz\t\t: 2100.000\n"})
	want(t, s, "cpu/clock", Num(2100), StateOK)
	want(t, s, "cpu/clock_max", unknown, StateNotOffered)

	s = sampleOf(t, join(
		drmCard("card0", "amdgpu", "0000:03:00.0", files{"pp_dpm_sclk": "0: 500Mhz\n1: 1800Mhz *\n2: 2575Mhz\n"}),
		hwmon(1, "amdgpu", files{"freq1_input": "1800000000\n", "freq1_label": "sclk\n", "device/uevent": "PCI_SLOT_NAME=0000:03:00.0\n"}),
	))
	want(t, s, "pci/0000:03:00.0/clock", Num(1800), StateOK)
	want(t, s, "pci/0000:03:00.0/clock_max", Num(2575), StateOK)
}

// TestIntelBusy holds that a card that counts no work is as busy as it is not off.
func TestIntelBusy(t *testing.T) {
	f := join(drmCard("card0", "i915", "0000:00:02.0", nil), under("sys/class/drm/card0/gt/gt0", files{"rps_act_freq_mhz": "900\n", "rc6_residency_ms": "5000\n"}))
	first, second := pollTwice(t, f, files{"sys/class/drm/card0/gt/gt0/rc6_residency_ms": "5700\n"})
	want(t, first, "pci/0000:00:02.0/busy", unknown, StateNotOffered)
	if r := reading(t, second, "pci/0000:00:02.0/busy"); r.State != StateOK || r.Value.Or(-1) < 29.9 || r.Value.Or(-1) > 30.1 {
		t.Errorf("the card is busy %v %%: %s", r.Value, r.Detail)
	}
}
