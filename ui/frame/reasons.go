package frame

import (
	"fmt"

	"headroom/policy"
	"headroom/sensors"
)

// DecisionName is a decision's name in the snapshot.
func DecisionName(d policy.Decision) string {
	return [...]string{"precision", "backend", "tiles", "zero_copy", "fusion"}[d]
}

// ReasonWords says why one decision came out as it did, without a full stop.
func (f Frame) ReasonWords(d policy.Decision) string {
	r := f.Plan.Reasons[d]
	switch d {
	case policy.DecidePrecision:
		return f.precisionWords(r)
	case policy.DecideBackend:
		return f.backendWords(r)
	case policy.DecideTiles:
		return f.tilesWords(r)
	case policy.DecideZeroCopy:
		return f.zeroCopyWords(r)
	default:
		return fusionWords(f.Plan, r)
	}
}

func (f Frame) precisionWords(r policy.Reason) string {
	l := f.Ledger()
	if !f.MemoryKnown() {
		return "the free memory is unknown (" + StateWords(f.Budget.Memory.State) + "), so nothing can be said to fit"
	}
	switch r.Kind {
	case policy.PrecisionFinest:
		return fmt.Sprintf("f32 needs %s, budget %s: it fits, and nothing is finer", l.Words(l.Rungs[policy.F32].Need), l.Words(l.Budget))
	case policy.PrecisionFinerTooBig:
		return l.shortage(r.Other.String(), l.Rungs[r.Other])
	case policy.PrecisionHeldByHeat:
		return r.Other.String() + " fits, but " + f.heatHolds() + ", so f32 and f16 are off"
	case policy.PrecisionHeldByPower:
		return r.Other.String() + " fits, but " + f.powerHolds() + ", so f32 and f16 are off"
	case policy.PrecisionHeldByBoth:
		return r.Other.String() + " fits, but " + f.heatHolds() + " and " + f.powerHolds() + ", so f32 and f16 are off"
	default:
		if l.Budget.Exact == 0 && l.FreeTotal.Exact > 0 {
			return fmt.Sprintf("KV cache and compute buffers need %s of %s free: nothing is left for weights",
				l.Words(l.total("", l.KV.Exact+l.Compute.Exact, l.KV.shown+l.Compute.shown)), l.Words(l.FreeTotal))
		}
		return l.shortage("even q4", l.Rungs[policy.Q4])
	}
}

// shortage is "f16 needs 14.9 GiB, budget 12.0 GiB: 2.9 GiB short".
func (l *Ledger) shortage(name string, r RungLine) string {
	return fmt.Sprintf("%s needs %s, budget %s: %s short", name, l.Words(r.Need), l.Words(l.Budget), l.Words(r.Margin))
}

// heatHolds is "3.2 °C of headroom is under 5 °C".
func (f Frame) heatHolds() string {
	return under(f.Budget.Thermal.HeadroomC, policy.TightHeadroomC) + " °C of headroom is under 5 °C"
}

// powerHolds is "12.0 W of power is under 15 W".
func (f Frame) powerHolds() string {
	return under(f.Budget.Power.BudgetMW/1000, policy.TightPowerMW/1000) + " W of power is under 15 W"
}

// under writes a value below a threshold so that rounding does not lift it to the threshold.
func under(v, threshold float64) string {
	for places := 1; ; places++ {
		s := decimal(v, places)
		if places == 3 || s != decimal(threshold, places) {
			return s
		}
	}
}

