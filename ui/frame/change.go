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
	var gains []string
	for _, flip := range f.flips() {
		if flip.Up {
			gains = append(gains, f.gain(flip))
		}
	}
	if len(gains) == 0 {
		gains = f.gainTogether()
	}
	var losses alternatives
	for _, flip := range f.flips() {
		if flip.Up {
			continue
		}
		if doubt := f.doubt(flip); doubt != "" {
			losses.add(answer(flip), doubt)
		} else if len(gains) == 0 {
			losses.add(answer(flip), f.loss(flip))
		}
	}
	return sentence(strings.Join(append(gains, losses.words()...), "; "))
}

// alternatives collects the conditions that lead to one answer.
type alternatives struct {
	answers    []string
	conditions map[string][]string
}

func (a *alternatives) add(answer, condition string) {
	if a.conditions == nil {
		a.conditions = map[string][]string{}
	}
	if a.conditions[answer] == nil {
		a.answers = append(a.answers, answer)
	}
	a.conditions[answer] = append(a.conditions[answer], condition)
}

func (a *alternatives) words() []string {
	var out []string
	for _, answer := range a.answers {
		out = append(out, answer+" "+strings.ReplaceAll(strings.Join(a.conditions[answer], " or "), " or if ", " or "))
	}
	return out
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
	if !f.Plan.Fits {
		return fmt.Sprintf("%s fits with %s more", flip.To, more)
	}
	return fmt.Sprintf("%s more gives %s", more, flip.To)
}

// gainTogether is what several inputs lack together for a finer precision, where none alone is enough: "1.8 °C and 3.0 W
// more give f16".
func (f Frame) gainTogether() []string {
	r := f.Plan.Reasons[policy.DecidePrecision]
	var lacks []string
	switch {
	case r.Kind == policy.PrecisionHeldByBoth:
	case r.Kind == policy.PrecisionFinerTooBig && !f.Plan.Rungs[r.Other].Allowed:
		l := f.Ledger()
		lacks = append(lacks, l.Words(l.Rungs[r.Other].Margin))
	default:
		return nil
	}
	if f.Plan.TightHeat {
		lacks = append(lacks, f.heatGap())
	}
	if f.Plan.TightPower {
		lacks = append(lacks, f.powerGap())
	}
	text := listed(lacks) + " more give " + r.Other.String()
	if doubts := f.tightDoubts(); doubts != "" && r.Kind == policy.PrecisionHeldByBoth {
		text += ", or " + doubts
	}
	return []string{text}
}

// tightDoubts names the values at which assumed heat and power would both be roomy; empty unless both are assumed.
func (f Frame) tightDoubts() string {
	heat := f.doubt(policy.Flip{Input: policy.FlipHeat, At: policy.TightHeadroomC, Up: true})
	power := f.doubt(policy.Flip{Input: policy.FlipPower, At: policy.TightPowerMW, Up: true})
	if heat == "" || power == "" {
		return ""
	}
	return heat + " and " + strings.TrimPrefix(power, "if ")
}

// listed is "a, b and c".
func listed(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
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

// loss is what takes the present precision away: "under 5 °C of headroom".
func (f Frame) loss(flip policy.Flip) string {
	switch flip.Input {
	case policy.FlipHeat:
		return "under 5 °C of headroom"
	case policy.FlipPower:
		return "under 15 W of power"
	}
	l := f.Ledger()
	return "under " + l.Words(l.Weights) + " of memory budget"
}

// doubt names the value of an assumed input that would flip the answer: "if the real limit is 96.8 °C or more (95
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
		return fmt.Sprintf("if the real limit is %s (95 assumed)", side(plain(limit)+" °C", flip.Up))
	case t.State == sensors.StateAssumed:
		return fmt.Sprintf("if the real headroom is %s (30 assumed)", side(plain(flip.At)+" °C", flip.Up))
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
		return fmt.Sprintf("if the real power is %s (%s assumed)", side(plain(flip.At/1000)+" W", flip.Up), plain(p.BudgetMW/1000))
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
	return fmt.Sprintf("if less than %s is really free (%s assumed)", l.Words(l.Used), l.FreeTotal.Text)
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
			out = append(out, "power draw (the whole limit of "+Watts(p.Limit.Or(0))+" counts)")
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
