package sensors

import (
	"fmt"
	"strings"
	"testing"
)

// hwmon makes a chip's folder.
func hwmon(n int, name string, f files) files {
	dir := fmt.Sprintf("sys/class/hwmon/hwmon%d", n)
	return join(under(dir, f), files{dir + "/name": name + "\n"})
}

// thermalZone makes a zone's folder; trips are "type temperature" in m°C.
func thermalZone(n int, kind, temp string, trips ...string) files {
	dir := fmt.Sprintf("sys/class/thermal/thermal_zone%d", n)
	f := files{dir + "/type": kind + "\n", dir + "/temp": temp + "\n", dir + "/mode": "enabled\n"}
	for i, trip := range trips {
		k, v, _ := strings.Cut(trip, " ")
		f[fmt.Sprintf("%s/trip_point_%d_type", dir, i)] = k + "\n"
		f[fmt.Sprintf("%s/trip_point_%d_temp", dir, i)] = v + "\n"
	}
	return f
}

// TestTemperatureLayouts holds what is right for layouts seen in the field.
func TestTemperatureLayouts(t *testing.T) {
	type expect struct {
		id    string
		value Number
		state State
	}
	tests := []struct {
		name string
		tree files
		want []expect
	}{
		{
			"a tablet's acpitz is noise, its package zone is not",
			join(thermalZone(0, "acpitz", "-268800"), thermalZone(1, "x86_pkg_temp", "46000")),
			[]expect{{"thermal/acpitz", unknown, StateImplausible}, {"thermal/x86_pkg_temp", Num(46), StateOK}},
		},
		{
			"a limit of 20.8 is no limit",
			join(hwmon(0, "acpitz", files{"temp1_input": "16800\n", "temp1_crit": "20800\n"}), hwmon(2, "k10temp", files{"temp1_label": "Tctl\n", "temp1_input": "42500\n"})),
			[]expect{
				{"hwmon/acpitz/temp1/crit", unknown, StateImplausible},
				{"hwmon/k10temp/Tctl", Num(42.5), StateOK},
				{"hwmon/k10temp/Tctl/crit", unknown, StateNotOffered},
			},
		},
		{
			"critical trips above 125 and passive ones below 0 do not count",
			join(thermalZone(0, "acpitz", "25000", "critical 126050", "hot 96050", "passive 80050"), thermalZone(3, "x86_pkg_temp", "51000", "passive -274000")),
			[]expect{
				{"thermal/acpitz/trip 0", unknown, StateImplausible},
				{"thermal/acpitz/trip 1", Num(96.05), StateOK},
				{"thermal/x86_pkg_temp/trip 0", unknown, StateNotOffered},
			},
		},
		{
			"a Wi-Fi sensor that fails takes nothing with it",
			join(hwmon(3, "coretemp", files{"temp1_label": "Package id 0\n", "temp1_input": "37000\n", "temp1_max": "100000\n", "temp1_crit": "100000\n"}), hwmon(5, "iwlwifi_1", files{"temp1_input/": ""})),
			[]expect{
				{"hwmon/coretemp/Package id 0", Num(37), StateOK},
				{"hwmon/coretemp/Package id 0/crit", Num(100), StateOK},
				{"hwmon/iwlwifi_1/temp1", unknown, StateError},
			},
		},
		{
			"-273.15 and 0 are how drivers leave a limit unset",
			join(hwmon(0, "nvme", files{"temp1_input": "40850\n", "temp1_crit": "-273150\n"}), hwmon(1, "drivetemp", files{"temp1_input": "31000\n", "temp1_crit": "0\n"})),
			[]expect{{"hwmon/nvme/temp1/crit", unknown, StateNotOffered}, {"hwmon/drivetemp/temp1/crit", unknown, StateNotOffered}},
		},
		{
			"a card without a memory sensor reads 0 there",
			hwmon(0, "amdgpu", files{"temp3_label": "mem\n", "temp3_input": "0\n", "temp3_crit": "105000\n"}),
			[]expect{{"hwmon/amdgpu/mem", unknown, StateImplausible}},
		},
		{
			"xe states no temp1, and its max is not its limit",
			hwmon(0, "xe", files{"temp2_label": "pkg\n", "temp2_input": "54000\n", "temp2_max": "60000\n", "temp2_crit": "100000\n", "temp2_emergency": "125000\n"}),
			[]expect{{"hwmon/xe/pkg", Num(54), StateOK}, {"hwmon/xe/pkg/crit", Num(100), StateOK}},
		},
		{
			"no number, and numbers that no machine has",
			hwmon(0, "odd", files{"temp1_input": "nan\n", "temp2_input": "65261850\n", "temp3_input": "", "temp4_input": "1e4\n", "temp5_input": "-65000\n", "temp6_input": "99999999999999999999\n", "temp7_input": "45000", "temp8_input": "45000\x00\n"}),
			[]expect{
				{"hwmon/odd/temp1", unknown, StateError},
				{"hwmon/odd/temp2", unknown, StateImplausible},
				{"hwmon/odd/temp3", unknown, StateError},
				{"hwmon/odd/temp4", unknown, StateError},
				{"hwmon/odd/temp5", unknown, StateImplausible},
				{"hwmon/odd/temp6", unknown, StateError},
				{"hwmon/odd/temp7", Num(45), StateOK},
				{"hwmon/odd/temp8", Num(45), StateOK},
			},
		},
		{
			"a sensor that says it is broken or off",
			hwmon(0, "nct6775", files{"temp1_input": "30000\n", "temp1_fault": "1\n", "temp2_input": "31000\n", "temp2_enable": "0\n", "temp3_input": "32000\n", "temp3_fault": "0\n", "temp3_enable": "1\n"}),
			[]expect{{"hwmon/nct6775/temp1", unknown, StateError}, {"hwmon/nct6775/temp2", unknown, StateNotOffered}, {"hwmon/nct6775/temp3", Num(32), StateOK}},
		},
		{
			"a zone that is switched off shows an old value",
			join(thermalZone(0, "cpu-thermal", "61000"), files{"sys/class/thermal/thermal_zone0/mode": "disabled\n"}),
			[]expect{{"thermal/cpu-thermal", unknown, StateNotOffered}},
		},
		{
			"two drives of one kind are two sensors",
			join(hwmon(2, "nvme", files{"temp1_label": "Composite\n", "temp1_input": "40850\n"}), hwmon(10, "nvme", files{"temp1_label": "Composite\n", "temp1_input": "50850\n"})),
			[]expect{{"hwmon/nvme/Composite", Num(40.85), StateOK}, {"hwmon/nvme#2/Composite", Num(50.85), StateOK}},
		},
		{
			"two sensors of one label are two readings",
			hwmon(0, "thinkpad", files{"temp1_label": "CPU\n", "temp1_input": "40000\n", "temp2_label": "CPU\n", "temp2_input": "41000\n"}),
			[]expect{{"hwmon/thinkpad/CPU", Num(40), StateOK}, {"hwmon/thinkpad/CPU#2", Num(41), StateOK}},
		},
		{
			"a chip without a name still counts",
			files{"sys/class/hwmon/hwmon0/name/": "", "sys/class/hwmon/hwmon0/temp1_input": "42000\n"},
			[]expect{{"hwmon/unnamed/temp1", Num(42), StateOK}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sampleOf(t, tt.tree)
			for _, w := range tt.want {
				want(t, s, w.id, w.value, w.state)
			}
		})
	}
}