func (f Frame) backendWords(r policy.Reason) string {
	l, b := f.Ledger(), f.Budget
	switch r.Kind {
	case policy.BackendGPUFits:
		return fmt.Sprintf("the job of %s fits the GPU's budget of %s", l.Words(l.Weights), l.Words(l.Budget))
	case policy.BackendGPUTiled:
		return fmt.Sprintf("the job of %s exceeds the GPU's budget of %s: it goes through in tiles", l.Words(l.Weights), l.Words(l.Budget))
	}
	why := "there is no GPU to route to"
	switch {
	case b.InUse >= 0:
		why = "the GPU has no memory left for weights"
	case f.Settings.Device == "cpu" || (f.Settings.Device == "npu" && b.Device == policy.NPU):
		why = "you chose it"
	case b.Shown >= 0 && b.GPUs[b.Shown].Type == policy.CPUDevice:
		why = "the only adapter is a software one, no GPU to route to"
		if f.Sample.AdaptersState.State == sensors.StateError {
			why += " (" + f.Sample.AdaptersState.Detail + ")"
		}
	case b.Shown >= 0 && b.GPUs[b.Shown].Asleep:
		why = "the only GPU is asleep, and left so"
	case b.Shown >= 0:
		why = "the GPU is not used (" + b.GPUs[b.Shown].Detail + ")"
	case b.Asleep > 0:
		why = "the GPU is asleep, and left so"
	case f.Sample.AdaptersState.Detail != "" && f.Sample.AdaptersState.State != sensors.StateOK:
		why = "there is no GPU to route to (" + f.Sample.AdaptersState.Detail + ")"
	}
	if r.Kind == policy.BackendNPU {
		return why + "; an NPU is there"
	}
	if f.Settings.Device == "cpu" {
		return why
	}
	return why + ", and no NPU"
}

func (f Frame) tilesWords(r policy.Reason) string {
	l := f.Ledger()
	switch r.Kind {
	case policy.TilesMany:
		return fmt.Sprintf("%s ÷ %s, rounded up, is %s", l.Words(l.Weights), l.Words(l.Budget), Count(uint64(r.Count)))
	case policy.TilesNoGPU:
		return "tiles count a GPU's memory, and no GPU takes the job"
	}
	return "it fits as one job"
}

func (f Frame) zeroCopyWords(r policy.Reason) string {
	switch r.Kind {
	case policy.ZeroCopyUnified:
		if b := f.Budget; b.InUse < 0 {
			return "the software adapter's memory is the host's: weights are mapped in place"
		}
		return "the GPU shares the host's memory: weights are mapped in place, without staging"
	case policy.ZeroCopyDiscrete:
		return "the GPU has memory of its own: weights go through a staging buffer"
	}
	return "no adapter is in use: the device buffer is host memory"
}

func fusionWords(p policy.Plan, r policy.Reason) string {
	switch r.Kind {
	case policy.FusionSaved:
		return fmt.Sprintf("%s of %s saved: element-wise neighbours of one shape run as one",
			plural(uint64(r.Count), "pass", "passes"), Count(uint64(p.Ops)))
	case policy.FusionNone:
		return "every op is a pass of its own: no element-wise neighbours of one shape"
	}
	return "the workload's ops are not known"
}

func plural(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// RungWords are each precision's verdict in a few words, finest first: "too big by 2.9 GiB", "fits, but off while hot".
func (f Frame) RungWords() (words [4]string) {
	l := f.Ledger()
	for i, r := range f.Plan.Rungs {
		words[i] = f.rungWords(r, l.Words(l.Rungs[i].Margin))
	}
	return words
}

func (f Frame) rungWords(r policy.Rung, margin string) string {
	if !f.MemoryKnown() {
		return "unknown: the free memory was not read"
	}
	switch {
	case r.Taken && r.Fits:
		return "taken: finest allowed"
	case r.Taken:
		return "too big by " + margin + ", taken as nothing fits"
	case r.Fits && r.Allowed:
		return "fits"
	case r.Fits:
		return "fits, but off while " + f.tightWords()
	case r.Allowed:
		return "too big by " + margin
	}
	return "too big by " + margin + ", and off while " + f.tightWords()
}

// tightWords says what makes the envelope tight: "hot", "power is short".
func (f Frame) tightWords() string {
	switch {
	case f.Plan.TightHeat && f.Plan.TightPower:
		return "hot and power is short"
	case f.Plan.TightPower:
		return "power is short"
	}
	return "hot"
}
