package sensors

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recorded are the recorded machines that the tests share.
func recorded(t *testing.T) map[string]files {
	t.Helper()
	names, err := filepath.Glob("hostfile/testdata/hosts/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no recorded machines: %v", err)
	}
	hosts := map[string]files{}
	for _, n := range names {
		data, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		var h struct{ Files files }
		if err := json.Unmarshal(data, &h); err != nil {
			t.Fatal(err)
		}
		hosts[strings.TrimSuffix(filepath.Base(n), ".json")] = h.Files
	}
	return hosts
}

// TestRecordedHosts holds that each recorded machine is read whole, and well.
func TestRecordedHosts(t *testing.T) {
	for name, f := range recorded(t) {
		t.Run(name, func(t *testing.T) { checkHost(t, f) })
	}
}

// TestMadeHosts holds the same for 200 machines that mix the faults seen in the field.
func TestMadeHosts(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := &maker{rand.New(rand.NewPCG(seed, 7)), files{}}
			m.host()
			checkHost(t, m.files)
		})
	}
}

// checkHost polls a machine twice, a second apart, and looks at every reading.
func checkHost(t *testing.T, f files) {
	t.Helper()
	root := tree(t, f)
	clock := newStepClock()
	p := NewPoller(Options{Sysroot: root, Clock: clock})
	for range 2 {
		s := p.Once(t.Context())
		checkSample(t, s)
		clock.step(1e9)
	}
}

func checkSample(t *testing.T, s Sample) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range Readings(s) {
		v, known := r.Value.Get()
		switch {
		case seen[r.ID]:
			t.Errorf("%s is listed twice", r.ID)
		case r.Kind == "" || r.Source == "":
			t.Errorf("%s has kind %q and source %q", r.ID, r.Kind, r.Source)
		case r.State != StateOK && r.Detail == "":
			t.Errorf("%s is %s and does not say why", r.ID, r.State)
		case r.State == StateOK && !known && r.Kind != "source":
			t.Errorf("%s is ok, but unknown", r.ID)
		case known && !r.Usable():
			t.Errorf("%s is %v though %s", r.ID, v, r.State)
		case known && (math.IsNaN(v) || math.IsInf(v, 0) || v < 0):
			t.Errorf("%s is %v", r.ID, v)
		case known && r.Kind == "temperature" && !plausibleTemp.holds(v), known && r.Kind == "limit" && r.Unit == Celsius && !plausibleLimit.holds(v):
			t.Errorf("%s is %v °C", r.ID, v)
		case known && r.Unit == Percent && v > 100 && r.Kind != "self":
			t.Errorf("%s is %v %%", r.ID, v)
		case r.Kind == "limit" && r.Unit == Milliwatt && known && (v == 0 || v > maxLimitMW):
			t.Errorf("%s is %v mW", r.ID, v)
		case r.At.IsZero():
			t.Errorf("%s was read at no time", r.ID)
		case strings.Contains(r.Detail, "the reader failed"):
			t.Errorf("%s: %s", r.ID, r.Detail)
		}
		seen[r.ID] = true
	}
	for _, temp := range s.Temperatures {
		if temp.Role != RoleOther && slices.ContainsFunc([]string{"acpitz", "nvme", "iwlwifi_1", "nct6798", "drivetemp"}, func(n string) bool { return temp.Chip == n }) {
			t.Errorf("%s may drive a decision", temp.Value.ID)
		}
	}
	if v, a := s.Memory.Total.Value.Or(0), s.Memory.Available.Value.Or(0); a > v {
		t.Errorf("%v bytes of %v are available", a, v)
	}
	for _, c := range s.Cards {
		if c.Asleep && c.VRAMUsed.State != StateAsleep {
			t.Errorf("%s sleeps, but was read", c.ID)
		}
	}
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}
}

// maker makes a machine at random.
type maker struct {
	*rand.Rand
	files files
}

func (m *maker) chance(percent int) bool { return m.IntN(100) < percent }

func (m *maker) pick(list ...string) string { return list[m.IntN(len(list))] }

// put writes a value as hardware would, or as broken hardware does.
func (m *maker) put(name, value string) {
	delete(m.files, name)
	delete(m.files, name+"/")
	switch {
	case m.chance(82):
		m.files[name] = value + "\n"
	case m.chance(20):
		m.files[name] = value
	case m.chance(20):
		m.files[name+"/"] = ""
	case m.chance(50):
		m.files[name] = m.pick("", "\n", "nan\n", "inf\n", "-1\n", "0\n", "N/A\n", "0x1f\n", "1e9\n", "-273150\n", "-268800\n", "65261850\n", "255000\n",
			"4294967295\n", "18446744073709551615\n", "-9223372036854775808\n", "99999999999999999999999\n", "\x00\xff\xfe\n", strings.Repeat("7", 9000))
	}
}

func (m *maker) number(low, high int64) string { return fmt.Sprint(low + m.Int64N(high-low)) }

