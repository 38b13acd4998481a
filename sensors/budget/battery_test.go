package budget_test

import (
	"testing"

	"headroom/sensors"
	"headroom/sensors/budget"
)

func TestBattery(t *testing.T) {
	percent := func(v float64) sensors.Reading { return read("capacity", v, sensors.Percent) }
	byCapacity := func(p sensors.Battery, v float64) sensors.Battery {
		p.Capacity = percent(v)
		return p
	}
	dead := pack(sensors.StatusUnknown, wattHours(0), wattHours(20.65), watts(0))
	dead.Dead = true
	absent := pack(sensors.StatusUnknown, noWatts, noWatts, noWatts)
	absent.Present = false
	for _, c := range []struct {
		name    string
		packs   []sensors.Battery
		present bool
		percent float64
		rate    float64
		idle    bool
		left    float64
		status  sensors.BatteryStatus
		state   sensors.State
	}{
		{name: "none", status: sensors.StatusUnknown, state: sensors.StateNotOffered},
		{name: "an empty bay and a dead pack", packs: []sensors.Battery{absent, dead}, status: sensors.StatusUnknown, state: sensors.StateNotOffered},
		{
			name: "one pack", packs: []sensors.Battery{pack(sensors.Discharging, wattHours(40), wattHours(50), watts(4.721))},
			present: true, percent: 80, rate: 4721, left: 40_000, status: sensors.Discharging, state: sensors.StateOK,
		},
		{
			name: "a dead pack beside a live one", packs: []sensors.Battery{dead, pack(sensors.Charging, wattHours(20), wattHours(40), watts(5))},
			present: true, percent: 50, rate: 5000, left: 20_000, status: sensors.Charging, state: sensors.StateOK,
		},
		{
			name: "two packs of different size", present: true, percent: 75, rate: 9000, left: 60_000, status: sensors.Discharging, state: sensors.StateOK,
			packs: []sensors.Battery{
				pack(sensors.Discharging, wattHours(10), wattHours(20), watts(9)), pack(sensors.Idle, wattHours(50), wattHours(60), watts(0)),
			},
		},
		{
			name: "an unreadable rate is unknown, not 0", packs: []sensors.Battery{pack(sensors.Discharging, wattHours(40), wattHours(50), noWatts)},
			present: true, percent: 80, left: 40_000, status: sensors.Discharging, state: sensors.StateNeedsPermission,
		},
		{
			name: "one unreadable rate of two", present: true, percent: 80, left: 80_000, status: sensors.Discharging, state: sensors.StateNeedsPermission,
			packs: []sensors.Battery{
				pack(sensors.Discharging, wattHours(40), wattHours(50), noWatts), pack(sensors.Discharging, wattHours(40), wattHours(50), watts(5)),
			},
		},
		{
			name: "640 W is implausible", packs: []sensors.Battery{pack(sensors.Discharging, wattHours(40), wattHours(50), watts(640))},
			present: true, percent: 80, left: 40_000, status: sensors.Discharging, state: sensors.StateImplausible,
		},
		{
			name: "so are 600 W of two packs", present: true, percent: 80, left: 80_000, status: sensors.Discharging, state: sensors.StateImplausible,
			packs: []sensors.Battery{
				pack(sensors.Discharging, wattHours(40), wattHours(50), watts(300)), pack(sensors.Discharging, wattHours(40), wattHours(50), watts(300)),
			},
		},
		{
			name: "the kernel's percentage where energy is missing", present: true, percent: 63, rate: 5000, status: sensors.Charging, state: sensors.StateOK,
			packs: []sensors.Battery{byCapacity(pack(sensors.Charging, noWatts, noWatts, watts(5)), 63)},
		},
		{
			name: "and where now exceeds full by more than a tenth", present: true, percent: 90, rate: 5000, left: 45_000, status: sensors.Charging, state: sensors.StateOK,
			packs: []sensors.Battery{byCapacity(pack(sensors.Charging, wattHours(648), wattHours(50), watts(5)), 90)},
		},
		{
			name: "a tenth over full, and 500 W, are just believed", packs: []sensors.Battery{byCapacity(pack(sensors.Charging, wattHours(55), wattHours(50), watts(500)), 90)},
			present: true, percent: 100, rate: 500_000, left: 55_000, status: sensors.Charging, state: sensors.StateOK,
		},
		{
			name: "a little over full is full", present: true, percent: 100, idle: true, left: 52_000, status: sensors.Full, state: sensors.StateOK,
			packs: []sensors.Battery{byCapacity(pack(sensors.Full, wattHours(52), wattHours(50), watts(0)), 97)},
		},
		{
			name: "one pack by percentage makes all so, weighed by size where that is known", present: true, percent: 60, idle: true, left: 60_000,
			status: sensors.Idle, state: sensors.StateOK,
			packs: []sensors.Battery{
				byCapacity(pack(sensors.Idle, noWatts, wattHours(20), watts(0)), 20), pack(sensors.Full, wattHours(56), wattHours(80), watts(0)),
			},
		},
		{
			name: "no charge at all", present: true, idle: true, status: sensors.StatusUnknown, state: sensors.StateNeedsPermission,
			packs: []sensors.Battery{pack(sensors.StatusUnknown, noWatts, noWatts, watts(0))},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := budget.From(sensors.Sample{Batteries: c.packs}, budget.Settings{}).Battery
			equal(t, "present", got.Present, c.present)
			equal(t, "status", got.Status, c.status)
			equal(t, "state", got.State, c.state)
			number(t, "percent", got.Percent, c.percent)
			number(t, "remaining", got.Remaining, c.left)
			if c.idle {
				near(t, "rate", got.Rate.Or(-1), 0, 0)
			} else {
				number(t, "rate", got.Rate, c.rate)
			}
		})
	}
}

