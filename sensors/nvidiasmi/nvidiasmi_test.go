package nvidiasmi

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const header = "pci.bus_id, name, temperature.gpu, temperature.gpu.tlimit, power.draw [W], enforced.power.limit [W], memory.total [MiB], memory.used [MiB], memory.reserved [MiB], utilization.gpu [%], clocks.current.sm [MHz], clocks.max.sm [MHz], clocks_event_reasons.active\n"

func TestParseGPUs(t *testing.T) {
	list, err := ParseGPUs(header +
		"00000000:00:06.0, NVIDIA H200, 37, 50, 126.69, 700.00, 143771, 100, 616, 3, 1980, 1980, 0x0000000000000060\n" +
		"00000000:01:00.0, NVIDIA GeForce GT 710, 41, [N/A], [Not Supported], [N/A], 2048, 12, [N/A], [N/A], [Unknown Error], N/A, [N/A]\n")
	if err != nil || len(list) != 2 {
		t.Fatalf("the cards are %+v, %v", list, err)
	}
	g := list[0]
	if g.PCI != "0000:00:06.0" || g.Name != "NVIDIA H200" || g.Temperature.V != 37 || g.Margin.V != 50 || g.Draw.V != 126.69 || g.Limit.V != 700 {
		t.Errorf("the card is %+v", g)
	}
	if g.MemoryTotal.V != 143771<<20 || g.MemoryUsed.V != 716<<20 || g.Busy.V != 3 || g.Clock.V != 1980 {
		t.Errorf("the card is %+v", g)
	}
	if !g.ReasonsKnown || !g.Reasons.Thermal() || g.Reasons.Power() || g.Reasons.Other() {
		t.Errorf("the reasons are %x", g.Reasons)
	}
	old := list[1]
	for name, v := range map[string]Value{"margin": old.Margin, "draw": old.Draw, "limit": old.Limit, "busy": old.Busy, "clock": old.Clock} {
		if v.Known {
			t.Errorf("the %s that the driver does not tell is %v", name, v.V)
		}
	}
	if old.ReasonsKnown || old.MemoryUsed.V != 12<<20 {
		t.Errorf("the card is %+v", old)
	}
}

// An answer that was asked for without nounits, of a card that is cut into instances (MIG).
func TestParseUnits(t *testing.T) {
	list, err := ParseGPUs("pci.bus_id, name, power.draw [W], memory.total [MiB], memory.used [MiB], utilization.gpu [%], clocks.current.sm [MHz]\n" +
		"00000000:0F:00.0, NVIDIA A100-SXM4-80GB, 61.50 W, 81920 MiB, 1024 MiB, [N/A], ERR!\n")
	if err != nil || len(list) != 1 {
		t.Fatalf("the cards are %+v, %v", list, err)
	}
	g := list[0]
	if g.PCI != "0000:0f:00.0" || g.Draw.V != 61.5 || g.MemoryTotal.V != 80<<30 || g.MemoryUsed.V != 1<<30 || g.Busy.Known || g.Clock.Known {
		t.Errorf("the card is %+v", g)
	}
}

func TestReasonBits(t *testing.T) {
	for _, tt := range []struct {
		bits                  Reasons
		thermal, power, other bool
	}{
		{0, false, false, false},
		{1, false, false, false},     // idle
		{2, false, false, false},     // chosen clocks
		{0x100, false, false, false}, // display clocks
		{4, false, true, false},
		{0x80 | 8, false, true, false},
		{0x20, true, false, false},
		{0x40 | 8, true, false, false},
		{8, false, false, true},
		{0x24, true, true, false},
	} {
		if tt.bits.Thermal() != tt.thermal || tt.bits.Power() != tt.power || tt.bits.Other() != tt.other {
			t.Errorf("%#x is thermal %v, power %v, other %v", tt.bits, tt.bits.Thermal(), tt.bits.Power(), tt.bits.Other())
		}
	}
}

func TestParseProcesses(t *testing.T) {
	list, err := ParseProcesses("pid, gpu_bus_id, used_gpu_memory [MiB]\n4242, 00000000:00:06.0, 5120\n17, 00000000:00:06.0, [N/A]\nx, y, z\n")
	if err != nil || len(list) != 2 || list[0] != (Process{4242, "0000:00:06.0", Value{5120 << 20, true}}) || list[1].Memory.Known {
		t.Errorf("the processes are %+v, %v", list, err)
	}
}

