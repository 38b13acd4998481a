package frame

import (
	"fmt"
	"strings"

	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// change says what would change the precision: what a finer one lacks, and the value of each assumed input that would
// flip the answer. Where nothing finer can be had, it says what would take the present one away.
func (f Frame) change() string {
	if !f.MemoryKnown() {
		return "Pin the free memory to get an answer."
	}
	var parts []string
	for _, flip := range f.flips() {
		if flip.Up {
			parts = append(parts, f.gain(flip))
		}
	}
	if f.Plan.Reasons[policy.DecidePrecision].Kind == policy.PrecisionHeldByBoth {
		parts = append(parts, f.gainBoth())
	}
	finer := len(parts) > 0
	for _, flip := range f.flips() {
		if flip.Up {
			continue
		}
		if doubt := f.doubt(flip); doubt != "" {
			parts = append(parts, fmt.Sprintf("%s %s", answer(flip), doubt))
		} else if !finer {
			parts = append(parts, f.loss(flip))
		}
	}
	return sentence(strings.Join(parts, "; "))
}

func (f Frame) flips() []policy.Flip { return f.Plan.Flips[:f.Plan.NumFlips] }

// answer is what a flip leads to: "f16", or "nothing fits".
func answer(flip policy.Flip) string {
	if !flip.ToFits {
		return "nothing fits"
	}
	return flip.To.String()
}

// gain is what one input lacks for a finer precision: "1.8 °C more gives f16".
func (f Frame) gain(flip policy.Flip) string {
	more := f.gap(flip)
	if doubt := f.doubt(flip); doubt != "" {
		return fmt.Sprintf("%s with %s more, or %s", flip.To, more, doubt)
	}
	return fmt.Sprintf("%s more gives %s", more, flip.To)
}

// gainBoth is what heat and power lack together, where neither alone is enough.
func (f Frame) gainBoth() string {
	r := f.Plan.Reasons[policy.DecidePrecision]
	// With both roomy, the finest precision that fits is taken: the reason names it.
	text := fmt.Sprintf("%s and %s more give %s", f.heatGap(), f.powerGap(), r.Other)
	var doubts []string
	for _, in := range []policy.FlipInput{policy.FlipHeat, policy.FlipPower} {
		at := float64(policy.TightHeadroomC)
		if in == policy.FlipPower {
			at = policy.TightPowerMW
		}
		if d := f.doubt(policy.Flip{Input: in, At: at, Up: true}); d != "" {
			doubts = append(doubts, strings.TrimPrefix(d, "if "))
		}
	}
	if len(doubts) == 2 {
		text += ", or if " + strings.Join(doubts, " and ")
	}
	return text
}

func (f Frame) gap(flip policy.Flip) string {
	switch flip.Input {
	case policy.FlipHeat:
		return f.heatGap()
	case policy.FlipPower:
		return f.powerGap()
	}
	l := f.Ledger()
	return l.Words(l.Rungs[flip.To].Margin)
}

// heatGap is what the shown headroom lacks of 5 °C: the two figures add up.
func (f Frame) heatGap() string {
	return missing(f.Budget.Thermal.HeadroomC, policy.TightHeadroomC) + " °C"
}

func (f Frame) powerGap() string {
	return missing(f.Budget.Power.BudgetMW/1000, policy.TightPowerMW/1000) + " W"
}

// missing is threshold − v, written with as many decimals as under writes v.
func missing(v, threshold float64) string {
	shown := under(v, threshold)
	places := len(shown) - strings.IndexByte(shown, '.') - 1
	return decimal(threshold-v, places)
}

// loss is what takes the present precision away: "q8 under 5 °C of headroom".
func (f Frame) loss(flip policy.Flip) string {
	switch flip.Input {
	case policy.FlipHeat:
		return answer(flip) + " under 5 °C of headroom"
	case policy.FlipPower:
		return answer(flip) + " under 15 W of power"
	}
	l := f.Ledger()
	return fmt.Sprintf("%s under %s of memory budget", answer(flip), l.Words(l.Weights))
}

// doubt names the value of an assumed input that would flip the answer: "if the real limit is 96.8 °C or more (95 is
// assumed)". It is empty where the input is not assumed, or no plausible value would flip it.
func (f Frame) doubt(flip policy.Flip) string {
	switch flip.Input {
	case policy.FlipHeat:
		return f.heatDoubt(flip)
	case policy.FlipPower:
		return f.powerDoubt(flip)
	}
	return f.memoryDoubt(flip)
}

func (f Frame) heatDoubt(flip policy.Flip) string {
	t := f.Budget.Thermal
	switch {
	case t.State == sensors.StatePinned:
		return ""
	case t.LimitState == sensors.StateAssumed:
		limit := t.Temperature.Or(0) + flip.At
		if limit < budget.MinLimitC || limit > budget.MaxLimitC {
			return ""
		}
		return fmt.Sprintf("if the real limit is %s (95 is assumed)", side(plain(limit)+" °C", flip.Up))
	case t.State == sensors.StateAssumed:
		return fmt.Sprintf("if the real headroom is %s (30 is assumed)", side(plain(flip.At)+" °C", flip.Up))
	}
	return ""
}

func (f Frame) powerDoubt(flip policy.Flip) string {
	p := f.Budget.Power
	limit, known := p.Limit.Get()
	switch {
	case p.State != sensors.StateAssumed:
		return ""
	case !known || p.FromBattery:
		return fmt.Sprintf("if the real power budget is %s (%s is assumed)", side(plain(flip.At/1000)+" W", flip.Up), plain(p.BudgetMW/1000))
	case flip.Up || limit < flip.At:
		// The whole limit counts already: no draw makes it larger.
		return ""
	}
	return fmt.Sprintf("if more than %s is drawn of the limit of %s (the draw is unknown)", Watts(limit-flip.At), Watts(limit))
}

func (f Frame) memoryDoubt(flip policy.Flip) string {
	if f.Budget.Memory.State != sensors.StateAssumed || flip.Up {
		// All of it counts as free already.
		return ""
	}
	l := f.Ledger()
	return fmt.Sprintf("if less than %s is really free (%s is assumed)", l.Words(l.Used), l.FreeTotal.Text)
}

// side is "5 °C or more", or "under 5 °C".
func side(at string, up bool) string {
	if up {
		return at + " or more"
	}
	return "under " + at
}

// assumedWords lists the inputs that rest on an assumption.
func (f Frame) assumedWords() []string {
	var out []string
	t, p, m := f.Budget.Thermal, f.Budget.Power, f.Budget.Memory
	if t.State != sensors.StatePinned {
		if t.LimitState == sensors.StateAssumed {
			out = append(out, fmt.Sprintf("thermal limit %s °C", plain(t.Limit.Or(budget.AssumedLimitC))))
		} else if t.State == sensors.StateAssumed {
			out = append(out, fmt.Sprintf("thermal headroom %s °C", plain(t.HeadroomC)))
		}
	}
	if p.State == sensors.StateAssumed {
		if p.Limit.Known() && !p.FromBattery {
			out = append(out, "no power drawn, of a limit of "+Watts(p.Limit.Or(0)))
		} else {
			out = append(out, "power budget "+Watts(p.BudgetMW))
		}
	}
	if m.State == sensors.StateAssumed {
		out = append(out, "free memory "+Bytes(m.Free))
	}
	return out
}

// pinnedWords lists what the user holds.
func (f Frame) pinnedWords() []string {
	var out []string
	b, pins := f.Budget, f.Settings.Pins
	if pins.ThermalC.Known() {
		out = append(out, "thermal headroom "+Celsius(b.Thermal.HeadroomC))
	} else if b.Thermal.LimitState == sensors.StatePinned {
		out = append(out, "thermal limit "+Celsius(b.Thermal.Limit.Or(0)))
	}
	if pins.PowerMW.Known() {
		out = append(out, "power budget "+Watts(b.Power.BudgetMW))
	} else if _, ok := f.Settings.Limits[b.Power.ReadingID]; ok && b.Power.ReadingID != "" {
		out = append(out, "power limit "+Watts(b.Power.Limit.Or(0)))
	}
	if pins.VRAMBytes.Known() {
		out = append(out, "free memory "+Bytes(b.Memory.Free))
	}
	return out
}
