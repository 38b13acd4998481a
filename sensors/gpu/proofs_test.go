//go:build linux && cgo && !nowebgpu

package gpu

import (
	"testing"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/gpu/prove"
)

// proveOn gives options to prove on Mesa's software adapter.
func proveOn(t *testing.T) ProveOptions {
	t.Helper()
	o := ProveOptions{Options: lavapipe(t), Effort: prove.Quick, Workload: workload.Default()}
	adapters, r := Probe(t.Context(), o.Options)
	if r.State != sensors.StateOK || len(adapters) == 0 {
		t.Fatalf("no adapter: %+v", r)
	}
	o.Adapter, o.Among = adapters[0], adapters
	return o
}

func TestProofsVerifyOnARealAdapter(t *testing.T) {
	for _, name := range []string{prove.Bandwidth, prove.Fusion, prove.Precision, prove.ZeroCopy, prove.Tiles} {
		t.Run(name, func(t *testing.T) {
			o := proveOn(t)
			o.Proofs = []string{name}
			r, err := Prove(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			p, _ := r.Find(name)
			if !p.Verified || p.Error != "" {
				t.Fatalf("not verified: %+v", p)
			}
			t.Logf("%+v", p)
		})
	}
}

func TestProofsStayWithinALittleMemory(t *testing.T) {
	for _, name := range []string{prove.Fusion, prove.Tiles} {
		t.Run(name, func(t *testing.T) {
			o := proveOn(t)
			// Whatever is over this fails: the child counts what it holds.
			o.Adapter.VRAMBudget, o.Adapter.VRAMUsage = sensors.Num(leastMemory+5<<20), sensors.Num(5<<20)
			o.Proofs, o.Effort = []string{name}, prove.Check
			r, err := Prove(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if p, _ := r.Find(name); !p.Verified || p.Error != "" {
				t.Fatalf("not verified: %+v", p)
			}
		})
	}
}

func TestABrokenKernelIsCaught(t *testing.T) {
	for _, name := range []string{prove.Bandwidth, prove.Fusion, prove.Precision, prove.ZeroCopy, prove.Tiles} {
		t.Run(name, func(t *testing.T) {
			o := proveOn(t)
			o.Proofs, o.Effort, o.sabotage = []string{name}, prove.Check, true
			r, err := Prove(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if p, _ := r.Find(name); p.Verified || p.Error != "" || !(p.MaxError > 0) {
				t.Fatalf("wrong numbers were not noticed: %+v", p)
			}
		})
	}
}
