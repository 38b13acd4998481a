package sensors

import (
	"strings"
	"testing"

	"github.com/distatus/battery"
)

// supply makes a power supply's folder from its attributes.
func supply(name, kind string, f files) files {
	dir := "sys/class/power_supply/" + name
	out := files{dir + "/type": kind + "\n"}
	for k, v := range f {
		out[dir+"/"+k] = v
	}
	return out
}

// onlyPack is the single pack of a tree.
func onlyPack(t *testing.T, f files) Battery {
	t.Helper()
	s := sampleOf(t, f)
	if len(s.Batteries) != 1 {
		t.Fatalf("%d packs are listed, want 1", len(s.Batteries))
	}
	return s.Batteries[0]
}

func is(t *testing.T, r Reading, value Number, state State) {
	t.Helper()
	if r.Value != value || r.State != state {
		t.Errorf("%s is %v (%s, %q), want %v (%s)", r.ID, r.Value, r.State, r.Detail, value, state)
	}
	if state != StateOK && r.Detail == "" {
		t.Errorf("%s is %s without saying why", r.ID, state)
	}
}

// TestBatteryDialects holds the right answer for each way in which batteries tell their figures.
func TestBatteryDialects(t *testing.T) {
	t.Run("energy and power", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{
			"status": "Discharging\n", "present": "1\n", "energy_now": "40000000\n", "energy_full": "50000000\n",
			"energy_full_design": "57000000\n", "power_now": "9500000\n", "voltage_now": "12233000\n", "capacity": "80\n",
		}))
		is(t, b.Now, Num(40000), StateOK)
		is(t, b.Full, Num(50000), StateOK)
		is(t, b.Design, Num(57000), StateOK)
		is(t, b.Rate, Num(9500), StateOK)
		is(t, b.Voltage, Num(12233), StateOK)
		is(t, b.Capacity, Num(80), StateOK)
		if b.Status != Discharging || !b.Present || b.Dead || b.Peripheral {
			t.Errorf("the pack is %+v", b)
		}
	})
	t.Run("negative while discharging", func(t *testing.T) {
		b := onlyPack(t, supply("macsmc-battery", "Battery", files{
			"status": "Discharging\n", "current_now": "-386000\n", "power_now": "-4721000\n", "voltage_now": "12233000\n",
		}))
		is(t, b.Rate, Num(4721), StateOK)
	})
	t.Run("charge and current", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{
			"status": "Discharging\n", "charge_now": "4723000\n", "charge_full": "4820000\n", "current_now": "-756000\n", "voltage_now": "12600000\n",
		}))
		is(t, b.Now, Num(4723*12.6), StateOK)
		is(t, b.Full, Num(4820*12.6), StateOK)
		is(t, b.Rate, Num(756*12.6), StateOK)
		if !strings.Contains(b.Rate.Detail, "current × voltage") {
			t.Errorf("the rate's detail is %q", b.Rate.Detail)
		}
	})
	t.Run("energy, but current only", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{"energy_now": "40000000\n", "current_now": "1000000\n", "voltage_now": "10000000\n"}))
		is(t, b.Rate, Num(10000), StateOK)
	})
	t.Run("charge, but power only", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{"charge_now": "4000000\n", "power_now": "7000000\n", "voltage_now": "10000000\n"}))
		is(t, b.Rate, Num(7000), StateOK)
		is(t, b.Now, Num(40000), StateOK)
	})
	t.Run("capacity only", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{"status": "Charging\n", "capacity": "61\n"}))
		is(t, b.Capacity, Num(61), StateOK)
		is(t, b.Now, unknown, StateNotOffered)
		is(t, b.Rate, unknown, StateNotOffered)
	})
	t.Run("charge without voltage", func(t *testing.T) {
		pack := files{"status": "Charging\n", "charge_now": "3000000\n", "charge_full": "4000000\n", "current_now": "1000000\n"}
		b := onlyPack(t, supply("BAT0", "Battery", pack))
		is(t, b.Now, unknown, StateNotOffered)
		is(t, b.Rate, unknown, StateNotOffered)
		is(t, b.Capacity, Num(75), StateOK)
		pack["capacity"] = "74\n"
		is(t, onlyPack(t, supply("BAT0", "Battery", pack)).Capacity, Num(74), StateOK)
	})
	t.Run("0 V is no voltage", func(t *testing.T) {
		pack := files{"status": "Discharging\n", "charge_now": "3000000\n", "charge_full": "4000000\n", "current_now": "1000000\n", "voltage_now": "0\n"}
		b := onlyPack(t, supply("BAT0", "Battery", pack))
		is(t, b.Rate, unknown, StateError)
		is(t, b.Now, unknown, StateError)
		is(t, b.Capacity, Num(75), StateOK)
		if b.Dead {
			t.Error("a pack that holds a charge counts as dead")
		}
		pack["voltage_min_design"] = "10000000\n"
		b = onlyPack(t, supply("BAT0", "Battery", pack))
		is(t, b.Rate, Num(10000), StateOK)
		is(t, b.Now, Num(30000), StateOK)
	})
	t.Run("capacity above 100", func(t *testing.T) {
		is(t, onlyPack(t, supply("BAT0", "Battery", files{"capacity": "104\n"})).Capacity, Num(100), StateOK)
		is(t, onlyPack(t, supply("BAT0", "Battery", files{"capacity": "255\n"})).Capacity, unknown, StateImplausible)
		is(t, onlyPack(t, supply("BAT0", "Battery", files{"capacity": "-1\n"})).Capacity, unknown, StateImplausible)
	})
	t.Run("no newline, and empty files", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{"status": "Discharging", "energy_now": "30000000", "energy_full": "", "power_now": "", "voltage_now": "12000000"}))
		is(t, b.Now, Num(30000), StateOK)
		is(t, b.Full, unknown, StateError)
		is(t, b.Rate, unknown, StateError)
		if b.Status != Discharging {
			t.Errorf("the status is %q", b.Status)
		}
	})
	t.Run("an empty status", func(t *testing.T) {
		if b := onlyPack(t, supply("BAT0", "Battery", files{"status": ""})); b.Status != StatusUnknown {
			t.Errorf("the status is %q", b.Status)
		}
	})
	t.Run("absurd rate", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{"power_now": "640000000\n", "energy_now": "40000000\n"}))
		is(t, b.Rate, unknown, StateImplausible)
		// The current tells what the power does not.
		b = onlyPack(t, supply("BAT0", "Battery", files{"power_now": "640000000\n", "current_now": "500000\n", "voltage_now": "12000000\n"}))
		is(t, b.Rate, Num(6000), StateOK)
		// A 16-bit current that wrapped.
		b = onlyPack(t, supply("BAT0", "Battery", files{"current_now": "64883000\n", "voltage_now": "12000000\n"}))
		is(t, b.Rate, unknown, StateImplausible)
	})
	t.Run("unreadable rate is unknown", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{"status": "Discharging\n", "power_now/": "", "energy_now": "1000000\n"}))
		is(t, b.Rate, unknown, StateError)
	})
	t.Run("absent pack", func(t *testing.T) {
		b := onlyPack(t, supply("BAT1", "Battery", files{"present": "0\n", "status": "Unknown\n", "energy_full_design": "57000000\n"}))
		if b.Present {
			t.Error("the empty bay counts as a pack")
		}
		for _, r := range []Reading{b.Now, b.Full, b.Design, b.Rate, b.Voltage, b.Capacity} {
			is(t, r, unknown, StateNotOffered)
			if !strings.Contains(r.Detail, "the bay is empty") {
				t.Errorf("%s says %q, want that the bay is empty", r.ID, r.Detail)
			}
		}
	})
	t.Run("peripheral", func(t *testing.T) {
		b := onlyPack(t, supply("hidpp_battery_8", "Battery", files{"scope": "Device\n", "status": "Discharging\n", "capacity": "5\n", "present": "1\n"}))
		if !b.Peripheral {
			t.Error("the mouse counts as the machine's pack")
		}
	})
	t.Run("dead pack", func(t *testing.T) {
		s := sampleOf(t, join(
			supply("BAT0", "Battery", files{"voltage_now": "0\n", "energy_now": "0\n", "energy_full": "20650000\n", "status": "Unknown\n"}),
			supply("BAT1", "Battery", files{"voltage_now": "12500000\n", "energy_now": "20400000\n", "energy_full": "20940000\n", "status": "Charging\n"}),
		))
		if len(s.Batteries) != 2 || !s.Batteries[0].Dead || s.Batteries[1].Dead {
			t.Errorf("dead are %+v", s.Batteries)
		}
	})
	t.Run("sentinels", func(t *testing.T) {
		b := onlyPack(t, supply("BAT0", "Battery", files{"energy_now": "4294967295000\n", "energy_full": "-1\n", "voltage_now": "-5\n"}))
		is(t, b.Now, unknown, StateImplausible)
		is(t, b.Full, unknown, StateImplausible)
		is(t, b.Voltage, unknown, StateImplausible)
	})
}

