package policy_test

import (
	"testing"

	"headroom/policy"
)

func TestNothingAllocates(t *testing.T) {
	ops := make([]policy.TensorOp, 100)
	full := laptop
	full.Ops = [4][]policy.TensorOp{ops, ops, ops, ops}
	d := policy.NewHeterogeneousDispatcher(laptop.Host)
	for name, f := range map[string]func(){
		"SelectPrecision": func() { policy.SelectPrecision(laptop.Params, laptop.Budget) },
		"dispatcher": func() {
			d = policy.NewHeterogeneousDispatcher(desktop.Host)
			d.SelectBackend(1 << 40)
			d.GPUTiles(1 << 40)
			d.Capabilities()
		},
		"PlanFusion": func() { policy.PlanFusion(ops) },
		"ZeroCopy": func() {
			policy.ZeroCopyForDevice(true).RequiresHostCopy()
			policy.ZeroCopyForDeviceType(policy.VirtualGPU).RequiresHostCopy()
		},
		"words": func() {
			_, _, _, _, _ = policy.F16.String(), policy.GPU.String(), policy.Barrier.String(), policy.MmapDirect.String(), policy.CPUDevice.String()
			policy.Q4.BytesPerWeight()
		},
		"Decide, hot":          func() { policy.Decide(full) },
		"Decide, nothing fits": func() { policy.Decide(desktop) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
