package policy_test

import (
	"fmt"

	"headroom/policy"
)

// A laptop with memory to spare, 3.2 °C below its limit: f16 would fit, but the envelope is tight.
func ExampleSelectPrecision() {
	budget := policy.PowerThermalBudget{VRAMBudgetBytes: 20 << 30, PowerBudgetMW: 18_400, ThermalHeadroomC: 3.2}
	fmt.Println(policy.SelectPrecision(8_030_000_000, budget))
	budget.ThermalHeadroomC = 5
	fmt.Println(policy.SelectPrecision(8_030_000_000, budget))
	// Output:
	// q8
	// f16
}

func ExampleHeterogeneousDispatcher() {
	d := policy.NewHeterogeneousDispatcher(policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 2 << 30, CPUThreads: 8})
	fmt.Println(d.SelectBackend(5<<30), d.GPUTiles(5<<30))
	// Output: gpu 3
}

// Two element-wise ops of one shape share a pass; the barrier after them needs its own.
func ExamplePlanFusion() {
	ops := []policy.TensorOp{
		{Kind: policy.Elementwise, Shape: 4096},
		{Kind: policy.Elementwise, Shape: 4096},
		{Kind: policy.Barrier, Shape: 4096},
	}
	fmt.Println(policy.PlanFusion(ops))
	// Output: 2
}

func ExampleZeroCopyForDeviceType() {
	for _, t := range []policy.DeviceType{policy.IntegratedGPU, policy.DiscreteGPU} {
		s := policy.ZeroCopyForDeviceType(t)
		fmt.Println(t, s, s.RequiresHostCopy())
	}
	// Output:
	// integrated mmap_direct false
	// discrete staging_upload true
}

func ExampleDecide() {
	p := policy.Decide(policy.Inputs{
		Params: 8_030_000_000,
		Budget: policy.PowerThermalBudget{VRAMBudgetBytes: 20 << 30, PowerBudgetMW: 18_400, ThermalHeadroomC: 3.5},
		Host:   policy.HostCapabilities{GPUAvailable: true, VRAMAvailable: 20 << 30, CPUThreads: 16},

		HasAdapter: true, Adapter: policy.IntegratedGPU,
	})
	fmt.Println(p.Precision, p.Backend, p.Tiles, p.ZeroCopy)
	for _, f := range p.Flips[:p.NumFlips] {
		if f.Input == policy.FlipHeat && f.Up {
			fmt.Printf("%.1f °C more gives %v\n", f.Delta, f.To)
		}
	}
	// Output:
	// q8 gpu 1 mmap_direct
	// 1.5 °C more gives f16
}