// A face shows the detail beside figures that are known in part: it must say what is missing, and why nothing counts.
func TestBatterySaysWhatIsMissing(t *testing.T) {
	mouse := sensors.Battery{Peripheral: true, Present: true}
	dead := pack(sensors.StatusUnknown, wattHours(0), wattHours(20), watts(0))
	dead.Dead = true
	byCapacity := pack(sensors.Charging, noWatts, noWatts, missing("rate", sensors.StateNotOffered))
	byCapacity.Capacity = read("capacity", 74, sensors.Percent)
	for _, c := range []struct {
		want  string
		packs []sensors.Battery
	}{
		{"the system shows no battery", nil},
		{"the only batteries are those of peripherals", []sensors.Battery{mouse}},
		{"the battery bay is empty", []sensors.Battery{mouse, {}}},
		{"the battery is dead (0 V, 0 Wh)", []sensors.Battery{dead}},
		{"the charge is the kernel's own percentage; the rate is unknown (not offered)", []sensors.Battery{byCapacity}},
		{"the rate is unknown (needs permission)", []sensors.Battery{
			pack(sensors.Discharging, wattHours(40), wattHours(50), watts(5)), pack(sensors.Discharging, wattHours(40), wattHours(50), noWatts),
		}},
		{"", []sensors.Battery{pack(sensors.Discharging, wattHours(40), wattHours(50), watts(5))}},
	} {
		equal(t, "detail", budget.From(sensors.Sample{Batteries: c.packs}, budget.Settings{}).Battery.Detail, c.want)
	}
}

func TestOnBattery(t *testing.T) {
	idle := pack(sensors.Idle, wattHours(40), wattHours(50), watts(0))
	charging := pack(sensors.Charging, wattHours(40), wattHours(50), watts(5))
	for _, c := range []struct {
		name  string
		packs []sensors.Battery
		mains sensors.Reading
		want  bool
	}{
		{"no pack, mains offline", nil, mains(0), false},
		{"idle pack, mains offline", []sensors.Battery{idle}, mains(0), true},
		{"idle pack, mains online", []sensors.Battery{idle}, mains(1), false},
		{"idle pack, mains unknown", []sensors.Battery{idle}, missing("AC", sensors.StateNotOffered), false},
		{"charging", []sensors.Battery{charging}, mains(1), false},
		{"discharging with mains online: the adapter is too weak", []sensors.Battery{pack(sensors.Discharging, wattHours(40), wattHours(50), watts(5))}, mains(1), true},
	} {
		got := budget.From(sensors.Sample{Batteries: c.packs, Mains: c.mains}, budget.Settings{}).Power.OnBattery
		if got != c.want {
			t.Errorf("%s: on battery is %v", c.name, got)
		}
	}
}
