package policy

import "math"

// Decide makes every decision from one Inputs value, with the reason for each and what would change the answer.
func Decide(in Inputs) Plan {
	var p Plan
	p.TightHeat, p.TightPower = in.Budget.tight()
	p.Tight = p.TightHeat || p.TightPower
	p.Precision = SelectPrecision(in.Params, in.Budget)
	for at := F32; at <= Q4; at++ {
		need := weightBytes(in.Params, at)
		p.Rungs[at] = Rung{
			Precision: at,
			Need:      need,
			Fits:      need <= in.Budget.VRAMBudgetBytes,
			Allowed:   at >= Q8 || !p.Tight,
			Taken:     at == p.Precision,
			Margin:    distance(need, in.Budget.VRAMBudgetBytes),
		}
	}
	p.Fits = p.Rungs[p.Precision].Fits
	p.Job = p.Rungs[p.Precision].Need

	d := NewHeterogeneousDispatcher(in.Host)
	p.Backend = d.SelectBackend(p.Job)
	p.Tiles = d.GPUTiles(p.Job)
	p.TileBytes = ceilDiv(p.Job, uint64(p.Tiles))
	if in.LargestTensor > 0 && in.MaxBinding > 0 {
		p.BindingTiles = tileCount(weightBytes(in.LargestTensor, p.Precision), in.MaxBinding)
	}
	if in.HasAdapter {
		p.ZeroCopy = ZeroCopyForDeviceType(in.Adapter)
	}
	p.RequiresHostCopy = p.ZeroCopy.RequiresHostCopy()
	ops := in.Ops[p.Precision]
	p.Ops = uint32(min(uint64(len(ops)), math.MaxUint32))
	p.Passes = PlanFusion(ops)

	p.Reasons[DecidePrecision] = precisionReason(in, &p)
	p.Reasons[DecideBackend] = backendReason(in, &p)
	p.Reasons[DecideTiles] = tilesReason(in, &p)
	p.Reasons[DecideZeroCopy] = zeroCopyReason(in, &p)
	p.Reasons[DecideFusion] = fusionReason(&p)
	p.findFlips(in)
	return p
}