// TestCPUOrder holds which sensor is the processor's: by kind, never a board's or a drive's.
func TestCPUOrder(t *testing.T) {
	s := sampleOf(t, join(
		hwmon(0, "acpitz", files{"temp1_input": "27800\n"}),
		hwmon(1, "k10temp", files{
			"temp1_label": "Tctl\n", "temp1_input": "60000\n", "temp2_label": "Tdie\n", "temp2_input": "50000\n",
			"temp3_label": "Tccd1\n", "temp3_input": "49000\n",
		}),
		hwmon(2, "coretemp", files{"temp1_label": "Package id 0\n", "temp1_input": "45000\n", "temp2_label": "Core 0\n", "temp2_input": "44000\n"}),
		hwmon(3, "nct6798", files{"temp7_label": "AUXTIN3\n", "temp7_input": "98000\n"}),
		hwmon(4, "nvme", files{"temp1_label": "Composite\n", "temp1_input": "70000\n"}),
		hwmon(5, "iwlwifi_1", files{"temp1_input": "55000\n"}),
		hwmon(6, "pmic", files{"temp1_input": "55000\n"}),
		thermalZone(0, "cpu-thermal", "47000"), thermalZone(1, "CPU-therm", "47000"), thermalZone(2, "soc-thermal", "47000"),
		thermalZone(3, "cpu0-thermal", "47000"), thermalZone(4, "PMIC-Die", "47000"), thermalZone(5, "INT3400 Thermal", "47000"),
		thermalZone(6, "gpu-thermal", "47000"), thermalZone(7, "TCPU", "47000"), thermalZone(8, "battery", "31000"),
		thermalZone(9, "MCPU-therm", "47000"), thermalZone(10, "soc_dts1", "47000"), thermalZone(11, "cluster0-thermal", "47000"),
		thermalZone(12, "bcm2835_thermal", "47000"), thermalZone(13, "soc-battery", "31000"), thermalZone(14, "GPU-therm", "47000"),
	))
	wantRoles := map[string]struct {
		role Role
		rank int
	}{
		"hwmon/coretemp/Package id 0": {RoleCPU, 0}, "hwmon/k10temp/Tdie": {RoleCPU, 1}, "hwmon/k10temp/Tctl": {RoleCPU, 2},
		"thermal/cpu-thermal": {RoleCPU, 3}, "thermal/CPU-therm": {RoleCPU, 3}, "thermal/soc-thermal": {RoleCPU, 3},
		"thermal/cpu0-thermal": {RoleCPU, 3}, "thermal/TCPU": {RoleCPU, 3}, "thermal/MCPU-therm": {RoleCPU, 3},
		"thermal/soc_dts1": {RoleCPU, 3}, "thermal/cluster0-thermal": {RoleCPU, 3}, "thermal/bcm2835_thermal": {RoleCPU, 3},
		"thermal/soc-battery": {RoleOther, 4}, "thermal/GPU-therm": {RoleOther, 4},
		"hwmon/coretemp/Core 0": {RoleOther, 4}, "hwmon/k10temp/Tccd1": {RoleOther, 4},
		"hwmon/acpitz/temp1": {RoleOther, 4}, "hwmon/nct6798/AUXTIN3": {RoleOther, 4}, "hwmon/nvme/Composite": {RoleOther, 4},
		"hwmon/iwlwifi_1/temp1": {RoleOther, 4}, "hwmon/pmic/temp1": {RoleOther, 4}, "thermal/PMIC-Die": {RoleOther, 4},
		"thermal/INT3400 Thermal": {RoleOther, 4}, "thermal/gpu-thermal": {RoleOther, 4}, "thermal/battery": {RoleOther, 4},
	}
	seen := map[string]bool{}
	for _, temp := range s.Temperatures {
		w, ok := wantRoles[temp.Value.ID]
		if !ok || seen[temp.Value.ID] {
			t.Errorf("%s is listed, or listed twice", temp.Value.ID)
		}
		seen[temp.Value.ID] = true
		if temp.Role != w.role || temp.Rank != w.rank {
			t.Errorf("%s is %s of rank %d, want %s of rank %d", temp.Value.ID, temp.Role, temp.Rank, w.role, w.rank)
		}
	}
	if len(seen) != len(wantRoles) {
		t.Errorf("%d sensors are listed, want %d", len(seen), len(wantRoles))
	}
}

