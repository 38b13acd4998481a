package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/sensors/heat"
	"headroom/sensors/trace"
)

// warm is the hot laptop at a temperature, in m°C.
func warm(t *testing.T, temperature string) (root string) {
	t.Helper()
	root = hotLaptop(t)
	setTemperature(t, root, temperature)
	return root
}

func setTemperature(t *testing.T, root, temperature string) {
	t.Helper()
	// By rename, as a reader must not see half of it.
	file := filepath.Join(root, "sys/class/hwmon/hwmon0/temp1_input")
	if err := os.WriteFile(file+"~", []byte(temperature+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+"~", file); err != nil {
		t.Fatal(err)
	}
}

func TestHeatIsRefusedInOneLine(t *testing.T) {
	bare := t.TempDir()
	for _, c := range []struct {
		args   string
		root   string
		status int
		want   string
	}{
		{"--cpu many", bare, 2, `"many" is no number of threads`},
		{"--cpu 99999", bare, 2, "99999 threads of the CPU: there are"},
		{"--cpu 0", bare, 2, "nothing to load"},
		{"--for 11m", bare, 2, "at most 10m\n"},
		{"--for 1ms", bare, 2, "too short"},
		{"--limit x=warm", bare, 2, "no temperature"},
		{"--gpu", bare, 2, "not the one of a --sysroot"},
		{"surplus", bare, 2, `unexpected argument "surplus"`},
		{"--cpu 1", bare, 1, "the temperature of the CPU is unknown: no sensor tells it; --insist"},
		{"--cpu 1 --limit coretmp=80", warm(t, "60000"), 1, `no sensor has the ID "coretmp"`},
		{"--cpu 1", hotLaptop(t), 1, "the CPU is at 97.0 °C, 3.0 °C under its limit of 100 °C"},
		{"--cpu 1 --insist", hotLaptop(t), 1, "97.0 °C"},
	} {
		t.Run(c.args, func(t *testing.T) {
			status, stdout, stderr := run(t, append([]string{"heat", "--sysroot", c.root}, strings.Fields(c.args)...)...)
			if status != c.status || stdout != "" {
				t.Errorf("status %d, printed %q", status, stdout)
			}
			if strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
				t.Errorf("the complaint is %q, without %q", stderr, c.want)
			}
		})
	}
}

func TestHeatWithoutWebGPUSaysSo(t *testing.T) {
	status, stdout, stderr := run(t, "heat", "--gpu", "--insist", "--cpu", "0", "--for", "1s")
	if status != 1 || stdout != "" || !strings.Contains(stderr, "there is no GPU to load: this build has no WebGPU") {
		t.Errorf("status %d, printed %q, complaint %q", status, stdout, stderr)
	}
}

// heating is a load that was started as the program.
type heating struct {
	cmd        *exec.Cmd
	stdin      io.WriteCloser
	out        *bufio.Reader
	complaints bytes.Buffer
}

// startHeat starts a load of one thread that could last, and waits for its first line.
func startHeat(t *testing.T, args ...string) (h *heating, line string) {
	t.Helper()
	h = &heating{cmd: exec.CommandContext(t.Context(), binary, append([]string{"heat", "--cpu", "1", "--for", "5m"}, args...)...)}
	h.cmd.Stderr, h.cmd.Env = &h.complaints, []string{"HOME=" + t.TempDir()}
	stdin, err := h.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h.stdin, h.out = stdin, bufio.NewReader(pipe)
	if line, err = h.out.ReadString('\n'); err != nil {
		t.Fatalf("no line came: %v; complaint %q", err, h.complaints.String())
	}
	return h, line
}

// last waits for the end of a load that ends well, and gives its last line.
func (h *heating) last(t *testing.T) string {
	t.Helper()
	rest, err := io.ReadAll(h.out)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v, complaint %q", err, h.complaints.String())
	}
	lines := strings.Split(strings.TrimSpace(string(rest)), "\n")
	return lines[len(lines)-1]
}

func TestHeatStopsUnderTheLimit(t *testing.T) {
	root := warm(t, "60000")
	h, line := startHeat(t, "--sysroot", root)
	if want := "5:00 left · 1 thread · CPU 60.0 °C, 40.0 °C of headroom\n"; line != want {
		t.Errorf("it begins with %q, not %q", line, want)
	}
	setTemperature(t, root, "98500")
	if last := h.last(t); !strings.Contains(last, ": the CPU is at 98.5 °C, 1.5 °C under its limit of 100 °C · ") {
		t.Errorf("it ends with %q", last)
	}
}