func TestNoAnswer(t *testing.T) {
	for _, text := range []string{"", "\n", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", "\x00\xff\n"} {
		if list, err := ParseGPUs(text); err == nil {
			t.Errorf("%q gives %+v", text, list)
		}
	}
}

// script makes a tool that answers as the shell text says.
func script(t *testing.T, text string) *Tool {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	file := filepath.Join(t.TempDir(), "nvidia-smi")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return &Tool{Path: file}
}

// TestOlderDriver holds that fields that a driver refuses are left out, and not asked for again.
func TestOlderDriver(t *testing.T) {
	tool := script(t, `
for f in temperature.gpu.tlimit memory.reserved clocks_throttle_reasons.active; do
	case "$1" in *$f*) echo "Field \"$f\" is not a valid field to query."; exit 2;; esac
done
echo "${1#--query-gpu=}"
echo "$1" | sed 's/--query-gpu=pci.bus_id/0000:01:00.0/; s/,[^,]*/,1/g'
`)
	list, err := tool.Query(context.Background())
	if err != nil || len(list) != 1 || list[0].PCI != "0000:01:00.0" || list[0].Margin.Known || !list[0].ReasonsKnown {
		t.Errorf("the cards are %+v, %v", list, err)
	}
	if got := strings.Join(tool.fields(), " "); strings.Contains(got, "tlimit") || !strings.Contains(got, "clocks_event_reasons.active") {
		t.Errorf("the next call asks for %s", got)
	}
}

// What the tool said is kept as it was, so that a recorded host reads as the machine did.
func TestAnswerReadsAgain(t *testing.T) {
	tool := script(t, `echo "${1#--query-gpu=}"; echo "$1" | sed 's/--query-gpu=pci.bus_id/0000:01:00.0/; s/,[^,]*/,1/g'`)
	var said string
	tool.Answer = func(text string) { said = text }
	list, err := tool.Query(context.Background())
	if err != nil || len(list) != 1 {
		t.Fatalf("the cards are %+v, %v", list, err)
	}
	if again, err := ParseGPUs(said); err != nil || len(again) != 1 || again[0] != list[0] {
		t.Errorf("the kept answer gives %+v, %v, not %+v", again, err, list)
	}
}

func TestToolFails(t *testing.T) {
	if _, err := script(t, `echo "No devices were found"; exit 6`).Query(context.Background()); err == nil || !strings.Contains(err.Error(), "No devices were found") {
		t.Errorf("the error is %v", err)
	}
	if _, err := (&Tool{Path: "/nonexistent/nvidia-smi"}).Query(context.Background()); err == nil {
		t.Error("a missing tool answers")
	}
	if _, err := script(t, `echo "Field \"pci.bus_id\" is not a valid field to query."; exit 2`).Query(context.Background()); err == nil {
		t.Error("a driver that knows no address answers")
	}
}

// TestToolHangs holds that a call ends when it is told to, though the tool does not.
func TestToolHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	tool := script(t, "echo ready >\"$0.ready\"; exec tail -f /dev/null\n")
	go func() {
		for {
			if _, err := os.Stat(tool.Path + ".ready"); err == nil {
				cancel()
				return
			}
			runtime.Gosched()
		}
	}()
	if _, err := tool.Query(ctx); err == nil {
		t.Error("a tool that hangs answers")
	}
}

// TestLongAnswer holds that an answer without end is cut.
func TestLongAnswer(t *testing.T) {
	if _, err := script(t, "head -c 5000000 /dev/zero\n").Query(context.Background()); err == nil || len(err.Error()) > 500 {
		t.Errorf("the error is %v", err)
	}
}

func TestAddress(t *testing.T) {
	for in, w := range map[string]string{"00000000:01:00.0": "0000:01:00.0", "0000:C1:00.0": "0000:c1:00.0", "00010000:01:00.0": "00010000:01:00.0", "": "", "x": ""} {
		if got := Address(in); got != w {
			t.Errorf("%q is %q, want %q", in, got, w)
		}
	}
}

func FuzzParseGPUs(f *testing.F) {
	f.Add(header + "00000000:00:06.0, NVIDIA H200, 37, 50, 126.69, 700.00, 143771, 100, 616, 3, 1980, 1980, 0x60\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseGPUs(text)
		if err != nil && list != nil {
			t.Error("an error comes with cards")
		}
		for _, g := range list {
			if g.PCI == "" {
				t.Error("a card has no address")
			}
		}
	})
}