// TestCoresStandInForAPackageThatIsNotThere holds that the cores of a chip without a package sensor are the processor's
// temperature, and that they are not where the package's is merely absurd.
func TestCoresStandInForAPackageThatIsNotThere(t *testing.T) {
	cores := files{"temp2_label": "Core 0\n", "temp2_input": "52000\n", "temp3_label": "Core 1\n", "temp3_input": "55000\n"}
	for _, temp := range sampleOf(t, hwmon(0, "coretemp", cores)).Temperatures {
		if temp.Role != RoleCPU {
			t.Errorf("%s is %s", temp.Value.ID, temp.Role)
		}
	}
	keys := files{"temp1_label": "TC0P\n", "temp1_input": "52000\n", "temp2_label": "TB0T\n", "temp2_input": "31000\n"}
	for _, temp := range sampleOf(t, hwmon(0, "applesmc", keys)).Temperatures {
		if (temp.Role == RoleCPU) != (temp.Label == "TC0P") {
			t.Errorf("the key %s is %s", temp.Value.ID, temp.Role)
		}
	}
	for _, label := range []string{"Package id 0", "Physical id 0"} {
		cores["temp1_label"], cores["temp1_input"] = label+"\n", "127000\n"
		for _, temp := range sampleOf(t, hwmon(0, "coretemp", cores)).Temperatures {
			if (temp.Role == RoleCPU) != (temp.Label == label) {
				t.Errorf("beside a package %s is %s", temp.Value.ID, temp.Role)
			}
		}
	}
}