func TestHeatStopsWhenItsSensorIsLost(t *testing.T) {
	root := warm(t, "60000")
	h, _ := startHeat(t, "--sysroot", root)
	if err := os.Remove(filepath.Join(root, "sys/class/hwmon/hwmon0/temp1_input")); err != nil {
		t.Fatal(err)
	}
	if last := h.last(t); !strings.Contains(last, "the temperature of the CPU is unknown") {
		t.Errorf("it ends with %q", last)
	}
}

func TestHeatStopsOnALowBattery(t *testing.T) {
	root := warm(t, "60000")
	h, _ := startHeat(t, "--sysroot", root)
	for name, text := range map[string]string{
		"AC/online": "0", "BAT0/type": "Battery", "BAT0/present": "1", "BAT0/status": "Discharging",
		"BAT0/energy_now": "5000000", "BAT0/energy_full": "50000000",
	} {
		file := filepath.Join(root, "sys/class/power_supply", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if last := h.last(t); !strings.Contains(last, "on battery at 10.0 %, under 20 %") {
		t.Errorf("it ends with %q", last)
	}
}

// What the window starts ends with the window: its end of the child's standard input closes, however it ends.
func TestHeatEndsWithWhatStartedIt(t *testing.T) {
	o := heat.Options{CPU: 1, Sysroot: warm(t, "60000"), For: time.Minute}
	h, line := startHeat(t, o.Args()[1:]...)
	var s heat.Status
	if err := json.Unmarshal([]byte(line), &s); err != nil || s.Phase != heat.Heating || s.Left != 60 {
		t.Fatalf("%v: it begins with %s", err, line)
	}
	h.stdin.Close()
	last := h.last(t)
	if err := json.Unmarshal([]byte(last), &s); err != nil || s.Phase != heat.Ended || s.Reason != heat.ReasonParent {
		t.Errorf("%v: it ends with %s", err, last)
	}
}

func TestHeatEndsWithItsSignal(t *testing.T) {
	h, _ := startHeat(t, "--sysroot", warm(t, "60000"))
	if err := h.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if last := h.last(t); !strings.Contains(last, "it was told to stop") {
		t.Errorf("it ends with %q", last)
	}
}

func TestInsistingOnHeatIsWarnedOf(t *testing.T) {
	status, stdout, stderr := run(t, "heat", "--sysroot", t.TempDir(), "--insist", "--cpu", "1", "--for", "1s")
	if status != 0 || !strings.HasPrefix(stdout, "0:01 left · 1 thread · CPU temperature unknown") || !strings.Contains(stdout, "\nstopped after 1 s: its time of 1 s is over") {
		t.Errorf("status %d, printed\n%s", status, stdout)
	}
	if strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "the temperature of the CPU is unknown: no sensor tells it; loading all the same") {
		t.Errorf("the complaint is %q", stderr)
	}
}

func TestADryRunSaysWhatCanBeShown(t *testing.T) {
	for _, c := range []struct {
		name, root string
		want       []string
	}{
		{"a cool laptop", warm(t, "60000"), []string{
			"A throttling demo is possible: 40.0 °C of headroom now", "Start it with: headroom heat --for 1m\n",
			"CPU temperature  yes  60.0 of 100 °C · coretemp Package id 0; the load stops at 97 °C\n", "throttling       no ",
		}},
		{"a hot laptop", hotLaptop(t), []string{"No throttling demo on this machine: the CPU is at 97.0 °C", "headroom --scenario thin-laptop"}},
		{"nothing at all", t.TempDir(), []string{"No throttling demo on this machine: the temperature of the CPU is unknown", "battery          no "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := run(t, "heat", "--dry-run", "--sysroot", c.root)
			if status != 0 || stderr != "" {
				t.Errorf("status %d, complaint %q", status, stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(stdout, want) {
					t.Errorf("the text lacks %q:\n%s", want, stdout)
				}
			}
		})
	}
}

func TestADryRunNamesScenariosThatThereAre(t *testing.T) {
	status, stdout, _ := run(t, "heat", "--dry-run", "--json", "--sysroot", t.TempDir())
	var s heat.Stage
	if err := json.Unmarshal([]byte(stdout), &s); err != nil || status != 0 || s.Possible {
		t.Fatalf("status %d, %v: %s", status, err, stdout)
	}
	names := []string{s.Scenario}
	for _, show := range s.Shows {
		names = append(names, show.Scenario)
	}
	for _, name := range names {
		if _, err := trace.Scenario(name); err != nil {
			t.Error(err)
		}
	}
}
