package policy

// compare makes a Reason from bytes: what is needed, what there is, and the difference.
func compare(d Decision, k ReasonKind, need, have uint64) Reason {
	return Reason{Decision: d, Kind: k, Need: need, Have: have, Margin: distance(need, have)}
}

func distance(a, b uint64) uint64 { return max(a, b) - min(a, b) }

func precisionReason(in Inputs, p *Plan) Reason {
	have := in.Budget.VRAMBudgetBytes
	if !p.Fits {
		return compare(DecidePrecision, PrecisionNothingFits, p.Job, have)
	}
	for finer := F32; finer < p.Precision; finer++ {
		if p.Rungs[finer].Fits {
			return heldReason(in, p, finer)
		}
	}
	if p.Precision == F32 {
		return compare(DecidePrecision, PrecisionFinest, p.Job, have)
	}
	finer := p.Precision - 1
	r := compare(DecidePrecision, PrecisionFinerTooBig, p.Rungs[finer].Need, have)
	r.Other = finer
	return r
}

// heldReason says which input keeps finer off although it fits.
func heldReason(in Inputs, p *Plan, finer Precision) Reason {
	r := compare(DecidePrecision, PrecisionHeldByHeat, p.Rungs[finer].Need, in.Budget.VRAMBudgetBytes)
	r.Other = finer
	r.Value, r.Threshold = float64(in.Budget.ThermalHeadroomC), TightHeadroomC
	switch {
	case p.TightHeat && p.TightPower:
		r.Kind = PrecisionHeldByBoth
	case p.TightPower:
		r.Kind = PrecisionHeldByPower
		r.Value, r.Threshold = float64(in.Budget.PowerBudgetMW), TightPowerMW
	}
	return r
}

func backendReason(in Inputs, p *Plan) Reason {
	switch p.Backend {
	case GPU:
		k := BackendGPUTiled
		if p.Job <= in.Host.VRAMAvailable {
			k = BackendGPUFits
		}
		return compare(DecideBackend, k, p.Job, in.Host.VRAMAvailable)
	case NPU:
		return compare(DecideBackend, BackendNPU, p.Job, in.Budget.VRAMBudgetBytes)
	default:
		return compare(DecideBackend, BackendCPU, p.Job, in.Budget.VRAMBudgetBytes)
	}
}

func tilesReason(in Inputs, p *Plan) Reason {
	r := compare(DecideTiles, TilesOne, p.Job, in.Host.VRAMAvailable)
	switch {
	case p.Backend != GPU:
		r = compare(DecideTiles, TilesNoGPU, p.Job, in.Budget.VRAMBudgetBytes)
	case p.Tiles > 1:
		r.Kind = TilesMany
	}
	r.Count = p.Tiles
	return r
}

func zeroCopyReason(in Inputs, p *Plan) Reason {
	r := Reason{Decision: DecideZeroCopy, Kind: ZeroCopyUnified}
	switch {
	case !in.HasAdapter:
		r.Kind = ZeroCopyNoAdapter
	case p.ZeroCopy == StagingUpload:
		r.Kind = ZeroCopyDiscrete
	}
	return r
}

func fusionReason(p *Plan) Reason {
	r := Reason{Decision: DecideFusion, Kind: FusionSaved, Count: p.Ops - p.Passes}
	switch {
	case p.Ops == 0:
		r.Kind = FusionUnknown
	case r.Count == 0:
		r.Kind = FusionNone
	}
	return r
}
