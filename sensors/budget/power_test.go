package budget_test

import (
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

func watts(v float64) sensors.Reading { return read("w", v*1000, sensors.Milliwatt) }

var noWatts = missing("w", sensors.StateNeedsPermission)

func domain(id, name string, kind sensors.PowerKind, limit, draw sensors.Reading) sensors.PowerDomain {
	return sensors.PowerDomain{ID: id, Name: name, Kind: kind, Limit: limit, Draw: draw}
}

func onCard(limit, draw sensors.Reading) sensors.PowerDomain {
	d := domain("amdgpu/"+limit.Source, "amdgpu PPT", sensors.PowerGPU, limit, draw)
	d.Card = cardID
	return d
}

func pack(status sensors.BatteryStatus, now, full, rate sensors.Reading) sensors.Battery {
	return sensors.Battery{ID: "BAT0", Present: true, Status: status, Now: now, Full: full, Rate: rate, Capacity: noWatts}
}

func wattHours(v float64) sensors.Reading { return read("wh", v*1000, sensors.MilliWh) }

func mains(online float64) sensors.Reading { return read("AC", online, sensors.Count) }

func TestPower(t *testing.T) {
	pkg := domain("rapl:0", "package-0", sensors.PowerPackage, watts(28), watts(10))
	discharging := []sensors.Battery{pack(sensors.Discharging, wattHours(20), wattHours(50), watts(8))}
	for _, c := range []struct {
		name      string
		power     []sensors.PowerDomain
		adapter   string
		batteries []sensors.Battery
		mains     sensors.Reading
		set       budget.Settings
		budgetMW  float64
		state     sensors.State
		battery   bool
		limit     float64
		draw      float64
	}{
		{name: "nothing known on mains", budgetMW: 60_000, state: sensors.StateAssumed},
		{
			name: "nothing known on battery", mains: mains(0), budgetMW: 12_000, state: sensors.StateAssumed, battery: true,
			batteries: []sensors.Battery{pack(sensors.Idle, wattHours(20), wattHours(50), watts(0))},
		},
		{
			name: "a draw without a limit", power: []sensors.PowerDomain{domain("rapl:0", "package-0", sensors.PowerPackage, noWatts, watts(9))},
			budgetMW: 60_000, state: sensors.StateAssumed, draw: 9000,
		},
		{name: "package limit − draw", power: []sensors.PowerDomain{pkg}, budgetMW: 18_000, state: sensors.StateOK, limit: 28_000, draw: 10_000},
		{
			name: "an unreadable draw: the whole limit", power: []sensors.PowerDomain{domain("rapl:0", "package-0", sensors.PowerPackage, watts(28), noWatts)},
			budgetMW: 28_000, state: sensors.StateAssumed, limit: 28_000,
		},
		{
			name: "draw above limit is 0", power: []sensors.PowerDomain{domain("rapl:0", "package-0", sensors.PowerPackage, watts(28), watts(64))},
			budgetMW: 0, state: sensors.StateOK, limit: 28_000, draw: 64_000,
		},
		{
			name: "psys and package are not added", budgetMW: 18_000, state: sensors.StateOK, limit: 28_000, draw: 10_000,
			power: []sensors.PowerDomain{domain("rapl:1", "psys", sensors.PowerPsys, watts(60), watts(20)), pkg},
		},
		{
			name: "psys stands in where no package has a limit", budgetMW: 40_000, state: sensors.StateOK, limit: 60_000, draw: 20_000,
			power: []sensors.PowerDomain{
				domain("rapl:0", "package-0", sensors.PowerPackage, noWatts, watts(9)), domain("rapl:1", "psys", sensors.PowerPsys, watts(60), watts(20)),
			},
		},
		{
			name: "two packages", budgetMW: 43_000, state: sensors.StateOK, limit: 68_000, draw: 25_000,
			power: []sensors.PowerDomain{pkg, domain("rapl:1", "package-1", sensors.PowerPackage, watts(40), watts(15))},
		},
		{
			name: "one package told of twice", budgetMW: 15_000, state: sensors.StateOK, limit: 25_000, draw: 10_000,
			power: []sensors.PowerDomain{pkg, domain("mmio:0", "package-0", sensors.PowerPackage, watts(25), watts(10))},
		},
		{
			name: "two packages, one without a limit", budgetMW: 60_000, state: sensors.StateAssumed, draw: 25_000,
			power: []sensors.PowerDomain{pkg, domain("rapl:1", "package-1", sensors.PowerPackage, noWatts, watts(15))},
		},
		{
			name: "two packages, one without a draw", budgetMW: 58_000, state: sensors.StateAssumed, limit: 68_000,
			power: []sensors.PowerDomain{pkg, domain("rapl:1", "package-1", sensors.PowerPackage, watts(40), noWatts)},
		},
		{
			name: "a virtual GPU's own cap, not the package's", adapter: "virtual", budgetMW: 222_000, state: sensors.StateOK, limit: 290_000, draw: 68_000,
			power: []sensors.PowerDomain{pkg, onCard(watts(290), watts(68))},
		},
		{
			name: "core and dram never count", budgetMW: 60_000, state: sensors.StateAssumed,
			power: []sensors.PowerDomain{
				domain("rapl:0:0", "core", sensors.PowerCore, watts(20), watts(5)), domain("rapl:0:2", "dram", sensors.PowerDRAM, watts(20), watts(1)),
			},
		},
		{
			name: "limits of 0 and above 1 kW are unset", budgetMW: 60_000, state: sensors.StateAssumed,
			power: []sensors.PowerDomain{
				domain("rapl:0", "package-0", sensors.PowerPackage, watts(0), noWatts), domain("rapl:1", "package-1", sensors.PowerPackage, watts(3408.25), noWatts),
			},
		},
		{
			name: "a discrete GPU's cap, not the package's", adapter: "discrete", budgetMW: 222_000, state: sensors.StateOK, limit: 290_000, draw: 68_000,
			power: []sensors.PowerDomain{pkg, onCard(watts(290), watts(68))},
		},
		{
			name: "a discrete GPU that tells nothing", adapter: "discrete", power: []sensors.PowerDomain{pkg},
			budgetMW: 60_000, state: sensors.StateAssumed,
		},
		{
			name: "an APU's cap counts as its package", adapter: "integrated", budgetMW: 18_400, state: sensors.StateOK, limit: 33_000, draw: 14_600,
			power: []sensors.PowerDomain{onCard(watts(33), watts(14.6))},
		},
		{
			name: "slow and fast PPT are not added", adapter: "integrated", budgetMW: 5_000, state: sensors.StateOK, limit: 15_000, draw: 10_000,
			power: []sensors.PowerDomain{onCard(watts(25), watts(10)), onCard(watts(15), watts(10))},
		},
		{
			name: "a whole reading before one without its draw", adapter: "integrated", budgetMW: 18_400, state: sensors.StateOK, limit: 33_000, draw: 14_600,
			power: []sensors.PowerDomain{domain("rapl:0", "package-0", sensors.PowerPackage, watts(18), noWatts), onCard(watts(33), watts(14.6))},
		},
		{
			name: "discharging: what the battery can give for an hour is smaller", power: []sensors.PowerDomain{pkg}, batteries: discharging,
			budgetMW: 12_000, state: sensors.StateOK, battery: true, limit: 28_000, draw: 10_000,
		},
		{
			name: "a shorter wanted runtime", power: []sensors.PowerDomain{pkg}, batteries: discharging, set: budget.Settings{Runtime: 30 * time.Minute},
			budgetMW: 18_000, state: sensors.StateOK, battery: true, limit: 28_000, draw: 10_000,
		},
		{
			name: "a runtime that cannot be had", batteries: discharging, set: budget.Settings{Runtime: 10 * time.Hour},
			budgetMW: 0, state: sensors.StateOK, battery: true,
		},
		{name: "the battery alone", batteries: discharging, budgetMW: 12_000, state: sensors.StateOK, battery: true},
		{
			name: "discharging at an unknown rate", budgetMW: 12_000, state: sensors.StateAssumed, battery: true,
			batteries: []sensors.Battery{pack(sensors.Discharging, wattHours(20), wattHours(50), noWatts)},
		},
		{
			name: "charging does not limit", power: []sensors.PowerDomain{pkg}, mains: mains(1), budgetMW: 18_000, state: sensors.StateOK, limit: 28_000, draw: 10_000,
			batteries: []sensors.Battery{pack(sensors.Charging, wattHours(20), wattHours(50), watts(30))},
		},
		{
			name: "a mouse is not the machine's battery", mains: missing("AC", sensors.StateNotOffered), budgetMW: 60_000, state: sensors.StateAssumed,
			batteries: []sensors.Battery{{Peripheral: true, Present: true, Status: sensors.Discharging, Rate: watts(1), Now: wattHours(1), Full: wattHours(2)}},
		},
		{
			name: "pinned", power: []sensors.PowerDomain{pkg}, set: budget.Settings{Pins: budget.Pins{PowerMW: sensors.Num(14_999.9)}},
			budgetMW: 14_999, state: sensors.StatePinned, limit: 28_000, draw: 10_000,
		},
		{
			name: "pinned beyond what 32 bits hold", set: budget.Settings{Pins: budget.Pins{PowerMW: sensors.Num(1e12)}},
			budgetMW: 1<<32 - 1, state: sensors.StatePinned,
		},
		{
			name: "a pinned limit", power: []sensors.PowerDomain{pkg}, set: budget.Settings{Limits: map[string]float64{"rapl:0": 45_000}},
			budgetMW: 35_000, state: sensors.StatePinned, limit: 45_000, draw: 10_000,
		},
		{
			name: "the workload's own draw is available to it", power: []sensors.PowerDomain{pkg}, set: budget.Settings{CreditPID: 7},
			budgetMW: 24_000, state: sensors.StateOK, limit: 28_000, draw: 10_000,
		},
		{
			name: "also of the battery's", power: []sensors.PowerDomain{pkg}, batteries: discharging, set: budget.Settings{CreditPID: 7},
			budgetMW: 18_000, state: sensors.StateOK, battery: true, limit: 28_000, draw: 10_000,
		},
		{
			name: "but never more than is drawn", batteries: []sensors.Battery{pack(sensors.Discharging, wattHours(20), wattHours(50), watts(2))},
			set: budget.Settings{CreditPID: 7}, budgetMW: 20_000, state: sensors.StateOK, battery: true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sensors.Sample{
				Power: c.power, Batteries: c.batteries, Mains: c.mains, Memory: ram(gibs(32), gibs(24)),
				Workloads: []sensors.Process{{PID: 7, Name: "llama-server", Power: watts(6)}},
			}
			if c.adapter != "" {
				s.Cards, s.Adapters = []sensors.Card{amdCard(gibs(4), 0, gibs(8), 0)}, []sensors.Adapter{adapter(c.adapter)}
			}
			r := budget.From(s, c.set)
			got := r.Power
			near(t, "budget", got.BudgetMW, c.budgetMW, 0)
			near(t, "the policy's input", float64(r.Inputs.Budget.PowerBudgetMW), c.budgetMW, 0)
			equal(t, "state", got.State, c.state)
			equal(t, "on battery", got.OnBattery, c.battery)
			number(t, "limit", got.Limit, c.limit)
			number(t, "draw", got.Draw, c.draw)
		})
	}
}

