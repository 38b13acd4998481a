package sensors

import (
	"context"
	"fmt"
	"testing"
)

// laptop is a well equipped machine: 16 threads, two packs, a card and an NPU, a dozen chips and zones.
func laptop() files {
	f := join(
		meminfo(32<<20, 12<<20, 24<<20),
		files{"proc/self/cgroup": "0::/user.slice/app.scope\n", "proc/loadavg": "0.10 0.20 0.30 1/100 5\n", "proc/stat": "cpu  100 0 100 1000 0 0 0 0 0 0\n"},
		supply("AC", "Mains", files{"online": "1\n"}),
		raplZone("intel-rapl:0", "package-0", join(longTerm("28000000"), files{"energy_uj": "5\n", "max_energy_range_uj": "262143328850\n"})),
		raplZone("intel-rapl:0:0", "core", files{"energy_uj": "5\n"}), raplZone("intel-rapl:1", "psys", files{"energy_uj": "5\n"}),
		drmCard("card0", "amdgpu", "0000:03:00.0", files{
			"vendor": "0x1002\n", "mem_info_vram_total": "8589934592\n", "mem_info_vram_used": "1\n", "mem_info_gtt_total": "16441004032\n", "mem_info_gtt_used": "1\n",
			"gpu_busy_percent": "7\n", "gpu_metrics": metrics(1, 3, 120, 112, 0), "power/runtime_status": "active\n", "power_state": "D0\n",
		}),
		hwmon(8, "amdgpu", files{
			"device/uevent": "PCI_SLOT_NAME=0000:03:00.0\n", "temp1_label": "edge\n", "temp1_input": "53000\n", "temp1_crit": "100000\n", "temp2_label": "junction\n", "temp2_input": "61000\n",
			"temp2_crit": "110000\n", "power1_average": "68000000\n", "power1_cap": "290000000\n", "freq1_input": "1800000000\n",
		}),
		under("sys/class/accel/accel0/device", files{"uevent": "DRIVER=amdxdna\n"}),
	)
	core := files{"temp1_label": "Package id 0\n", "temp1_input": "60000\n", "temp1_crit": "100000\n"}
	for i := range 8 {
		core[fmt.Sprintf("temp%d_label", i+2)] = fmt.Sprintf("Core %d\n", i)
		core[fmt.Sprintf("temp%d_input", i+2)] = "58000\n"
		core[fmt.Sprintf("temp%d_crit", i+2)] = "100000\n"
	}
	f = join(f, hwmon(2, "coretemp", core))
	for i := range 4 {
		f = join(f, hwmon(10+i, "nvme", files{"temp1_label": "Composite\n", "temp1_input": "40000\n", "temp1_crit": "85000\n"}))
		f = join(f, thermalZone(i, fmt.Sprintf("SEN%d", i), "45000", "critical 105000", "passive 90000"))
	}
	for i := range 2 {
		f = join(f, supply(fmt.Sprint("BAT", i), "Battery", files{
			"status": "Full\n", "present": "1\n", "energy_now": "40000000\n", "energy_full": "50000000\n", "energy_full_design": "57000000\n", "power_now": "0\n", "voltage_now": "12233000\n", "capacity": "80\n",
		}))
	}
	for i := range 16 {
		f = join(f, cpuFolder(i, "0", fmt.Sprintf("%d,%d", i%8, i%8+8), files{"core_throttle_count": "0\n", "package_throttle_count": "0\n"}))
		f = join(f, under(fmt.Sprintf("sys/devices/system/cpu/cpufreq/policy%d", i), files{"scaling_cur_freq": "3100000\n", "cpuinfo_max_freq": "4700000\n"}))
	}
	return f
}

// BenchmarkRoundLive is one warm round of all sources on the machine that runs it.
func BenchmarkRoundLive(b *testing.B) { benchmarkRound(b, NewPoller(Options{})) }

// BenchmarkRoundLaptop is one warm round on a well equipped laptop's tree, kept as a live machine's is.
func BenchmarkRoundLaptop(b *testing.B) {
	p := NewPoller(Options{Sysroot: tree(b, laptop())})
	p.env.rescan = rescanEvery
	benchmarkRound(b, p)
}

// BenchmarkRoundFresh is the same with every folder looked at anew, as a recorded tree is.
func BenchmarkRoundFresh(b *testing.B) {
	benchmarkRound(b, NewPoller(Options{Sysroot: tree(b, laptop())}))
}

func benchmarkRound(b *testing.B, p *Poller) {
	p.Once(context.Background())
	n := len(Readings(p.sample(context.Background())))
	b.ReportAllocs()
	before := ownCost().cpu
	for b.Loop() {
		p.sample(context.Background())
	}
	b.ReportMetric(float64((ownCost().cpu-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(n), "readings")
}

// BenchmarkProcesses is one walk over the processes of the machine that runs it; it comes every few seconds.
func BenchmarkProcesses(b *testing.B) {
	e := NewPoller(Options{}).env
	f := &processFamily{env: e, nvidia: nvidiaFamily{env: e}}
	for b.Loop() {
		f.read(context.Background())
	}
}
