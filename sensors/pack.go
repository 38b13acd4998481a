package sensors

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"headroom/sensors/sysfs"
)

// Bounds of a pack's rate in mW and voltage in mV.
var (
	plausibleRate    = bounds{0, 500_000, "no pack of a computer delivers that"}
	plausibleVoltage = bounds{0, 1e6, "no pack has that voltage"}
)

// pack is one power supply of type Battery.
type pack struct {
	env        *env
	id         string
	peripheral bool
	dir        string
	attrs      map[string]sysfs.Attr
}

func newPack(e *env, name, dir string, peripheral bool) *pack {
	b := &pack{env: e, id: "power_supply/" + name, peripheral: peripheral, dir: dir, attrs: map[string]sysfs.Attr{}}
	names, _ := e.fs.List(dir)
	for _, n := range names {
		b.attrs[n] = e.fs.Attr(dir, n)
	}
	return b
}

// value is a number in micro-units, or the error of reading it.
type value struct {
	n    float64
	err  error
	attr sysfs.Attr
}

func (v value) ok() bool { return v.err == nil }

// micro reads the first of the named attributes that gives a number.
func (b *pack) micro(names ...string) value {
	first := value{err: errAbsent}
	for _, name := range names {
		a, ok := b.attrs[name]
		if !ok {
			continue
		}
		n, err := a.Int()
		if err == nil {
			return value{n: float64(n), attr: a}
		}
		if first.err == errAbsent {
			first = value{err: err, attr: a}
		}
	}
	if first.err == errAbsent {
		first.attr = b.env.fs.Attr(b.dir, names[0])
	}
	return first
}

func (b *pack) read(context.Context) part {
	out := Battery{ID: b.id, Peripheral: b.peripheral, Present: true, Status: b.status()}
	if p := b.micro("present"); p.ok() && p.n == 0 {
		return part{Sample: Sample{Batteries: []Battery{b.emptyBay(p.attr.Name())}}}
	}
	volts := b.micro("voltage_now", "voltage_avg", "voltage_min_design", "voltage_max_design")
	out.Voltage = b.reading("voltage", Millivolt, volts, 1e-3, plausibleVoltage)
	now, charge := b.micro("energy_now", "energy_avg"), b.micro("charge_now", "charge_avg")
	empty := now.ok() && now.n == 0 || !now.ok() && charge.ok() && charge.n == 0
	out.Dead = empty && volts.ok() && volts.n == 0
	if volts.ok() && volts.n <= 0 {
		// No charge is held at 0 V: the voltage is not told, and makes no energy of a charge, nor a power of a current.
		volts = b.designVolts()
	}
	out.Now = b.stored("now", now, charge, volts)
	out.Full = b.stored("full", b.micro("energy_full"), b.micro("charge_full"), volts)
	out.Design = b.stored("design", b.micro("energy_full_design"), b.micro("charge_full_design"), volts)
	out.Rate = b.rate(volts)
	out.Capacity = b.reading("capacity", Percent, b.micro("capacity"), 1, bounds{0, 110, "a share of 0 to 100 %"})
	if v, ok := out.Capacity.Value.Get(); ok && v > 100 {
		out.Capacity.Value = Num(100)
		out.Capacity.Detail = fmt.Sprintf("reads %g %%, taken as full", v)
	}
	if out.Capacity.State == StateNotOffered && !volts.ok() {
		out.Capacity = b.share(out.Capacity, charge, b.micro("charge_full"))
	}
	return part{Sample: Sample{Batteries: []Battery{out}}}
}

// emptyBay is a place for a pack that has none in it, by the attribute that says so.
func (b *pack) emptyBay(source string) Battery {
	none := func(name string, unit Unit) Reading {
		return Missing(b.id+"/"+name, "battery", unit, StateNotOffered, source, "the bay is empty: no pack is in it")
	}
	return Battery{
		ID: b.id, Peripheral: b.peripheral, Status: b.status(),
		Now: none("now", MilliWh), Full: none("full", MilliWh), Design: none("design", MilliWh), Rate: none("rate", Milliwatt),
		Voltage: none("voltage", Millivolt), Capacity: none("capacity", Percent),
	}
}

