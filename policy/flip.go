package policy

import "math"

// findFlips tries, for each input alone, the nearest value above and the nearest below at which the policy has a threshold
// that could change the answer, and keeps those that do. While heat and power are both tight, neither alone changes it.
func (p *Plan) findFlips(in Inputs) {
	p.flipMemory(in)
	p.flipHeat(in)
	p.flipPower(in)
}

// flipMemory looks at the bytes of the next finer precision upward, and at those of the one taken downward. Where nothing
// fits, the next step up is q4 itself; where q4 is taken, the next step down is that nothing fits.
func (p *Plan) flipMemory(in Inputs) {
	now := in.Budget.VRAMBudgetBytes
	next := p.Precision
	if p.Fits && next > F32 {
		next--
	}
	if need := p.Rungs[next].Need; need > now && p.Rungs[next].Allowed {
		b := in.Budget
		b.VRAMBudgetBytes = need
		p.addFlip(in.Params, b, Flip{Input: FlipMemory, Up: true, At: float64(need), Delta: float64(need - now)})
	}
	if p.Fits && p.Job > 0 {
		b := in.Budget
		b.VRAMBudgetBytes = p.Job - 1
		p.addFlip(in.Params, b, Flip{Input: FlipMemory, At: float64(p.Job), Delta: float64(now - p.Job)})
	}
}

func (p *Plan) flipHeat(in Inputs) {
	now := float64(in.Budget.ThermalHeadroomC)
	if math.IsNaN(now) || math.IsInf(now, 0) {
		return
	}
	b := in.Budget
	b.ThermalHeadroomC = TightHeadroomC
	if !p.TightHeat {
		b.ThermalHeadroomC = math.Nextafter32(TightHeadroomC, 0)
	}
	p.addFlip(in.Params, b, Flip{Input: FlipHeat, Up: p.TightHeat, At: TightHeadroomC, Delta: math.Abs(TightHeadroomC - now)})
}

func (p *Plan) flipPower(in Inputs) {
	now := float64(in.Budget.PowerBudgetMW)
	b := in.Budget
	b.PowerBudgetMW = TightPowerMW
	if !p.TightPower {
		b.PowerBudgetMW = TightPowerMW - 1
	}
	p.addFlip(in.Params, b, Flip{Input: FlipPower, Up: p.TightPower, At: TightPowerMW, Delta: math.Abs(TightPowerMW - now)})
}

// addFlip keeps f if the budget b gives another answer than the plan's.
func (p *Plan) addFlip(params uint64, b PowerThermalBudget, f Flip) {
	f.To = SelectPrecision(params, b)
	f.ToFits = weightBytes(params, f.To) <= b.VRAMBudgetBytes
	if f.To == p.Precision && f.ToFits == p.Fits {
		return
	}
	p.Flips[p.NumFlips] = f
	p.NumFlips++
}
