//go:build linux

package gpu

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/gpu/prove"
)

// misprove is a child that measures something and then fails.
func misprove(fault string) {
	request, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		panic(err)
	}
	fmt.Println(`{"step":"half way","done":0.5,"proof":{"name":"fusion","verified":true,"unary_fused_ms":1.5}}`)
	switch fault {
	case "prove-crash":
		fmt.Fprintln(os.Stderr, "thread '<unnamed>' panicked at src/lib.rs:1:2:\nError in wgpuQueueSubmit: parent device is lost")
		panic("abort")
	case "prove-hang":
		misbehave("hang")
	case "prove-garbage":
		fmt.Println("]")
	case "prove-leaves":
	case "prove-memory":
		fmt.Println(`{"proof":{"name":"fusion","verified":false,"error":"make a buffer of 9 bytes: Not enough memory left","unary_fused_ms":1.5},"final":true}`)
	case "prove-crash-once":
		// Only the first proof's child crashes.
		if strings.Contains(request, `"proof":"fusion"`) {
			os.Exit(7)
		}
		fmt.Println(`{"proof":{"name":"bandwidth","verified":true,"max_error":0,"copy_gb_per_s":3},"final":true}`)
	}
}

func faultyProof(fault string) ProveOptions {
	return ProveOptions{Options: faulty(fault), Effort: prove.Quick, Proofs: []string{prove.Fusion}, Adapter: sensors.Adapter{Name: "Test Card"}}
}

func TestAFailedProofIsOneLineAndKeepsWhatItMeasured(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	for fault, say := range map[string]string{
		"prove-crash":   "parent device is lost",
		"prove-garbage": "gave an event that cannot be used",
		"prove-leaves":  "ended before the proof did",
		"prove-memory":  "Not enough memory left",
	} {
		t.Run(fault, func(t *testing.T) {
			r, err := Prove(t.Context(), faultyProof(fault))
			if err != nil {
				t.Fatal(err)
			}
			p, ok := r.Find(prove.Fusion)
			if !ok || p.Verified || !strings.Contains(p.Error, say) || strings.Contains(p.Error, "\n") {
				t.Fatalf("got %+v, want %q", p, say)
			}
			if v, ok := p.Figure("unary_fused_ms"); !ok || v != 1.5 {
				t.Fatalf("what was measured is gone: %+v", p)
			}
		})
	}
}

func TestACrashCostsOneProofOnly(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	o := faultyProof("prove-crash-once")
	o.Proofs = []string{prove.Fusion, prove.Bandwidth}
	r, err := Prove(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	fusion, _ := r.Find(prove.Fusion)
	bandwidth, _ := r.Find(prove.Bandwidth)
	if fusion.Error == "" || !bandwidth.Verified || r.Verified() {
		t.Fatalf("got %+v", r)
	}
}

func TestACancelledProofKeepsWhatItMeasured(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := faultyProof("prove-hang")
	o.Proofs = []string{prove.Fusion, prove.Bandwidth}
	o.Progress = func(proof, step string, done float64) {
		if proof == prove.Fusion && step == "half way" && done == 0.25 {
			cancel()
		}
	}
	r, err := Prove(ctx, o)
	if !errors.Is(err, context.Canceled) || len(r.Proofs) != 1 || r.Proofs[0].Figures["unary_fused_ms"] != 1.5 || r.Proofs[0].Error != prove.Cancelled {
		t.Fatalf("got %+v, %v", r, err)
	}
}

func TestASleepingAdapterIsNotProvenOn(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	o := faultyProof("prove-memory")
	o.Sysroot = tree(t, map[string]string{
		"sys/class/drm/card0/device/uevent":               "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n",
		"sys/class/drm/card0/device/power/runtime_status": "suspended\n",
	})
	o.Adapter.PCI = "0000:03:00.0"
	r, err := Prove(t.Context(), o)
	if p, _ := r.Find(prove.Fusion); err != nil || !strings.Contains(p.Error, "asleep") {
		t.Fatalf("got %+v, %v", r, err)
	}
}

func TestAFullAdapterIsNotProvenOn(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	for _, used := range []float64{8 << 30, 9 << 30, 8<<30 - 1<<20} {
		o := faultyProof("prove-memory")
		o.Adapter.VRAMBudget, o.Adapter.VRAMUsage = sensors.Num(8<<30), sensors.Num(used)
		r, err := Prove(t.Context(), o)
		if p, _ := r.Find(prove.Fusion); err != nil || !strings.Contains(p.Error, "of memory free and a proof takes 16 MiB at least") {
			t.Fatalf("%v in use: got %+v, %v", used, r, err)
		}
	}
}

func TestAnUnknownProofIsRefused(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	o := faultyProof("prove-memory")
	o.Proofs = []string{"everything"}
	if _, err := Prove(t.Context(), o); err == nil || !strings.Contains(err.Error(), `prove "everything"`) {
		t.Fatalf("got %v", err)
	}
}

func TestTheModelsLayerIsReadWithItsSizes(t *testing.T) {
	ops := layerOps(workload.Default().Decode[policy.F16])
	if len(ops) == 0 {
		t.Fatal("the default workload's layer is not understood")
	}
	for _, o := range ops {
		if o.Elements == 0 || o.Name == "" {
			t.Errorf("got %+v", o)
		}
	}
	if got := layerOps(workload.Sequence{Ops: make([]policy.TensorOp, 1), Names: []string{"x"}, Shapes: []string{"many"}}); got != nil {
		t.Errorf("a shape in other words gave %+v", got)
	}
	if got := layerOps(workload.Sequence{Ops: make([]policy.TensorOp, 1), Names: []string{"x"}, Shapes: []string{"1099511627775×1099511627775"}}); got != nil {
		t.Errorf("an endless shape gave %+v", got)
	}
}
