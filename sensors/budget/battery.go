package budget

import (
	"math"
	"time"

	"headroom/sensors"
)

// maxRateMW is the largest rate that a pack can have; above it the reading is implausible.
const maxRateMW = 500_000

// readBattery puts the machine's packs together; peripherals, dead packs and empty bays are left out.
func readBattery(all []sensors.Battery) Battery {
	b := Battery{State: sensors.StateNotOffered, Status: sensors.StatusUnknown}
	for _, p := range all {
		if !p.Peripheral && !p.Dead && p.Present {
			b.Packs = append(b.Packs, p)
		}
	}
	if len(b.Packs) == 0 {
		b.Detail = noPack(all)
		return b
	}
	b.Present = true
	b.Status = together(b.Packs)
	b.State = sensors.StateOK
	b.readCharge()
	b.readRate()
	return b
}

// noPack says why none of what the system shows counts.
func noPack(all []sensors.Battery) string {
	detail := "the system shows no battery"
	for _, p := range all {
		switch {
		case !p.Peripheral && !p.Present:
			return "the battery bay is empty"
		case !p.Peripheral:
			return "the battery is dead (0 V, 0 Wh)"
		}
		detail = "the only batteries are those of peripherals"
	}
	return detail
}

// together is the direction of all packs: one that discharges makes the machine discharge.
func together(packs []sensors.Battery) sensors.BatteryStatus {
	for _, s := range []sensors.BatteryStatus{sensors.Discharging, sensors.Charging, sensors.Idle, sensors.Full} {
		for i := range packs {
			if packs[i].Status == s {
				return s
			}
		}
	}
	return sensors.StatusUnknown
}

// charge is one pack's energy now and at most, in mWh, and its percent; unknown where not told.
type charge struct {
	now, full, percent sensors.Number
	// agree is whether now and full can be put in proportion.
	agree bool
	state sensors.State
}

func chargeOf(p sensors.Battery) charge {
	c := charge{state: sensors.StateOK}
	now, nowOK := usable(p.Now)
	full, fullOK := usable(p.Full)
	nowOK, fullOK = nowOK && now >= 0, fullOK && full > 0
	if fullOK {
		c.full = sensors.Num(full)
	}
	if nowOK && fullOK && now <= full*1.1 {
		c.now, c.percent, c.agree = sensors.Num(now), sensors.Num(min(now/full*100, 100)), true
		c.state = sensors.Worst(p.Now.State, p.Full.State)
		return c
	}
	percent, ok := usable(p.Capacity)
	if !ok || percent < 0 || percent > 110 {
		c.state = missingState(p.Capacity)
		if p.Capacity.Usable() {
			c.state = sensors.StateImplausible
		}
		if nowOK && !fullOK {
			c.now = sensors.Num(now)
		}
		return c
	}
	c.percent, c.state = sensors.Num(min(percent, 100)), p.Capacity.State
	switch {
	case fullOK:
		c.now = sensors.Num(full * min(percent, 100) / 100)
	case nowOK:
		c.now = sensors.Num(now)
	}
	return c
}

// readCharge is energy now over energy full, summed; the mean of the kernel's percentages where that cannot be had.
func (b *Battery) readCharge() {
	var now, full, percents, weights float64
	agree, nowKnown, percentKnown, fullKnown := true, true, true, true
	charges := make([]charge, len(b.Packs))
	b.powerState = sensors.StateOK
	for i, p := range b.Packs {
		c := chargeOf(p)
		charges[i] = c
		agree = agree && c.agree
		nowKnown = nowKnown && c.now.Known()
		percentKnown = percentKnown && c.percent.Known()
		fullKnown = fullKnown && c.full.Known()
		now += c.now.Or(0)
		full += c.full.Or(0)
		b.State = sensors.Worst(b.State, c.state)
		b.powerState = sensors.Worst(b.powerState, c.state)
	}
	if nowKnown {
		b.Remaining = sensors.Num(now)
	}
	switch {
	case agree:
		b.Percent = sensors.Num(min(now/full*100, 100))
	case percentKnown:
		for _, c := range charges {
			w := 1.0
			if fullKnown {
				w = c.full.Or(0)
			}
			percents += c.percent.Or(0) * w
			weights += w
		}
		b.Percent = sensors.Num(percents / weights)
		b.note("the charge is the kernel's own percentage")
	default:
		b.note("a pack does not tell its charge")
	}
}

// note adds to the detail.
func (b *Battery) note(what string) {
	if b.Detail != "" {
		what = b.Detail + "; " + what
	}
	b.Detail = what
}

// readRate is the sum of |power|; one pack whose rate is unreadable makes it unknown.
func (b *Battery) readRate() {
	var sum float64
	state, unread := sensors.StateOK, sensors.StateStale
	for _, p := range b.Packs {
		rate, ok := usable(p.Rate)
		rate = math.Abs(rate)
		one := p.Rate.State
		switch {
		case !ok:
			one = missingState(p.Rate)
		case rate > maxRateMW:
			one = sensors.StateImplausible
		}
		unread = min(unread, one)
		sum += rate
		state = sensors.Worst(state, one)
	}
	switch {
	case unread < sensors.StateStale:
		b.note("the rate is unknown (" + words(unread) + ")")
	case sum > maxRateMW:
		state = sensors.StateImplausible
		b.note("the rate is unknown (the packs' together is implausible)")
	}
	b.State = sensors.Worst(b.State, state)
	b.powerState = sensors.Worst(b.powerState, state)
	b.powerID = b.Packs[0].ID
	if state >= sensors.StateStale {
		b.Rate = sensors.Num(sum)
	}
}

// lasting is the power that a discharging battery can give beside its present rate and still last as long as wanted, in
// mW; own is what the workload itself draws, counted as available.
func (b Battery) lasting(wanted time.Duration, own float64) (float64, bool) {
	rate, rateOK := b.Rate.Get()
	remaining, remainingOK := b.Remaining.Get()
	if b.Status != sensors.Discharging || !rateOK || !remainingOK {
		return 0, false
	}
	return max(remaining/runtime(wanted).Hours()-max(rate-own, 0), 0), true
}
