package budget

import (
	"fmt"
	"math"
	"strings"
	"time"

	"headroom/policy"
	"headroom/sensors"
)

// What stands in for a power budget that nothing tells, and the largest limit that is one, in mW.
const (
	AssumedMainsMW   = 60_000
	AssumedBatteryMW = 12_000

	maxLimitMW = 1_000_000
)

// supply is the limit and the draw of the device that would run the job.
type supply struct {
	limit, draw sensors.Number
	// budget is limit − draw where a limit is known.
	budget sensors.Number
	state  sensors.State
	name   string
	id     string
	detail string
	credit float64
}

// readPower is what the device in use may still draw: its limit less its draw, and on battery no more than lets the
// battery last as long as it is wanted to.
func readPower(s sensors.Sample, devices []device, gpu *device, battery Battery, set Settings, credit credit) Power {
	var from supply
	if gpu != nil && (gpu.Type == policy.DiscreteGPU || gpu.Type == policy.VirtualGPU) {
		from = tightest(cardSupplies(s.Power, gpu, set.Limits))
	} else {
		from = packageSupply(s.Power, devices, set.Limits)
	}
	from = from.withCredit(credit)
	p := Power{
		State: from.state, Limit: from.limit, Draw: from.draw, ReadingID: from.id, Detail: from.detail,
		OnBattery: onBattery(s, battery), Credit: from.credit,
	}
	budget, known := from.budget.Get()
	if known {
		p.Source = from.words()
	}
	if last, ok := battery.lasting(set.Runtime, credit.power); ok && (!known || last < budget) {
		budget, known = last, true
		p.FromBattery, p.State, p.ReadingID, p.Credit = true, battery.powerState, battery.powerID, 0
		p.Source = fmt.Sprintf("%s Wh over %s − %s W · battery", watts(battery.Remaining.Or(0)), hours(set.Runtime), watts(battery.Rate.Or(0)))
	}
	if !known {
		// A draw without a limit decides nothing.
		p.State, p.Source, p.ReadingID, budget = sensors.StateAssumed, "assumption", "", AssumedMainsMW
		if p.OnBattery {
			budget = AssumedBatteryMW
		}
		if p.Detail == "" {
			p.Detail = "no power limit is readable: " + watts(budget) + " W is assumed"
		}
	}
	if pin, ok := set.Pins.PowerMW.Get(); ok {
		if known {
			p.Detail = "measured: " + p.Source
		} else {
			p.Detail = "unpinned: " + p.Detail
		}
		p.State, p.Source, p.ReadingID, p.FromBattery, p.Credit = sensors.StatePinned, "pinned", "", false, 0
		budget = pin
	}
	p.BudgetMW = float64(toUint32(milli(min(budget, math.MaxUint32))))
	return p
}

// cardSupplies are the power domains of one graphics card. They contain one another (slow and fast PPT).
func cardSupplies(domains []sensors.PowerDomain, gpu *device, limits map[string]float64) []supply {
	var out []supply
	for _, d := range domains {
		if gpu.owns(d.Card) {
			out = append(out, supplyOf(d, limits))
		}
	}
	return out
}

// packageSupply is the CPU package's: the sum over packages, or an APU's own cap, which covers the same silicon. The
// whole platform's domain, which contains the packages, stands in only where no package has a limit.
func packageSupply(domains []sensors.PowerDomain, devices []device, limits map[string]float64) supply {
	var ways []supply
	if sum, ok := sumOf(packages(domains, limits)); ok {
		ways = append(ways, sum)
	}
	for i := range devices {
		if devices[i].Type == policy.IntegratedGPU {
			ways = append(ways, cardSupplies(domains, &devices[i], limits)...)
		}
	}
	best := tightest(ways)
	if best.limit.Known() {
		return best
	}
	var platform []supply
	for _, d := range domains {
		if d.Kind == sensors.PowerPsys {
			platform = append(platform, supplyOf(d, limits))
		}
	}
	if p := tightest(platform); p.limit.Known() {
		return p
	}
	return best
}

// packages are the CPU packages, each once: one package may be told of through two interfaces.
func packages(domains []sensors.PowerDomain, limits map[string]float64) []supply {
	var order []string
	ways := map[string][]supply{}
	for _, d := range domains {
		if d.Kind != sensors.PowerPackage {
			continue
		}
		key := strings.ToLower(d.Name)
		if key == "" {
			key = d.ID
		}
		if _, seen := ways[key]; !seen {
			order = append(order, key)
		}
		ways[key] = append(ways[key], supplyOf(d, limits))
	}
	var out []supply
	for _, key := range order {
		out = append(out, tightest(ways[key]))
	}
	return out
}