// number compares a known number; 0 stands for unknown.
func number(t *testing.T, what string, got sensors.Number, want float64) {
	t.Helper()
	if v, ok := got.Get(); ok != (want != 0) || v != want {
		t.Errorf("%s is %v (known: %v), not %v", what, v, ok, want)
	}
}

// Words that stand beside the budget: the sum that it is, and why a part of it is missing.
func TestPowerSaysHowItWasFound(t *testing.T) {
	broken := missing("w", sensors.StateError)
	broken.Detail = "a folder where a file is expected"
	for _, c := range []struct {
		draw           sensors.Reading
		source, detail string
		budgetMW       float64
	}{
		{watts(10), "28.0 W limit − 10.0 W drawn · package-0", "", 18_000},
		{watts(0), "28.0 W limit − 0.0 W drawn · package-0", "", 28_000},
		{noWatts, "28.0 W limit · package-0", "the draw is unknown (needs permission): the whole limit counts", 28_000},
		{broken, "28.0 W limit · package-0", "the draw is unknown (error: a folder where a file is expected): the whole limit counts", 28_000},
	} {
		s := sensors.Sample{Power: []sensors.PowerDomain{domain("rapl:0", "package-0", sensors.PowerPackage, watts(28), c.draw)}}
		got := budget.From(s, budget.Settings{}).Power
		equal(t, "source", got.Source, c.source)
		equal(t, "detail", got.Detail, c.detail)
		near(t, "budget", got.BudgetMW, c.budgetMW, 0)
		equal(t, "the draw is known", got.Draw.Known(), c.draw.Value.Known())
	}
}

func TestWholeBatteryBudgetSaysSo(t *testing.T) {
	s := sensors.Sample{Batteries: []sensors.Battery{pack(sensors.Discharging, wattHours(40), wattHours(50), watts(4.721))}}
	got := budget.From(s, budget.Settings{Workload: workload.Bare(1), Runtime: 2 * time.Hour}).Power
	equal(t, "from battery", got.FromBattery, true)
	equal(t, "source", got.Source, "40.0 Wh over 2 h − 4.7 W · battery")
}

func TestADrawWithoutALimitDecidesNothing(t *testing.T) {
	s := sensors.Sample{Power: []sensors.PowerDomain{domain("rapl:0", "package-0", sensors.PowerPackage, noWatts, watts(9))}}
	p := budget.From(s, budget.Settings{}).Power
	equal(t, "the reading that decides", p.ReadingID, "")
	equal(t, "why", p.Detail, "no power limit is readable: 60.0 W is assumed")
}
