package cli

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile/gguf/gguftest"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/gpu"
	"headroom/sensors/hostfile"
)

// A recorded host, examined and recorded again, must still give its answer: that is what makes a user's machine a test.
func TestDoctorRecordsEveryHostAgain(t *testing.T) {
	eachHost(t, func(t *testing.T, given hostfile.Host, root string, set budget.Settings, cmd *cobra.Command) {
		args, replayed := settingArgs(cmd, set)
		again, err := examine(t.Context(), root, set).host(t.Context(), args, replayed)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again.Args, given.Args) {
			t.Errorf("the arguments %q became %q", given.Args, again.Args)
		}
		for key, want := range given.Want {
			if got, known := again.Want[key]; !known || !sameAnswer(got, want) {
				t.Errorf("%s is %v, not %v", key, got, want)
			}
		}
	})
}

// sameAnswer compares as recorded hosts mean it: two numbers are a range, others may differ in the fourth digit.
func sameAnswer(got, want any) bool {
	switch want := want.(type) {
	case []any:
		n, ok := got.(float64)
		return ok && want[0].(float64) <= n && n <= want[1].(float64)
	case float64:
		n, ok := got.(float64)
		return ok && math.Abs(n-want) <= max(0.051, math.Abs(want)*1e-4)
	}
	return got == want
}

func TestDoctorKeepsWhatIsPrivateToItself(t *testing.T) {
	dir := t.TempDir()
	host := hostfile.Host{Files: map[string]string{
		"proc/meminfo":     "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n",
		"proc/cpuinfo":     "processor\t: 0\nHardware\t: BCM2835\nSerial\t\t: 10000000SECRET\nModel\t\t: Small Board\n",
		"proc/self/cgroup": "0::/user.slice/user-1000.slice/app-maria.scope\n",
		"sys/fs/cgroup/user.slice/user-1000.slice/app-maria.scope/memory.max":     "268435456\n",
		"sys/fs/cgroup/user.slice/user-1000.slice/app-maria.scope/memory.current": "1048576\n",
		"proc/4711/comm":                            "ollama\n",
		"proc/4711/cmdline":                         "/home/maria/ollama\x00serve\x00",
		"proc/4711/stat":                            "4711 (ollama) S 1 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 1 1000 10 18446744073709551615\n",
		"sys/class/power_supply/BAT0/type":          "Battery\n",
		"sys/class/power_supply/BAT0/serial_number": "SN-SECRET\n",
		"sys/class/power_supply/BAT0/uevent":        "POWER_SUPPLY_SERIAL_NUMBER=SN-SECRET\n",
		"sys/class/power_supply/BAT0/status":        "Full\n",
		"sys/class/drm/card0/device/uevent":         "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\nHID_UNIQ=SN-SECRET\n",
		"sys/class/drm/card0/device/vendor":         "0x1002\n",
		"sys/class/drm/card0/device/unique_id":      "SN-SECRET\n",
		// A mouse's battery bears its network address, and so does the chip that shows the same.
		"sys/class/power_supply/hid-dc:2c:26:36:79:9b-battery/type":   "Battery\n",
		"sys/class/power_supply/hid-dc:2c:26:36:79:9b-battery/scope":  "Device\n",
		"sys/class/power_supply/hid-dc:2c:26:36:79:9b-battery/uevent": "POWER_SUPPLY_NAME=hid-dc:2c:26:36:79:9b-battery\n",
		"sys/class/hwmon/hwmon0/name":                                 "hid_DC:2C:26:36:79:9B_battery\n",
		"sys/class/hwmon/hwmon0/temp1_input":                          "30000\n",
		"nvidia-smi.csv":                                              "pci.bus_id, name, uuid, serial\n00000000:01:00.0, A Card, GPU-1c0ffee0-cafe-4bad-8bad-0123456789ab, [N/A]\n",
		"sys/class/thermal/.keep":                                     "",
		"sys/class/power_supply/BAT0/capacity":                        "100\n",
		"sys/class/power_supply/BAT0/energy_now/":                     "",
		"sys/class/drm/card0/device/mem_info_unknown":                 "1\n",
	}}
	if err := host.WriteTree(dir); err != nil {
		t.Fatal(err)
	}
	e := examine(t.Context(), dir, budget.Settings{Workload: workload.Bare(1e9)})
	recorded, err := e.host(t.Context(), nil, e.frame.Settings)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "host.json")
	if err := writeFile(out, recorded.Write); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	name, _ := os.Hostname()
	for _, secret := range []string{"SECRET", "maria", "user-1000", "36:79", "1c0ffee0", name} {
		for where, text := range map[string]string{"recording": string(data), "report": e.report()} {
			if secret != "" && strings.Contains(strings.ToLower(text), strings.ToLower(secret)) {
				t.Errorf("the %s holds %q", where, secret)
			}
		}
	}
	for name, want := range map[string]string{
		"sys/class/power_supply/hid-02:00:00:00:00:02-battery/type": "Battery\n",
		"sys/class/hwmon/hwmon0/name":                               "hid_02:00:00:00:00:02_battery\n",
		"proc/cpuinfo":                                              "processor\t: 0\nHardware\t: BCM2835\nModel\t\t: Small Board\n",
	} {
		if got := recorded.Files[name]; got != want {
			t.Errorf("%s is recorded as %q, not %q", name, got, want)
		}
	}
	if got := recorded.Want["memory.ram_total"]; got != float64(268435456) {
		t.Errorf("renaming the groups lost the container's limit: RAM is %v", got)
	}
}

