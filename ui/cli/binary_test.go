package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"headroom/ui/frame"
)

// binary is the real program, built once without cgo: every command, no window, no WebGPU.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() != "" {
		// A fuzz target and its many workers call functions only.
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "headroom")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "headroom")
	build := exec.Command("go", "build", "-o", binary, "headroom")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build headroom: %v\n%s", err, out)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// run runs the program and gives its exit status and what it printed.
func run(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	// Neither a display nor what a user of this machine set may decide a test.
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), complaints.String()
}

// A home that is none and a locale that nobody knows are no faults of a command that opens no window.
func TestNoCommandComplainsOfHomeAndLocale(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "a.png")
	for _, args := range []string{"version", "snapshot --params 8B", "models --no-speed", "shot --view models --scenario apu -o " + picture} {
		for _, env := range []string{"HOME=" + os.DevNull, "LANG=xx_YY.bad", "LC_ALL=C"} {
			var complaints bytes.Buffer
			cmd := exec.CommandContext(t.Context(), binary, strings.Fields(args)...)
			cmd.Stderr, cmd.Env = &complaints, []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), env}
			if err := cmd.Run(); err != nil || complaints.Len() > 0 {
				t.Errorf("%s %s: %v\n%s", env, args, err, &complaints)
			}
		}
	}
}

func TestBadCommandLinesAreRefusedInOneLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want string
	}{
		{"--no-such-flag", "unknown flag: --no-such-flag"},
		{"no-such-command", `unknown command "no-such-command"`},
		{"snapshot surplus", `unexpected argument "surplus"`},
		{"version surplus", `unexpected argument "surplus"`},
		{"help no-such-command", `unknown command "no-such-command"`},
		{"completion", "bash, fish, powershell or zsh"},
		{"completion tcsh", "bash, fish, powershell or zsh"},
		{"completion bash extra", "unexpected argument"},
		{"snapshot --json=perhaps", `--json: "perhaps" is neither true nor false`},
		{"snapshot --pin", "flag needs an argument: --pin"},
		{"snapshot --pin thermal", "thermal=3"},
		{"snapshot --pin fan=3", `"fan" cannot be pinned`},
		{"snapshot --pin thermal=NaN", "no temperature"},
		{"snapshot --pin thermal=warm", "no temperature"},
		{"snapshot --pin thermal=1e9", "no temperature"},
		{"snapshot --pin power=12", "12W or 12000mW"},
		{"snapshot --pin power=-3W", "no power"},
		{"snapshot --pin power=NaNW", "no power"},
		{"snapshot --pin power=infW", "no power"},
		{"snapshot --pin power=9e9W", "no power"},
		{"snapshot --pin vram=8parsecs", "no size"},
		{"snapshot --pin vram=-8GiB", "no size"},
		{"snapshot --pin vram=NaN", "no size"},
		{"snapshot --pin vram=9999999999999GiB", "no size"},
		{"snapshot --pin vram=2PiB", "more memory than any machine"},
		{"snapshot --limit x", "ID=100"},
		{"snapshot --limit =100", "ID=100"},
		{"snapshot --limit x=0", "above 0"},
		{"snapshot --limit x=NaN", "no temperature"},
		{"snapshot --params -1", "negative"},
		{"snapshot --params 0", "less than one weight"},
		{"snapshot --params NaN", "not a number"},
		{"snapshot --params 1e40", "no model"},
		{"snapshot --params 8B --model llama-3.1-8b", "exclude each other"},
		{"snapshot --model no-such-model-at-all", "the catalogue has none of that name"},
		{"snapshot --model ./no-such-file.gguf", "no such file"},
		{"snapshot --context 0", "no number of tokens"},
		{"snapshot --context -5", "no number of tokens"},
		{"snapshot --context 99999999999", "more tokens than any model"},
		{"snapshot --context 1000000", "more than the 131072 tokens"},
		{"snapshot --kv f32", "f16, q8_0 or q4_0"},
		{"snapshot --runtime 0s", "too short"},
		{"snapshot --runtime soon", "no time"},
		{"snapshot --credit 0", "no process number"},
		{"snapshot --sysroot /no/such/folder", "no such file or directory"},
		{"snapshot --sysroot " + file, "read the recorded host"},
		{"snapshot --sysroot=", "it is empty"},
		{"watch --interval 1ns", "too short"},
		{"watch --interval 2h", "too long"},
		{"watch --for -3s", "too short"},
		{"--frames /no/such/folder/frames.jsonl", "give a folder that exists"},
		{"__webgpu", "is for headroom itself"},
	} {
		t.Run(c.args, func(t *testing.T) {
			status, stdout, stderr := run(t, strings.Fields(c.args)...)
			if status != 2 || stdout != "" {
				t.Errorf("status %d, printed %q", status, stdout)
			}
			if strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "headroom: ") || !strings.Contains(stderr, c.want) {
				t.Errorf("the complaint is %q, without %q", stderr, c.want)
			}
		})
	}
}