// sumOf adds packages, which do not contain one another. Its limit is known only when each one's is.
func sumOf(parts []supply) (supply, bool) {
	if len(parts) == 0 {
		return supply{}, false
	}
	sum := parts[0]
	for _, p := range parts[1:] {
		sum.limit, sum.draw, sum.budget = add(sum.limit, p.limit), add(sum.draw, p.draw), add(sum.budget, p.budget)
		sum.state = sensors.Worst(sum.state, p.state)
		if sum.detail == "" {
			sum.detail = p.detail
		}
	}
	if len(parts) > 1 {
		sum.name = fmt.Sprintf("%d packages", len(parts))
	}
	return sum, true
}

func add(a, b sensors.Number) sensors.Number {
	x, xOK := a.Get()
	y, yOK := b.Get()
	if !xOK || !yOK {
		return sensors.Number{}
	}
	return sensors.Num(x + y)
}

// tightest takes, of domains that cover the same device, the smallest budget of those that tell both limit and draw, else
// of those that tell a limit, else any that tells a draw.
func tightest(ways []supply) supply {
	var best supply
	grade := -1
	for _, w := range ways {
		g := 0
		if w.draw.Known() {
			g = 1
		}
		if w.limit.Known() {
			g += 2
		}
		if g > grade || (g == grade && w.budget.Or(0) < best.budget.Or(0)) {
			best, grade = w, g
		}
	}
	return best
}

// supplyOf reads one domain. Where the draw cannot be read, the whole limit counts, as an assumption.
func supplyOf(d sensors.PowerDomain, limits map[string]float64) supply {
	s := supply{name: d.Name, id: d.ID, state: sensors.StateNotOffered}
	draw, drawOK := usable(d.Draw)
	drawOK = drawOK && draw >= 0
	if drawOK {
		s.draw = sensors.Num(draw)
	}
	limit, ok := usable(d.Limit)
	ok = ok && limit > 0 && limit <= maxLimitMW
	limitState := d.Limit.State
	if v, pinned := pinnedLimit(limits, d.ID, d.Limit.ID); pinned {
		limit, ok, limitState = v, true, sensors.StatePinned
		s.detail = "the limit is yours"
	}
	if !ok {
		return s
	}
	s.limit = sensors.Num(limit)
	if !drawOK {
		s.budget, s.state = sensors.Num(limit), sensors.Worst(limitState, sensors.StateAssumed)
		s.detail = "the draw is unknown (" + whyMissing(d.Draw) + "): the whole limit counts"
		return s
	}
	s.budget, s.state = sensors.Num(max(limit-draw, 0)), sensors.Worst(limitState, d.Draw.State)
	return s
}

// whyMissing says why a reading has no value: its state, and for an error what went wrong.
func whyMissing(r sensors.Reading) string {
	state := missingState(r)
	if state == sensors.StateError && r.Detail != "" {
		return words(state) + ": " + r.Detail
	}
	return words(state)
}

// withCredit counts the power that the workload itself draws as available.
func (s supply) withCredit(c credit) supply {
	limit, limitOK := s.limit.Get()
	draw, drawOK := s.draw.Get()
	if !limitOK || !drawOK || c.power <= 0 {
		return s
	}
	s.credit = min(c.power, draw)
	s.budget = sensors.Num(max(limit-(draw-s.credit), 0))
	return s
}

func (s supply) words() string {
	text := watts(s.limit.Or(0)) + " W limit"
	if draw, ok := s.draw.Get(); ok {
		text += " − " + watts(draw) + " W drawn"
	}
	if s.credit > 0 {
		text += " + " + watts(s.credit) + " W drawn by the workload itself"
	}
	if s.name != "" {
		text += " · " + s.name
	}
	return text
}

// watts writes mW as W, and mWh as Wh, with one decimal.
func watts(mw float64) string { return fmt.Sprintf("%.1f", mw/1000) }

// runtime is how long the battery is wanted to last.
func runtime(d time.Duration) time.Duration {
	if d <= 0 {
		return time.Hour
	}
	return d
}

func hours(d time.Duration) string { return trim(runtime(d).Hours()) + " h" }

// onBattery is a machine that discharges, or has a pack and its mains offline.
func onBattery(s sensors.Sample, b Battery) bool {
	if b.Status == sensors.Discharging {
		return true
	}
	mains, ok := usable(s.Mains)
	return b.Present && ok && mains == 0
}
