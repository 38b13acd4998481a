package policy_test

import (
	"testing"

	"headroom/policy"
)

// kept keeps results alive: what is not used might not be computed.
var kept struct {
	precision policy.Precision
	backend   policy.ComputeBackend
	host      policy.HostCapabilities
	strategy  policy.ZeroCopyStrategy
	count     uint32
	yes       bool
	bytes     float64
	word      string
	plan      policy.Plan
}

func TestNothingAllocates(t *testing.T) {
	ops := make([]policy.TensorOp, 100)
	full := laptop
	full.Ops = [4][]policy.TensorOp{ops, ops, ops, ops}
	d := policy.NewHeterogeneousDispatcher(laptop.Host)
	for name, f := range map[string]func(){
		"SelectPrecision":             func() { kept.precision = policy.SelectPrecision(laptop.Params, laptop.Budget) },
		"NewHeterogeneousDispatcher":  func() { d = policy.NewHeterogeneousDispatcher(desktop.Host) },
		"SelectBackend":               func() { kept.backend = d.SelectBackend(1 << 40) },
		"GPUTiles":                    func() { kept.count = d.GPUTiles(1 << 40) },
		"Capabilities":                func() { kept.host = d.Capabilities() },
		"PlanFusion":                  func() { kept.count = policy.PlanFusion(ops) },
		"ZeroCopyForDevice":           func() { kept.strategy = policy.ZeroCopyForDevice(true) },
		"ZeroCopyForDeviceType":       func() { kept.strategy = policy.ZeroCopyForDeviceType(policy.VirtualGPU) },
		"RequiresHostCopy":            func() { kept.yes = policy.StagingUpload.RequiresHostCopy() },
		"BytesPerWeight":              func() { kept.bytes = policy.Q4.BytesPerWeight() },
		"Precision.String":            func() { kept.word = policy.F16.String() },
		"ComputeBackend.String":       func() { kept.word = policy.GPU.String() },
		"TensorOpKind.String":         func() { kept.word = policy.Barrier.String() },
		"ZeroCopyStrategy.String":     func() { kept.word = policy.MmapDirect.String() },
		"DeviceType.String":           func() { kept.word = policy.CPUDevice.String() },
		"Decide, held back by heat":   func() { kept.plan = policy.Decide(full) },
		"Decide, where nothing fits":  func() { kept.plan = policy.Decide(desktop) },
		"Decide, without any adapter": func() { kept.plan = policy.Decide(server) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