// A model file's path can name its owner, and the file is not where the recording is replayed.
func TestDoctorLeavesOutWhereAModelFileLies(t *testing.T) {
	path, _ := ggufFile(t, "tinyllama-1.1b", gguftest.Q8_0)
	tree := t.TempDir()
	if err := (hostfile.Host{Files: map[string]string{"proc/meminfo": "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n"}}).WriteTree(tree); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "host.json")
	if status, _, complaint := run(t, "doctor", "--sysroot", tree, "--model", path, "--context", "2048", "-o", out); status != 0 {
		t.Fatal(complaint)
	}
	recorded, err := hostfile.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(recorded.Args) != 2 || recorded.Args[0] != "--params" {
		t.Errorf("the arguments are %q", recorded.Args)
	}
	_, report, _ := run(t, "doctor", "--sysroot", tree, "--model", path)
	if strings.Contains(report, filepath.Dir(path)) {
		t.Errorf("the report holds %s", filepath.Dir(path))
	}
}

// The report goes to a terminal and into web pages, and repeats what firmware wrote.
func TestDoctorRepeatsNothingThatSteersATerminal(t *testing.T) {
	tree := t.TempDir()
	if err := (hostfile.Host{Files: map[string]string{
		"proc/meminfo":                       "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n",
		"sys/class/hwmon/hwmon0/name":        "odd\x1b[2Jchip\n",
		"sys/class/hwmon/hwmon0/temp1_label": "In\x1b]0;title\aside\n",
		"sys/class/hwmon/hwmon0/temp1_input": "41000\n",
		"sys/class/hwmon/hwmon1/name":        "\n",
		"sys/class/hwmon/hwmon1/temp1_input": "42000\n",
		"sys/class/power_supply/BAT0/type":   "Battery\n",
		"sys/class/power_supply/BAT0/status": "\x9b31mFull\n",
		"proc/device-tree/model":             "A \x1b[31mBoard\x00",
		"proc/sys/kernel/osrelease":          "6.1\x1b[5m\n",
		"proc/cpuinfo":                       "processor\t: 0\nmodel name\t: A \x1b[1mCPU\u202e\n",
		"gpu.json":                           `{"adapters":[{"name":"A \u001b[7mCard","type":"discrete","backend":"vulkan"}]}`,
	}}).WriteTree(tree); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"doctor", "snapshot"} {
		status, report, complaint := run(t, command, "--sysroot", tree)
		if status != 0 {
			t.Fatal(complaint)
		}
		for line := range strings.Lines(report) {
			if line = strings.TrimSuffix(line, "\n"); strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%s prints %q", command, line)
			}
		}
	}
	_, report, _ := run(t, "doctor", "--sysroot", tree)
	for _, id := range []string{"hwmon/odd[2Jchip/In]0;titleside ", "hwmon/unnamed/temp1 "} {
		if !strings.Contains(report, "  "+id) {
			t.Errorf("the report does not list %s", id)
		}
	}
	// The library's names are the same sensors' under the same names.
	if strings.Contains(report, "gopsutil does not list it") || strings.Contains(report, "only gopsutil lists it") {
		t.Errorf("the report takes a sensor for two:\n%s", report)
	}
}

// A driver that ends the probe does not say which it was: the report leads to it, without the name of its owner's home.
func TestDoctorLeadsToADriverAtFault(t *testing.T) {
	t.Setenv("HOME", "/home/maria")
	drivers := []gpu.Driver{
		{File: "/usr/share/vulkan/icd.d/good.json", Library: "libvulkan_good.so"},
		{File: "/home/maria/icd/new.json", Library: "/home/maria/build/libvulkan_new.so", Problem: "its library is not there"},
	}
	var e examination
	e.frame.Sample.AdaptersState.State = sensors.StateOK
	rows := func() string { return columns(e.driverRows(drivers)) }
	if got := rows(); strings.Contains(got, "maria") || !strings.Contains(got, "~/icd/new.json") ||
		!strings.Contains(got, "error      ~/build/libvulkan_new.so · its library is not there") || strings.Contains(got, "VK_DRIVER_FILES") {
		t.Errorf("the drivers are listed as\n%s", got)
	}
	e.frame.Sample.AdaptersState.State = sensors.StateError
	if got := rows(); !strings.Contains(got, "try each alone: VK_DRIVER_FILES=FILE headroom snapshot --fresh") {
		t.Errorf("of a probe that failed it says\n%s", got)
	}
}

func TestRecordedHostHasPathsThatCanBeShown(t *testing.T) {
	err := hostfile.Host{Files: map[string]string{"sys/\x1b[2J/type": "x"}}.WriteTree(t.TempDir())
	if err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Fatalf("a path that steers a terminal gave %v", err)
	}
}

func TestRecordedHostStaysInItsFolder(t *testing.T) {
	err := hostfile.Host{Files: map[string]string{"../escape": "x"}}.WriteTree(t.TempDir())
	if err == nil || errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a path that leaves the folder gave %v", err)
	}
}