func (m *maker) host() {
	m.memory()
	for i := range m.IntN(6) {
		m.chip(m.pick("hwmon", "hwmon1") + fmt.Sprint(i))
	}
	for i := range m.IntN(5) {
		m.zone(fmt.Sprint("thermal_zone", i*m.IntN(4)))
	}
	for i := range m.IntN(3) {
		m.card(i)
	}
	for i := range m.IntN(3) {
		m.pack(fmt.Sprint("BAT", i))
	}
	if m.chance(60) {
		m.put("sys/class/power_supply/AC/type", m.pick("Mains", "USB", "UPS", "mains"))
		m.put("sys/class/power_supply/AC/online", m.pick("0", "1", "2"))
	}
	for i := range m.IntN(4) {
		m.rapl(m.pick("intel-rapl:", "intel-rapl-mmio:", "intel-rapl:0:", "amd-rapl:") + fmt.Sprint(i))
	}
	for i := range m.IntN(4) {
		dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/", i)
		m.put(dir+"thermal_throttle/core_throttle_count", m.number(0, 100))
		m.put(dir+"thermal_throttle/package_throttle_count", m.number(0, 100))
		m.put(fmt.Sprintf("sys/devices/system/cpu/cpufreq/policy%d/scaling_cur_freq", i), m.number(400000, 5000000))
		m.put(fmt.Sprintf("sys/devices/system/cpu/cpufreq/policy%d/cpuinfo_max_freq", i), "5000000")
	}
	if m.chance(30) {
		m.put("sys/class/accel/accel0/device/uevent", m.pick("DRIVER=intel_vpu", "DRIVER=amdxdna\nPCI_SLOT_NAME=0000:c6:00.1", "nonsense"))
	}
	if m.chance(30) {
		m.put("nvidia-smi.csv", nvidiaHeader+"00000000:1"+m.number(1, 9)+":00.0, NVIDIA X, "+m.pick("71", "[N/A]", "-5", "nan")+", 13, 310.5, "+m.pick("450", "0", "[N/A]", "1e9")+
			", "+m.pick("24564", "[N/A]", "-1")+", 8192, 400, "+m.pick("97", "255")+", 2520, 3105, "+m.pick("0x24", "[N/A]", "soon"))
	}
	if m.chance(30) {
		for k, v := range proc(100+m.IntN(9), m.pick("ollama", "llama-server", "bash"), m.IntN(1000), m.IntN(1<<20), m.IntN(1<<22), m.IntN(1<<22), files{
			"fdinfo/5": "drm-driver:\tamdgpu\ndrm-pdev:\t0000:03:00.0\ndrm-memory-vram:\t" + m.pick("12 MiB", "-1", "99999999999999999999 KiB") + "\n",
		}) {
			m.put(k, strings.TrimSuffix(v, "\n"))
		}
	}
}

func (m *maker) memory() {
	total := 1<<20 + m.IntN(64<<20)
	text := fmt.Sprintf("MemTotal: %d kB\nMemFree: %d kB\nCached: %d kB\nSReclaimable: %d kB\n", total, m.IntN(total), m.IntN(total), m.IntN(total))
	if m.chance(80) {
		text += fmt.Sprintf("MemAvailable: %d kB\nSwapTotal: %d kB\nSwapFree: %d kB\n", m.IntN(total*11/10), m.IntN(total), m.IntN(total))
	}
	m.put("proc/meminfo", text)
	m.put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Made CPU\ncpu MHz\t\t: "+m.pick("2100.000", "nan", "-1"))
	m.put("proc/stat", "cpu  100 0 100 1000 0 0 0 0 0 0\ncpu0 10 0 10 100 0 0 0 0 0 0")
	m.put("proc/loadavg", m.pick("0.10 0.20 0.30 1/100 5", "nan", "-1 2 3", "x"))
	group := m.pick("/", "/a", "/a/b", "/../x", "no slash")
	m.put("proc/self/cgroup", m.pick("0::", "4:memory:", "4:cpu,memory:", "nonsense")+group)
	for _, dir := range []string{"sys/fs/cgroup", "sys/fs/cgroup/a", "sys/fs/cgroup/memory", "sys/fs/cgroup/memory/a"} {
		if m.chance(30) {
			m.put(dir+"/memory.max", m.pick("max", m.number(1<<20, 1<<34)))
			m.put(dir+"/memory.current", m.number(1<<20, 1<<34))
			m.put(dir+"/memory.stat", "inactive_file "+m.number(0, 1<<30))
			m.put(dir+"/memory.limit_in_bytes", m.pick("9223372036854771712", m.number(1<<20, 1<<34)))
			m.put(dir+"/memory.usage_in_bytes", m.number(1<<20, 1<<34))
		}
	}
}