// TestThousandthsAreKept holds that a temperature is shown with the digits that the kernel gave, and no more.
func TestThousandthsAreKept(t *testing.T) {
	s := sampleOf(t, hwmon(0, "coretemp", files{"temp1_label": "Package id 0\n", "temp1_input": "58599\n"}))
	want(t, s, "hwmon/coretemp/Package id 0", Num(58.599), StateOK)
}

// TestAFloodOfSensorsIsCutOff holds that a tree made to have more sensors than any machine has does not decide how long a
// round takes, and that the first are still read.
func TestAFloodOfSensorsIsCutOff(t *testing.T) {
	tree, chip := files{}, files{"temp0_input": "44000\n"}
	for i := range maxOfAKind + 100 {
		dir := fmt.Sprintf("sys/class/thermal/thermal_zone%d/", i)
		tree[dir+"type"], tree[dir+"temp"] = "board\n", "43000\n"
		chip[fmt.Sprintf("temp%d_input", i)] = "44000\n"
	}
	s := sampleOf(t, join(tree, hwmon(0, "flood", chip)))
	if n := len(s.Temperatures); n != 2*maxOfAKind {
		t.Errorf("%d sensors are listed", n)
	}
	want(t, s, "thermal/board", Num(43), StateOK)
	want(t, s, "hwmon/flood/temp0", Num(44), StateOK)
}

// TestOneTemperatureEachSensor holds that what the kernel shows twice is listed once.
func TestOneTemperatureEachSensor(t *testing.T) {
	both := join(
		hwmon(1, "cpu_thermal", files{"temp1_input": "61000\n", "temp1_crit": "110000\n"}),
		thermalZone(0, "cpu-thermal", "61000", "passive 80000"),
		hwmon(2, "coretemp", files{"temp1_label": "Package id 0\n", "temp1_input": "45000\n"}),
		thermalZone(1, "x86_pkg_temp", "45000"),
	)
	s := sampleOf(t, both)
	var ids []string
	for _, temp := range s.Temperatures {
		ids = append(ids, temp.Value.ID)
	}
	if got, w := strings.Join(ids, " "), "thermal/cpu-thermal hwmon/coretemp/Package id 0"; got != w {
		t.Errorf("listed are %q, want %q", got, w)
	}
	// The zone steps in where the package's own sensor cannot be read.
	both["sys/class/hwmon/hwmon2/temp1_input"] = "garbage\n"
	want(t, sampleOf(t, both), "thermal/x86_pkg_temp", Num(45), StateOK)
}

