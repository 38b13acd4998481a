package budget

import (
	"headroom/policy"
	"headroom/sensors"
)

// From finds the policy's inputs in a Sample under the user's settings. The device is chosen first; memory, heat and
// power are then read for that device, so that no decision feeds its own input. Every number in the Result is finite.
func From(s sensors.Sample, set Settings) Result {
	r := Result{InUse: -1, Shown: -1, Device: policy.CPU}
	r.NPU = findNPU(s.NPUs)
	r.Memory = readRAM(s.Memory)
	credit := findCredit(s.Workloads, set.CreditPID)

	devices := findDevices(s, r.Memory.ramAvailable(), r.Memory.RAMTotal)
	r.choose(devices, set, credit)
	r.GPUs = make([]GPU, len(devices))
	for i := range devices {
		r.GPUs[i] = devices[i].GPU
	}

	r.Battery = readBattery(s.Batteries)
	r.Thermal = readThermal(s.Temperatures, r.inUse(devices), set)
	r.Power = readPower(s, devices, r.inUse(devices), r.Battery, set, credit)
	r.Memory.settle(r.inUse(devices), set, credit)
	r.Throttle = readThrottle(s.Throttle, s.Temperatures, set.Limits)
	r.Inputs = r.inputs(s, set)
	return r
}

// inUse is the device that decisions are made for; nil when no GPU is routed to.
func (r *Result) inUse(devices []device) *device {
	if r.InUse < 0 {
		return nil
	}
	return &devices[r.InUse]
}

func (r *Result) inputs(s sensors.Sample, set Settings) policy.Inputs {
	in := policy.Inputs{
		Params: set.Workload.Params,
		Budget: policy.PowerThermalBudget{
			VRAMBudgetBytes:  r.Memory.Budget,
			PowerBudgetMW:    toUint32(r.Power.BudgetMW),
			ThermalHeadroomC: float32(r.Thermal.HeadroomC),
		},
		Host: policy.HostCapabilities{
			GPUAvailable: r.gpuAvailable,
			NPUAvailable: r.NPU.Available && set.Device != DeviceCPU,
			CPUThreads:   toUint32(float64(s.Host.Threads)),
		},
		LargestTensor: set.Workload.LargestTensor,
	}
	for p := range in.Ops {
		in.Ops[p] = set.Workload.Decode[p].Ops
	}
	switch {
	case r.InUse >= 0:
		gpu := &r.GPUs[r.InUse]
		in.Host.VRAMAvailable = r.Memory.Budget
		in.HasAdapter, in.Adapter, in.MaxBinding = true, gpu.Type, gpu.bindable()
	case r.Shown >= 0 && r.GPUs[r.Shown].Type == policy.CPUDevice:
		in.HasAdapter, in.Adapter = true, policy.CPUDevice
	}
	return in
}

// bindable is how many bytes one binding can span, 0 where unknown: a binding ends where its buffer does.
func (g *GPU) bindable() uint64 {
	if g.MaxStorageBinding == 0 || g.MaxBufferSize == 0 {
		return max(g.MaxStorageBinding, g.MaxBufferSize)
	}
	return min(g.MaxStorageBinding, g.MaxBufferSize)
}