// errNoVoltage is a voltage of 0 on a pack that holds something.
var errNoVoltage = errors.New("the pack tells no voltage (0 V)")

// designVolts is the voltage that the pack was made for, where the one now is not told.
func (b *pack) designVolts() value {
	v := b.micro("voltage_min_design", "voltage_max_design")
	if !v.ok() || v.n <= 0 {
		v = value{err: errNoVoltage, attr: b.env.fs.Attr(b.dir, "voltage_now")}
	}
	return v
}

func (b *pack) status() BatteryStatus {
	status, ok := b.attrs["status"]
	if !ok {
		return StatusUnknown
	}
	text, err := status.Text()
	if err != nil {
		return StatusUnknown
	}
	switch strings.ToLower(text) {
	case "charging":
		return Charging
	case "discharging":
		return Discharging
	case "not charging", "idle":
		return Idle
	case "full":
		return Full
	}
	return StatusUnknown
}

// reading scales one attribute.
func (b *pack) reading(name string, unit Unit, v value, scale float64, limit bounds) Reading {
	id, at := b.id+"/"+name, b.env.clock.Now()
	switch {
	case !v.ok():
		return failed(id, "battery", unit, v.attr.Name(), at, v.err)
	case !limit.holds(scaled(v.n, scale)):
		return implausible(id, "battery", unit, v.attr.Name(), at, scaled(v.n, scale), limit.why)
	}
	return got(id, "battery", unit, v.attr.Name(), at, scaled(v.n, scale))
}

// share is charge now of charge full, which is a percentage also where no voltage makes energies of them; none where they
// do not tell.
func (b *pack) share(none Reading, now, full value) Reading {
	if !now.ok() || !full.ok() || now.n < 0 || full.n <= 0 || now.n > full.n*1.1 {
		return none
	}
	r := got(none.ID, "battery", Percent, now.attr.Name(), b.env.clock.Now(), min(now.n/full.n*100, 100))
	r.Detail = "charge now of charge full"
	return r
}

// plausibleStored bounds a pack's energy in mWh.
var plausibleStored = bounds{0, 1e6, "no pack of a computer holds that"}

// stored is an energy in mWh: as told, or charge times voltage.
func (b *pack) stored(name string, energy, charge, volts value) Reading {
	if !energy.ok() && charge.ok() && volts.ok() {
		v := value{n: charge.n * volts.n / 1e6, attr: charge.attr}
		r := b.reading(name, MilliWh, v, 1e-3, plausibleStored)
		if r.State == StateOK {
			r.Detail = "charge × voltage"
		}
		return r
	}
	if !energy.ok() && charge.ok() {
		return b.reading(name, MilliWh, value{err: volts.err, attr: volts.attr}, 1, plausibleStored)
	}
	if !energy.ok() && stateOf(charge.err) != StateNotOffered {
		energy = charge
	}
	return b.reading(name, MilliWh, energy, 1e-3, plausibleStored)
}

// rate is the size of the power in mW, whatever its sign; the direction is in the status.
func (b *pack) rate(volts value) Reading {
	limit := plausibleRate
	power := b.micro("power_now", "power_avg")
	power.n = math.Abs(power.n)
	current := b.micro("current_now", "current_avg")
	product := value{n: math.Abs(current.n) * volts.n / 1e6, err: current.err, attr: current.attr}
	if current.ok() {
		product.err = volts.err
	}
	direct := b.reading("rate", Milliwatt, power, 1e-3, limit)
	if direct.State == StateOK || !product.ok() && (power.ok() || stateOf(product.err) == StateNotOffered) {
		return direct
	}
	r := b.reading("rate", Milliwatt, product, 1e-3, limit)
	if r.State == StateOK {
		r.Detail = "current × voltage"
		if power.ok() {
			r.Detail += "; " + direct.Detail
		}
	}
	return r
}
