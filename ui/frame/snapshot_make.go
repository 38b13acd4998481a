package frame

import (
	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// Snapshot is the Frame as the JSON contract has it.
func (f Frame) Snapshot() Snapshot {
	b, in, v := f.Budget, f.Budget.Inputs, f.Verdict()
	s := Snapshot{
		Schema: Schema, Time: f.Sample.Time,
		Host:     HostJSON(f.Sample.Host),
		Throttle: ThrottleJSON{State: b.Throttle.State, Reasons: append([]string{}, b.Throttle.Reasons...), Detail: b.Throttle.Detail},
		Readings: readingsJSON(f.Sample),
		Thermal: ThermalJSON{
			State: b.Thermal.State, HeadroomC: b.Thermal.HeadroomC, Temperature: b.Thermal.Temperature, Limit: b.Thermal.Limit,
			LimitState: b.Thermal.LimitState, Source: b.Thermal.Source, Reading: b.Thermal.ReadingID, Detail: b.Thermal.Detail,
		},
		Power: PowerJSON{
			State: b.Power.State, BudgetMW: b.Power.BudgetMW, Limit: b.Power.Limit, Draw: b.Power.Draw, OnBattery: b.Power.OnBattery,
			FromBattery: b.Power.FromBattery, Source: b.Power.Source, Reading: b.Power.ReadingID, Detail: b.Power.Detail,
			CreditMW: b.Power.Credit,
		},
		Battery:    batteryJSON(b.Battery),
		Memory:     MemoryJSON{State: b.Memory.RAMState, RAMTotal: b.Memory.RAMTotal, RAMAvailable: b.Memory.RAMAvailable},
		GPUsAsleep: b.Asleep,
		GPUs:       []DeviceJSON{},
		NPU:        NPUJSON{State: b.NPU.State, Name: text(b.NPU.Name)},
		Device:     ChoiceJSON{Backend: b.Device.String(), Asked: text(f.Settings.Device), Detail: b.Detail},
		Workload:   workloadJSON(f),
		Budget: BudgetJSON{
			PowerBudgetMW: in.Budget.PowerBudgetMW, ThermalHeadroomC: b.Thermal.HeadroomC,
			VRAMState: b.Memory.State, VRAMSource: b.Memory.Source, CreditBytes: b.Memory.Credit,
			Parts: append([]budget.Part{}, b.Memory.Parts...), Assumed: append([]string{}, v.Assumed...), Pinned: append([]string{}, v.Pinned...),
		},
		Capabilities: CapabilitiesJSON{
			GPUAvailable: in.Host.GPUAvailable, VRAMAvailable: in.Host.VRAMAvailable,
			NPUAvailable: in.Host.NPUAvailable, CPUThreads: in.Host.CPUThreads,
		},
		Plan:    f.planJSON(),
		Verdict: VerdictJSON{Headline: v.Headline(), Because: v.Because, Change: v.Change, TokensPerSecond: SpeedJSON(f.Speed())},
	}
	if now, ok := b.Throttle.Now.Get(); ok {
		s.Throttle.Now = ptr(now != 0)
	}
	if f.MemoryKnown() {
		s.Budget.VRAMBudgetBytes, s.Budget.FreeBytes = ptr(b.Memory.Budget), ptr(b.Memory.Free)
	}
	if b.Shown >= 0 {
		s.GPU = gpuJSON(b.GPUs[b.Shown], b.Shown == b.InUse)
	}
	for i, g := range b.GPUs {
		d := DeviceJSON{
			ID: g.ID, Name: g.Name, InUse: i == b.InUse, Asleep: g.Asleep, State: g.State, VRAMTotal: g.VRAMTotal,
			VRAMAvailable: g.VRAMAvailable, VRAMSource: g.VRAMSource, Detail: g.Detail,
		}
		if g.HasAdapter {
			d.Type = ptr(g.Type.String())
		}
		s.GPUs = append(s.GPUs, d)
	}
	return s
}

func readingsJSON(s sensors.Sample) []ReadingJSON {
	all := sensors.Readings(s)
	out := make([]ReadingJSON, len(all))
	for i, r := range all {
		out[i] = ReadingJSON(r)
	}
	return out
}

func gpuJSON(g budget.GPU, inUse bool) *GPUJSON {
	return &GPUJSON{
		State: g.State, ID: g.ID, Name: g.Name, Type: g.Type.String(), Backend: g.Backend, Unified: g.Unified, InUse: inUse,
		VRAMTotal: g.VRAMTotal, VRAMAvailable: g.VRAMAvailable, VRAMSource: g.VRAMSource,
		MaxBufferSize: known(g.MaxBufferSize), MaxStorageBinding: known(g.MaxStorageBinding), Detail: g.Detail,
	}
}

func batteryJSON(b budget.Battery) BatteryJSON {
	out := BatteryJSON{
		State: b.State, Present: b.Present, Percent: b.Percent, Rate: b.Rate, Status: b.Status, Remaining: b.Remaining,
		Packs: []PackJSON{}, Detail: b.Detail,
	}
	for _, p := range b.Packs {
		out.Packs = append(out.Packs, PackJSON{
			ID: p.ID, Status: p.Status, Now: usable(p.Now), Full: usable(p.Full), Design: usable(p.Design),
			Rate: usable(p.Rate), Voltage: usable(p.Voltage), Capacity: usable(p.Capacity),
		})
	}
	return out
}

func workloadJSON(f Frame) WorkloadJSON {
	w := f.Settings.Workload
	out := WorkloadJSON{
		Name: w.Name, Params: w.Params, ActiveParams: known(w.ActiveParams), KVBytes: w.KVBytes, ComputeBytes: w.ComputeBytes,
		OverheadBytes: w.OverheadBytes(), Bare: w.Bare,
	}
	if !w.Bare {
		out.Context = known(w.Context)
	}
	return out
}

func (f Frame) planJSON() PlanJSON {
	p := f.Plan
	out := PlanJSON{
		Precision: p.Precision.String(), Tight: p.Tight, Backend: p.Backend.String(), Tiles: p.Tiles, TileBytes: p.TileBytes,
		ZeroCopy: p.ZeroCopy.String(), RequiresHostCopy: p.RequiresHostCopy,
	}
	memory := f.MemoryKnown()
	if memory {
		out.Fits = ptr(p.Fits)
	}
	if p.BindingTiles > 0 {
		out.BindingTiles = ptr(p.BindingTiles)
	}
	if p.Ops > 0 {
		out.Fusion = FusionJSON{Ops: ptr(p.Ops), Passes: ptr(p.Passes)}
	}
	words := f.RungWords()
	for i, r := range p.Rungs {
		rung := RungJSON{
			Precision: r.Precision.String(), Bytes: r.Need, Allowed: r.Allowed, Taken: r.Taken,
			Because: words[i],
		}
		if memory {
			rung.Fits = ptr(r.Fits)
		}
		out.Rungs = append(out.Rungs, rung)
	}
	for d := policy.DecidePrecision; d < policy.NumDecisions; d++ {
		out.Reasons = append(out.Reasons, ReasonJSON{Decision: DecisionName(d), Because: f.ReasonWords(d)})
	}
	return out
}

// MemoryKnown reports whether the free memory was read, assumed or pinned; without it nothing can be said to fit.
func (f Frame) MemoryKnown() bool { return f.Budget.Memory.State >= sensors.StateStale }

// usable is a reading's value where it may be relied on.
func usable(r sensors.Reading) sensors.Number {
	if !r.Usable() {
		return sensors.Number{}
	}
	return r.Value
}

func ptr[T any](v T) *T { return &v }

// known is a count that is unknown when it is 0.
func known(v uint64) *uint64 {
	if v == 0 {
		return nil
	}
	return &v
}

// text is a string that is unknown when it is empty.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