func (m *maker) temps(dir string) {
	for i := range 1 + m.IntN(3) {
		base := fmt.Sprintf("%s/temp%d_", dir, i+1)
		m.put(base+"input", m.number(20000, 110000))
		if m.chance(60) {
			m.put(base+"label", m.pick("Package id 0", "Package id 1", "Core 0", "Tctl", "Tdie", "edge", "junction", "mem", "Composite"))
		}
		if m.chance(60) {
			m.put(base+"crit", m.number(50000, 130000))
		}
		if m.chance(10) {
			m.put(base+"fault", m.pick("0", "1"))
		}
	}
}

func (m *maker) chip(n string) {
	dir := "sys/class/hwmon/" + n
	m.put(dir+"/name", m.pick("coretemp", "k10temp", "zenpower", "acpitz", "nvme", "iwlwifi_1", "nct6798", "cpu_thermal", "drivetemp", "amdgpu"))
	m.temps(dir)
	if m.chance(30) {
		m.put(dir+"/power1_input", m.number(0, 300000000))
		m.put(dir+"/power1_cap", m.number(0, 2000000000))
		m.put(dir+"/energy2_input", m.number(0, 1<<40))
	}
	if m.chance(20) {
		m.put(dir+"/device/power/runtime_status", m.pick("active", "suspended", "unsupported"))
	}
}

func (m *maker) zone(n string) {
	dir := "sys/class/thermal/" + n
	m.put(dir+"/type", m.pick("x86_pkg_temp", "cpu-thermal", "acpitz", "INT3400 Thermal", "soc-thermal", "gpu-thermal", "iwlwifi_1"))
	m.put(dir+"/temp", m.number(20000, 110000))
	m.put(dir+"/mode", m.pick("enabled", "disabled"))
	for i := range m.IntN(3) {
		m.put(fmt.Sprintf("%s/trip_point_%d_type", dir, i), m.pick("passive", "hot", "critical", "active"))
		m.put(fmt.Sprintf("%s/trip_point_%d_temp", dir, i), m.number(-300000, 130000))
	}
}

func (m *maker) card(i int) {
	dir := fmt.Sprintf("sys/class/drm/card%d/device", i)
	driver := m.pick("amdgpu", "i915", "xe", "nvidia", "nouveau", "virtio-pci", "RKNPU")
	m.put(dir+"/uevent", fmt.Sprintf("DRIVER=%s\nPCI_SLOT_NAME=0000:0%d:00.0", driver, i+m.IntN(2)))
	m.put(dir+"/vendor", m.pick("0x1002", "0x8086", "0x10de"))
	m.put(dir+"/power/runtime_status", m.pick("active", "active", "suspended"))
	m.put(dir+"/power_state", m.pick("D0", "D0", "D3cold", "unknown"))
	for _, f := range []string{"mem_info_vram_total", "mem_info_vram_used", "mem_info_gtt_total", "mem_info_gtt_used"} {
		m.put(dir+"/"+f, m.number(0, 1<<35))
	}
	m.put(dir+"/gpu_busy_percent", m.number(0, 120))
	m.put(dir+"/gpu_metrics", metrics(byte(1+m.IntN(3)), byte(m.IntN(5)), 264, 8*m.IntN(32), m.Uint64()))
	m.put(dir+"/tile0/gt0/freq0/act_freq", m.number(0, 3000))
	m.put(dir+"/tile0/gt0/freq0/throttle/reason_thermal", m.pick("0", "1"))
	if m.chance(50) {
		chip := fmt.Sprintf("%s/hwmon/hwmon%d", dir, 20+i)
		m.put(chip+"/name", driver)
		m.temps(chip)
		m.put(chip+"/power1_average", m.number(0, 300000000))
		m.put(chip+"/power1_cap", m.number(0, 400000000))
		m.put(chip+"/freq1_input", m.number(0, 3000000000))
	}
}

func (m *maker) pack(n string) {
	dir := "sys/class/power_supply/" + n + "/"
	m.put(dir+"type", m.pick("Battery", "Battery", "battery", "UPS"))
	m.put(dir+"status", m.pick("Charging", "Discharging", "Full", "Not charging", "Unknown", "???"))
	if m.chance(30) {
		m.put(dir+"scope", m.pick("Device", "System", "Unknown"))
	}
	for _, f := range []string{"energy_now", "energy_full", "energy_full_design", "charge_now", "charge_full", "power_now", "current_now", "voltage_now"} {
		if m.chance(50) {
			m.put(dir+f, m.number(-1000000, 90000000))
		}
	}
	m.put(dir+"capacity", m.number(-5, 130))
	m.put(dir+"present", m.pick("0", "1", "1"))
}

func (m *maker) rapl(n string) {
	dir := "sys/class/powercap/" + n + "/"
	m.put(dir+"name", m.pick("package-0", "package-1", "core", "dram", "psys"))
	m.put(dir+"energy_uj", m.number(0, 1<<40))
	m.put(dir+"max_energy_range_uj", "262143328850")
	m.put(dir+"constraint_0_name", m.pick("long_term", "short_term"))
	m.put(dir+"constraint_0_power_limit_uw", m.pick("0", "28000000", "3408250000"))
	m.put(dir+"enabled", m.pick("0", "1"))
}