func TestBatteryStatus(t *testing.T) {
	for text, w := range map[string]BatteryStatus{
		"Charging": Charging, "charging": Charging, "DISCHARGING": Discharging, "Not charging": Idle, "Not Charging": Idle,
		"Full": Full, "Unknown": StatusUnknown, "Empty?": StatusUnknown,
	} {
		if b := onlyPack(t, supply("BAT0", "Battery", files{"status": text + "\n"})); b.Status != w {
			t.Errorf("%q is %q, want %q", text, b.Status, w)
		}
	}
}

func TestMains(t *testing.T) {
	pack := supply("BAT0", "Battery", files{"status": "Full\n"})
	for _, tt := range []struct {
		name  string
		tree  files
		value Number
		state State
	}{
		{"plugged in", join(pack, supply("AC", "Mains", files{"online": "1\n"})), Num(1), StateOK},
		{"unplugged", join(pack, supply("AC", "Mains", files{"online": "0\n"})), Num(0), StateOK},
		{"by USB though the barrel is empty", join(pack, supply("AC", "Mains", files{"online": "0\n"}), supply("ucsi-1", "USB", files{"online": "1\n"})), Num(1), StateOK},
		{"by USB-C under another name", join(pack, supply("AC", "Mains", files{"online": "0\n"}), supply("pd", "USB_PD", files{"online": "1\n"})), Num(1), StateOK},
		{"programmable voltage", supply("ucsi-1", "USB", files{"online": "2\n"}), Num(1), StateOK},
		{"one cannot be read", join(supply("AC", "Mains", files{"online/": ""}), supply("ucsi-1", "USB", files{"online": "0\n"})), Num(0), StateOK},
		{"none can be read", supply("AC", "Mains", files{"online/": ""}), unknown, StateError},
		{"no supply", pack, unknown, StateNotOffered},
		{"a mouse's dock", supply("dock", "USB", files{"online": "1\n", "scope": "Device\n"}), unknown, StateNotOffered},
	} {
		t.Run(tt.name, func(t *testing.T) { want(t, sampleOf(t, tt.tree), "mains", tt.value, tt.state) })
	}
}