// What a complaint repeats, however long and whatever it holds, stays one line that a terminal only shows.
func TestComplaintsOnAnyText(t *testing.T) {
	for _, given := range []string{"\x1b[31mred\a\u202e", strings.Repeat("long", 20_000), "\xff\xfe"} {
		for _, args := range [][]string{
			{"snapshot", "--sysroot", given}, {"snapshot", "--" + given}, {"shot", "--scenario", given}, {"shot", "-o", "a.png", "--replay", given},
		} {
			status, stdout, stderr := run(t, args...)
			if status != 2 || stdout != "" || len(stderr) > 3000 || strings.Count(stderr, "\n") != 1 {
				t.Errorf("status %d, printed %q, complaint of %d bytes: %.200q", status, stdout, len(stderr), stderr)
			}
			for _, r := range strings.TrimSuffix(stderr, "\n") {
				if !unicode.IsPrint(r) {
					t.Errorf("the complaint on %.40q holds %q", args, r)
				}
			}
		}
	}
}

// hotLaptop is a small machine: a CPU at 97 of 100 °C with 32 GiB of RAM, 24 of it free.
func hotLaptop(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/meminfo":                       "MemTotal: 33554432 kB\nMemFree: 12582912 kB\nMemAvailable: 25165824 kB\n",
		"sys/class/hwmon/hwmon0/name":        "coretemp\n",
		"sys/class/hwmon/hwmon0/temp1_label": "Package id 0\n",
		"sys/class/hwmon/hwmon0/temp1_input": "97000\n",
		"sys/class/hwmon/hwmon0/temp1_crit":  "100000\n",
		"sys/class/power_supply/AC/type":     "Mains\n",
		"sys/class/power_supply/AC/online":   "1\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestSnapshotText(t *testing.T) {
	status, stdout, stderr := run(t, "snapshot", "--sysroot", hotLaptop(t))
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, complaint %q", status, stderr)
	}
	for _, want := range []string{
		"Runs at q8 on the CPU · 8.8 of 24.0 GiB\n",
		"Held back by heat: 3.0 °C of headroom is under 5 °C, so f32 and f16 are off.\n",
		"2.0 °C more gives f16.\n", "97.0 of 100 °C · coretemp Package id 0", "off while hot", "taken: finest allowed", "on mains",
		"there is no such file, so no adapter is known", "\n  precision ", "\n  zero copy ",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the text lacks %q:\n%s", want, stdout)
		}
	}
}

func TestSnapshotJSON(t *testing.T) {
	status, stdout, stderr := run(t, "snapshot", "--json", "--sysroot", hotLaptop(t), "--params", "8B", "--pin", "vram=4GiB", "--pin", "power=12W")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, complaint %q", status, stderr)
	}
	var s frame.Snapshot
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatal(err)
	}
	if s.Schema != frame.Schema || s.Plan.Precision != "q4" || *s.Budget.VRAMBudgetBytes != 4<<30 || s.Budget.PowerBudgetMW != 12_000 || s.Workload.Params != 8e9 {
		t.Errorf("got %s", stdout)
	}
}