// TestPackagesOfOneDriver holds that packages keep their IDs whatever the folders' numbers are.
func TestPackagesOfOneDriver(t *testing.T) {
	pkg := func(n int, id, temp string) files {
		return hwmon(n, "coretemp", files{"temp1_label": "Package id " + id + "\n", "temp1_input": temp + "\n", "temp2_label": "Core 0\n", "temp2_input": temp + "\n"})
	}
	for _, order := range [][2]int{{2, 10}, {10, 2}} {
		s := sampleOf(t, join(pkg(order[0], "0", "60000"), pkg(order[1], "1", "82000")))
		want(t, s, "hwmon/coretemp/Package id 0", Num(60), StateOK)
		want(t, s, "hwmon/coretemp@coretemp.1/Package id 1", Num(82), StateOK)
		want(t, s, "hwmon/coretemp@coretemp.1/Core 0", Num(82), StateOK)
	}
}

// TestNaturalOrder holds that sensors come in the order in which a person counts.
func TestNaturalOrder(t *testing.T) {
	s := sampleOf(t, join(hwmon(10, "b", files{"temp10_input": "40000\n", "temp2_input": "40000\n"}), hwmon(2, "a", files{"temp1_input": "40000\n"})))
	var ids []string
	for _, temp := range s.Temperatures {
		ids = append(ids, temp.Value.ID)
	}
	if got, w := strings.Join(ids, " "), "hwmon/a/temp1 hwmon/b/temp2 hwmon/b/temp10"; got != w {
		t.Errorf("the order is %q, want %q", got, w)
	}
}

// TestBracketsInPath holds that a folder's name is no pattern.
func TestBracketsInPath(t *testing.T) {
	root := t.TempDir() + "/a[1]b"
	write(t, root, hwmon(0, "k10temp", files{"temp1_input": "42000\n"}))
	s := NewPoller(Options{Sysroot: root, Clock: newStepClock()}).Once(t.Context())
	r := want(t, s, "hwmon/k10temp/temp1", Num(42), StateOK)
	if !strings.Contains(r.Detail, "gopsutil does not list it") {
		t.Errorf("the detail %q does not say that the library misses the sensor", r.Detail)
	}
}

// TestLibraryDiffers holds that a reading says where gopsutil passes nonsense on or misses a sensor.
func TestLibraryDiffers(t *testing.T) {
	s := sampleOf(t, join(hwmon(0, "nvme", files{"temp1_input": "65261850\n"}), thermalZone(0, "x86_pkg_temp", "46000")))
	if r := want(t, s, "hwmon/nvme/temp1", unknown, StateImplausible); !strings.Contains(r.Detail, "gopsutil passes 65261.85 °C on") {
		t.Errorf("the detail is %q", r.Detail)
	}
	if r := want(t, s, "thermal/x86_pkg_temp", Num(46), StateOK); !strings.Contains(r.Detail, "gopsutil does not list it") {
		t.Errorf("the detail is %q", r.Detail)
	}
	// An old layout that only the library knows.
	s = sampleOf(t, files{"sys/class/hwmon/hwmon0/device/name": "it87\n", "sys/class/hwmon/hwmon0/device/temp1_input": "41000\n"})
	if r := want(t, s, "gopsutil/it87", Num(41), StateOK); !strings.Contains(r.Detail, "only gopsutil lists it") {
		t.Errorf("the detail is %q", r.Detail)
	}
}

func TestNoSensors(t *testing.T) {
	s := sampleOf(t, files{"sys/class/thermal/.keep": "", "sys/class/power_supply/.keep": "", "proc/meminfo": "MemTotal: 1024 kB\n"})
	if len(s.Temperatures) != 0 || len(s.Batteries) != 0 || len(s.Cards) != 0 || len(s.Power) != 0 {
		t.Errorf("a bare machine shows %d temperatures, %d packs, %d cards, %d power domains", len(s.Temperatures), len(s.Batteries), len(s.Cards), len(s.Power))
	}
	want(t, s, "source/temperature", unknown, StateNotOffered)
	want(t, s, "mains", unknown, StateNotOffered)
	// Not even a folder.
	s = NewPoller(Options{Sysroot: t.TempDir() + "/absent", Clock: newStepClock()}).Once(t.Context())
	want(t, s, "memory/total", unknown, StateNotOffered)
}