// TestLibraryPack holds what is made of distatus/battery's figures where they are the only ones.
func TestLibraryPack(t *testing.T) {
	now := newStepClock().Now()
	b, mains := libraryPack(0, &battery.Battery{
		State: battery.State{Raw: battery.Discharging}, Current: 40000, Full: 50000, Design: 57000, ChargeRate: 9500, Voltage: 12.2,
	}, now)
	is(t, b.Now, Num(40000), StateOK)
	is(t, b.Voltage, Num(12200), StateOK)
	is(t, b.Rate, Num(9500), StateOK)
	if mains.Value != Num(0) {
		t.Error("a pack that discharges is no sign of being off the mains")
	}
	// The newest macOS moved the figures: all zero is unknown, not empty.
	b, mains = libraryPack(0, &battery.Battery{State: battery.State{Raw: battery.Empty}}, now)
	is(t, b.Now, unknown, StateNotOffered)
	is(t, b.Rate, unknown, StateNotOffered)
	if b.Status != StatusUnknown || mains.ID != "" {
		t.Errorf("a pack that did not answer is %q", b.Status)
	}
	// BATTERY_UNKNOWN_CAPACITY passed on as a number, and a negative rate.
	b, _ = libraryPack(0, &battery.Battery{State: battery.State{Raw: battery.Charging}, Full: 4294967295, Current: 40000, ChargeRate: -12000}, now)
	is(t, b.Full, unknown, StateImplausible)
	is(t, b.Rate, Num(12000), StateOK)
	// Idle at 0 W is a rate, a discharging 0 W is not.
	b, _ = libraryPack(0, &battery.Battery{State: battery.State{Raw: battery.Idle}, Full: 50000, Current: 47000}, now)
	is(t, b.Rate, Num(0), StateOK)
	b, _ = libraryPack(0, &battery.Battery{State: battery.State{Raw: battery.Discharging}, Full: 50000, Current: 47000}, now)
	is(t, b.Rate, unknown, StateNotOffered)
}

func TestLibraryPackDiffers(t *testing.T) {
	b := onlyPack(t, supply("BAT0", "Battery", files{"energy_now": "30000000", "energy_full": "50000000\n", "power_now": "9000000\n", "voltage_now": "12000000\n"}))
	compareLibrary(&b, &battery.Battery{Current: 3000, Full: 50000, ChargeRate: 8000, Voltage: 12})
	if !strings.Contains(b.Now.Detail, "distatus/battery gives 3000 mWh") {
		t.Errorf("the detail is %q", b.Now.Detail)
	}
	if b.Full.Detail != "" || b.Rate.Detail != "" || b.Voltage.Detail != "" {
		t.Errorf("a difference is seen where there is none: %q, %q, %q", b.Full.Detail, b.Rate.Detail, b.Voltage.Detail)
	}
}

// TestSuppliesTogether holds that a machine is on mains if any of its supplies delivers, whatever order they come in and
// whether or not another can be read.
func TestSuppliesTogether(t *testing.T) {
	one := func(name, kind, online string) files {
		if online == "" {
			return supply(name, kind, files{"online/": ""})
		}
		return supply(name, kind, files{"online": online + "\n"})
	}
	for _, c := range []struct {
		first, second string
		want          Number
	}{
		{"1", "0", Num(1)},
		{"0", "1", Num(1)},
		{"1", "1", Num(1)},
		{"0", "0", Num(0)},
		{"", "0", Num(0)},
		{"0", "", Num(0)},
		{"", "1", Num(1)},
		{"1", "", Num(1)},
		{"", "", unknown},
		{"0", "2", Num(1)},
	} {
		for _, kind := range []string{"USB", "USB_C", "Wireless", "BrickID"} {
			s := sampleOf(t, join(one("AC", "Mains", c.first), one("other", kind, c.second)))
			if s.Mains.Value != c.want {
				t.Errorf("mains %q beside %s %q is %v (%s)", c.first, kind, c.second, s.Mains.Value, s.Mains.Detail)
			}
		}
	}
	if s := sampleOf(t, one("ups", "UPS", "1")); s.Mains.Value.Known() {
		t.Error("a UPS counts as mains")
	}
}