// What does not apply, or is not there, is said once; the answer is given all the same.
func TestNotesOnStandardError(t *testing.T) {
	root := hotLaptop(t)
	for _, c := range []struct{ args, want string }{
		{"--params 8B --context 4096", "--context does not apply to a bare count of weights"},
		{"--params 8B --kv q8_0", "--kv does not apply to a bare count of weights"},
		{"--limit hwmon/nothing=90", `no sensor or power domain has the ID "hwmon/nothing"`},
		{"--credit 99999", "no model server runs as process 99999"},
	} {
		status, stdout, stderr := run(t, append([]string{"snapshot", "--json", "--sysroot", root}, strings.Fields(c.args)...)...)
		if status != 0 || !json.Valid([]byte(stdout)) || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, complaint %q", c.args, status, stderr)
		}
	}
}

func TestWatch(t *testing.T) {
	root := hotLaptop(t)
	status, stdout, stderr := run(t, "watch", "--sysroot", root, "--interval", "50ms", "--for", "300ms")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if status != 0 || stderr != "" || len(lines) < 2 || !strings.HasPrefix(lines[0], "TIME") || !strings.Contains(lines[1], "q8") {
		t.Errorf("status %d, complaint %q, printed\n%s", status, stderr, stdout)
	}
	if strings.Contains(stdout, "\x1b") {
		t.Error("control characters in a file")
	}

	status, stdout, stderr = run(t, "watch", "--json", "--sysroot", root, "--interval", "50ms", "--for", "300ms")
	if status != 0 || stderr != "" {
		t.Errorf("status %d, complaint %q", status, stderr)
	}
	for line := range strings.Lines(stdout) {
		var s frame.Snapshot
		if err := json.Unmarshal([]byte(line), &s); err != nil || s.Plan.Precision != "q8" {
			t.Errorf("%v: %s", err, line)
		}
	}
}

// Without a window the bare program says so once and shows text; Frames go to their file all the same.
func TestWindowlessBuildSaysSo(t *testing.T) {
	frames := filepath.Join(t.TempDir(), "frames.jsonl")
	out, _, stderr := interrupted(t, os.Interrupt, "--sysroot", hotLaptop(t), "--interval", "50ms", "--frames", frames)
	if !strings.HasPrefix(out, "TIME") {
		t.Errorf("the first line is %q", out)
	}
	if strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "no window: this build has none") {
		t.Errorf("the complaint is %q", stderr)
	}
	written, err := os.ReadFile(frames)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := bytes.Cut(written, []byte("\n"))
	var s frame.Snapshot
	if err := json.Unmarshal(first, &s); err != nil || s.Plan.Precision != "q8" {
		t.Errorf("%v: the first frame is %s", err, first)
	}
}

// interrupted starts the program, waits for its first line, sends it a signal and waits for its end.
func interrupted(t *testing.T, signal os.Signal, args ...string) (line string, status int, stderr string) {
	t.Helper()
	var complaints bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Stderr, cmd.Env = &complaints, []string{"HOME=" + t.TempDir()}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	line, err = out.ReadString('\n')
	if err != nil {
		t.Fatalf("no line came: %v; complaint %q", err, complaints.String())
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return line, cmd.ProcessState.ExitCode(), complaints.String()
}

func TestVersion(t *testing.T) {
	for _, ask := range []string{"version", "--version"} {
		status, stdout, _ := run(t, ask)
		if status != 0 || !strings.HasPrefix(stdout, "headroom "+version) || !strings.HasSuffix(stdout, "without a window, without WebGPU\n") {
			t.Errorf("%s: status %d, printed %q", ask, status, stdout)
		}
	}
}
