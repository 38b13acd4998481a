//go:build linux

package gpu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/engine"
)

// faultVar tells the test's child how to misbehave; its name is one that a child's environment keeps.
const faultVar = "VK_HEADROOM_TEST_FAULT"

// TestMain makes this test program its own child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ChildCommand {
		if fault := os.Getenv(faultVar); fault != "" && os.Getenv(hideVar) == "" {
			switch {
			case strings.HasPrefix(fault, "live-"):
				misbehaveLive(fault, os.Args[2])
			case strings.HasPrefix(fault, "prove-"):
				misprove(fault)
			default:
				misbehave(fault)
			}
			os.Exit(0)
		}
		os.Exit(ChildMain(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func misbehave(fault string) {
	const good = `{"adapters":[{"name":"Test Card","type":"discrete","backend":"vulkan","vendor_id":4098,"device_id":7,` +
		`"max_buffer_size":"18446744073709551615","max_storage_binding":"2147483648","vram_total":null}]}`
	switch fault {
	case "good":
		fmt.Println(good)
	case "hang":
		r, _, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		_, _ = r.Read(make([]byte, 1))
	case "crash":
		fmt.Fprintln(os.Stderr, "thread '<unnamed>' panicked at src/lib.rs:1:2:\nparent device is lost")
		var nowhere *int
		*nowhere = 1
	case "crash-after-answer":
		fmt.Println(good)
		panic("on the way out")
	case "garbage":
		fmt.Println("<html>not\x1b[31m JSON</html>")
	case "twice":
		fmt.Println(good)
		fmt.Println(good)
	case "flood":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1<<16)); err != nil {
				return
			}
		}
	case "many":
		fmt.Println(`{"adapters":[` + strings.Repeat(`{},`, 10_000) + `{}]}`)
	case "by-driver":
		answerByDriver()
	case "open-nodes":
		openNodes(os.Getenv("VK_HEADROOM_TEST_TREE"))
	case "silent":
	case "none":
		fmt.Println(`{"adapters":[]}`)
	}
}

// openNodes answers with what came of opening each device file below root.
func openNodes(root string) {
	var notes []string
	for _, pattern := range []string{"dev/dri/*", "sys/class/drm/card*/device/config"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			panic(err)
		}
		for _, f := range found {
			h, err := os.Open(f)
			if err == nil {
				err = h.Close()
			}
			if pe := (*os.PathError)(nil); errors.As(err, &pe) {
				err = pe.Err
			}
			notes = append(notes, fmt.Sprintf("%s %v", strings.TrimPrefix(f, root), err))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer{Adapters: []adapter{}, Notes: notes}); err != nil {
		panic(err)
	}
}

func faulty(fault string) Options {
	return Options{
		Timeout: time.Minute,
		environ: append(os.Environ(), faultVar+"="+fault, "GORACE=atexit_sleep_ms=0"),
	}
}

func TestEveryFaultOfTheChildIsAState(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	for _, c := range []struct {
		fault string
		state sensors.State
		say   string
	}{
		{"hang", sensors.StateError, "gave no answer in time"},
		{"crash", sensors.StateError, "parent device is lost"},
		{"crash-after-answer", sensors.StateError, "on the way out"},
		{"garbage", sensors.StateError, "cannot be used: not the expected JSON"},
		{"twice", sensors.StateError, "answered twice"},
		{"flood", sensors.StateError, "printed more than 1048576 bytes"},
		{"many", sensors.StateError, "10001 adapters"},
		{"silent", sensors.StateError, "ended without an answer"},
		{"none", sensors.StateNotOffered, "no adapter"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			o := faulty(c.fault)
			if c.fault == "hang" {
				o.Timeout = 200 * time.Millisecond
			}
			adapters, r := Probe(t.Context(), o)
			if len(adapters) != 0 || r.State != c.state || !strings.Contains(r.Detail, c.say) {
				t.Fatalf("got %d adapters, %s, %q; want %s with %q", len(adapters), r.State, r.Detail, c.state, c.say)
			}
			if strings.ContainsAny(r.Detail, "\x1b\n") {
				t.Fatalf("%q holds control characters", r.Detail)
			}
		})
	}
}

func TestAGoodAnswerIsRead(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	adapters, r := Probe(t.Context(), faulty("good"))
	if r.State != sensors.StateOK || len(adapters) != 1 {
		t.Fatalf("got %v, %+v", adapters, r)
	}
	a := adapters[0]
	if a.Name != "Test Card" || a.MaxBufferSize != 1<<64-1 || a.VRAMTotal.Known() {
		t.Fatalf("got %+v", a)
	}
}

func TestACancelledProbeIsAnError(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, r := Probe(ctx, faulty("hang")); r.State != sensors.StateError {
		t.Fatalf("got %+v", r)
	}
}

func TestAMissingProgramIsAnError(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	_, r := Probe(t.Context(), Options{program: "/nonexistent/headroom"})
	if r.State != sensors.StateError || !strings.Contains(r.Detail, "start "+childName) {
		t.Fatalf("got %+v", r)
	}
}

func TestABuildWithoutWebGPUSaysSo(t *testing.T) {
	if engine.Available {
		t.Skip("this build has WebGPU")
	}
	adapters, r := Probe(t.Context(), Options{})
	if len(adapters) != 0 || r.State != sensors.StateNotOffered || r.Detail != "this build has no WebGPU" {
		t.Fatalf("got %v, %+v", adapters, r)
	}
}

func TestTheHiddenCommandIsNotForUsers(t *testing.T) {
	var out, errs strings.Builder
	if code := ChildMain([]string{jobAdapters}, &out, &errs); code != 2 || out.Len() != 0 || errs.Len() == 0 {
		t.Fatalf("got %d, %q, %q", code, out.String(), errs.String())
	}
}

// lavapipe gives options under which the child sees Mesa's software Vulkan driver alone.
func lavapipe(t *testing.T) Options {
	t.Helper()
	found, err := filepath.Glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
	if err != nil || len(found) == 0 {
		t.Skip("Mesa's software Vulkan driver is not installed")
	}
	return Options{environ: append(os.Environ(), "VK_DRIVER_FILES="+found[0], "VK_ICD_FILENAMES="+found[0], "GORACE=atexit_sleep_ms=0")}
}
