package sensors

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// zone makes a powercap zone's folder.
func raplZone(dir, name string, f files) files {
	dir = "sys/class/powercap/" + dir
	return join(under(dir, f), files{dir + "/name": name + "\n"})
}

func longTerm(uw string) files {
	return files{"constraint_0_name": "long_term\n", "constraint_0_power_limit_uw": uw + "\n", "constraint_1_name": "short_term\n", "constraint_1_power_limit_uw": "64000000\n", "enabled": "1\n"}
}

func TestPowerLimits(t *testing.T) {
	s := sampleOf(t, join(
		raplZone("intel-rapl:0", "package-0", longTerm("28000000")),
		raplZone("intel-rapl:0:0", "core", files{"enabled": "0\n"}),
		raplZone("intel-rapl:0:2", "dram", longTerm("3408250000")),
		raplZone("intel-rapl:1", "psys", longTerm("0")),
		raplZone("intel-rapl:2", "package-1", join(longTerm("35000000"), files{"enabled": "0\n"})),
		files{"sys/class/powercap/intel-rapl/enabled": "1\n"},
	))
	want(t, s, "powercap/package-0/limit", Num(28000), StateOK)
	want(t, s, "powercap/package-0/dram/limit", unknown, StateImplausible)
	want(t, s, "powercap/package-0/core/limit", unknown, StateNotOffered)
	want(t, s, "powercap/psys/limit", unknown, StateNotOffered)
	want(t, s, "powercap/package-1/limit", unknown, StateNotOffered)
	kinds := map[string]PowerKind{"powercap/package-0": PowerPackage, "powercap/package-0/core": PowerCore, "powercap/package-0/dram": PowerDRAM, "powercap/psys": PowerPsys, "powercap/package-1": PowerPackage}
	for _, d := range s.Power {
		if kinds[d.ID] != d.Kind {
			t.Errorf("%s is of kind %s, want %s", d.ID, d.Kind, kinds[d.ID])
		}
	}
	if len(s.Power) != len(kinds) {
		t.Errorf("%d domains are listed, want %d", len(s.Power), len(kinds))
	}
}

// TestPackageSeenTwice holds that the same package through the MMIO interface is no second package, and that its smaller
// limit counts.
func TestPackageSeenTwice(t *testing.T) {
	s := sampleOf(t, join(
		raplZone("intel-rapl:0", "package-0", longTerm("45000000")),
		raplZone("intel-rapl-mmio:0", "package-0", longTerm("15000000")),
	))
	if len(s.Power) != 1 {
		t.Fatalf("%d domains are listed, want 1", len(s.Power))
	}
	if r := want(t, s, "powercap/package-0/limit", Num(15000), StateOK); !strings.Contains(r.Source, "mmio") {
		t.Errorf("the limit's source is %s", r.Source)
	}
}

// TestSocketsAreThePackages holds that a socket of amd_energy bears the name of the package that powercap tells of, so that
// the two are never added.
func TestSocketsAreThePackages(t *testing.T) {
	s := sampleOf(t, join(
		raplZone("intel-rapl:0", "package-0", longTerm("120000000")),
		hwmon(3, "amd_energy", files{"energy1_label": "Ecore000\n", "energy1_input": "1\n", "energy9_label": "Esocket0\n", "energy9_input": "1\n"}),
	))
	for _, d := range s.Power {
		package0 := d.ID == "powercap/package-0" || d.ID == "hwmon/amd_energy/Esocket0"
		if package0 != (d.Kind == PowerPackage && d.Name == "package-0") {
			t.Errorf("%s is %q of kind %s", d.ID, d.Name, d.Kind)
		}
	}
	if len(s.Power) != 3 {
		t.Errorf("%d domains are listed, want 3", len(s.Power))
	}
}

// TestNestedZones holds that a recording that keeps zones in their parents' folders reads the same.
func TestNestedZones(t *testing.T) {
	s := sampleOf(t, join(
		raplZone("intel-rapl/intel-rapl:0", "package-0", longTerm("28000000")),
		raplZone("intel-rapl/intel-rapl:0/intel-rapl:0:1", "uncore", files{}),
	))
	want(t, s, "powercap/package-0/limit", Num(28000), StateOK)
	want(t, s, "powercap/package-0/uncore/limit", unknown, StateNotOffered)
}

// drawAfter is the draw that a second reading of an energy counter gives, a quarter of a second after the first.
func drawAfter(t *testing.T, f files, id string, change files) Reading {
	t.Helper()
	root := tree(t, f)
	clock := newStepClock()
	clock.wait = func() { write(t, root, change) }
	return reading(t, NewPoller(Options{Sysroot: root, Clock: clock}).Once(t.Context()), id)
}

func TestEnergyCounter(t *testing.T) {
	const counter = "sys/class/powercap/intel-rapl:0/energy_uj"
	zone := func(energy, span string) files {
		f := files{"energy_uj": energy + "\n"}
		if span != "" {
			f["max_energy_range_uj"] = span + "\n"
		}
		return raplZone("intel-rapl:0", "package-0", f)
	}
	for _, tt := range []struct {
		name               string
		first, second, max string
		want               Number
		why                string
	}{
		{"rises", "1000000", "5000000", "262143328850", Num(16000), ""},
		{"starts again", "262143000000", "3671150", "262143328850", Num(16000), ""},
		{"starts again at a place that is not told", "262143000000", "3671150", "", unknown, "started again"},
		{"rests", "1000000", "1000000", "262143328850", unknown, "has not moved"},
		{"jumps", "0", "262143000000", "262143328850", unknown, "jumped"},
		{"beyond 32 bits", "8589934592000000", "8589934596000000", "", Num(16000), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := drawAfter(t, zone(tt.first, tt.max), "powercap/package-0/draw", files{counter: tt.second + "\n"})
			v, ok := r.Value.Get()
			w, known := tt.want.Get()
			if ok != known || math.Abs(v-w) > 1e-6 {
				t.Errorf("the draw is %v (%s), want %v", r.Value, r.Detail, tt.want)
			}
			if !strings.Contains(r.Detail, tt.why) {
				t.Errorf("the detail %q does not say %q", r.Detail, tt.why)
			}
		})
	}
	t.Run("negative", func(t *testing.T) {
		if r := drawAfter(t, zone("-5", ""), "powercap/package-0/draw", nil); r.State != StateImplausible {
			t.Errorf("the draw is %s: %s", r.State, r.Detail)
		}
	})
	t.Run("cannot be read", func(t *testing.T) {
		f := raplZone("intel-rapl:0", "package-0", join(longTerm("28000000"), files{"energy_uj/": ""}))
		if r := drawAfter(t, f, "powercap/package-0/draw", nil); r.State != StateError || r.Value.Known() {
			t.Errorf("the draw is %v, %s: %s", r.Value, r.State, r.Detail)
		}
	})
	t.Run("any vendor", func(t *testing.T) {
		f := raplZone("amd-rapl:0", "package-0", files{"energy_uj": "0\n"})
		if r := drawAfter(t, f, "powercap/package-0/draw", files{"sys/class/powercap/amd-rapl:0/energy_uj": "2500000\n"}); r.Value != Num(10000) {
			t.Errorf("the draw is %v: %s", r.Value, r.Detail)
		}
	})
}

// TestCounterClock holds what a counter says when the clock does something odd.
func TestCounterClock(t *testing.T) {
	at := newStepClock().Now()
	for _, tt := range []struct {
		name  string
		later time.Duration
		want  float64
		why   string
	}{
		{"a second later", time.Second, 4000, ""},
		{"the same moment", 0, 0, "the clock did not move"},
		{"an hour earlier", -time.Hour, 0, "too old"},
		{"a night later", 8 * time.Hour, 0, "too old"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCounters()
			c.power("x", 1_000_000, 0, at)
			mw, why := c.power("x", 5_000_000, 0, at.Add(tt.later))
			if mw != tt.want || !strings.Contains(why, tt.why) || (why == "") != (tt.why == "") {
				t.Errorf("the power is %g mW (%q), want %g (%q)", mw, why, tt.want, tt.why)
			}
		})
	}
}

func TestCardPower(t *testing.T) {
	card := files{"sys/class/drm/card0/device/uevent": "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n"}
	chip := func(name string, f files) files {
		return join(card, hwmon(8, name, join(f, files{"device/uevent": "PCI_SLOT_NAME=0000:03:00.0\n"})))
	}
	for _, tt := range []struct {
		name        string
		tree        files
		id          string
		limit, draw Number
	}{
		{
			"average before input", chip("amdgpu", files{"power1_average": "41045000\n", "power1_input": "39000000\n", "power1_cap": "145000000\n", "power1_label": "PPT\n"}),
			"hwmon/amdgpu@0000:03:00.0/PPT", Num(145000), Num(41045),
		},
		{
			"input alone", chip("amdgpu", files{"power1_input": "39000000\n", "power1_cap": "145000000\n"}),
			"hwmon/amdgpu@0000:03:00.0/power1", Num(145000), Num(39000),
		},
		{
			"an average that fails", chip("amdgpu", files{"power1_average": "\n", "power1_input": "39000000\n"}),
			"hwmon/amdgpu@0000:03:00.0/power1", unknown, Num(39000),
		},
		{
			"a cap of 0 is none, and so is one of 4 kW", chip("amdgpu", files{"power1_cap": "0\n", "power1_max": "4294967295\n", "power1_input": "9000000\n"}),
			"hwmon/amdgpu@0000:03:00.0/power1", unknown, Num(9000),
		},
		{
			"the first limit that is set", chip("xe", files{"power1_max": "0\n", "power1_crit": "0\n", "power1_rated_max": "190000000\n", "power1_input": "9000000\n"}),
			"hwmon/xe@0000:03:00.0/power1", Num(190000), Num(9000),
		},
		{
			"an Intel card's cap is its burst", chip("xe", files{"power1_cap": "420000000\n", "power1_max": "190000000\n", "power1_crit": "500000000\n", "power1_input": "9000000\n"}),
			"hwmon/xe@0000:03:00.0/power1", Num(190000), Num(9000),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sampleOf(t, tt.tree)
			if r := reading(t, s, tt.id+"/limit"); r.Value != tt.limit {
				t.Errorf("the limit is %v (%s), want %v", r.Value, r.Detail, tt.limit)
			}
			if r := reading(t, s, tt.id+"/draw"); r.Value != tt.draw {
				t.Errorf("the draw is %v (%s), want %v", r.Value, r.Detail, tt.draw)
			}
			if len(s.Power) != 1 || s.Power[0].Kind != PowerGPU || s.Power[0].Card != "pci/0000:03:00.0" {
				t.Errorf("the domain is %+v", s.Power)
			}
		})
	}
	t.Run("slow and fast limits are one card's", func(t *testing.T) {
		s := sampleOf(t, chip("amdgpu", files{"power1_cap": "15000000\n", "power1_label": "slowPPT\n", "power1_input": "9000000\n", "power2_cap": "25000000\n", "power2_label": "fastPPT\n"}))
		var kinds []string
		for _, d := range s.Power {
			kinds = append(kinds, fmt.Sprint(d.Name, " ", d.Kind))
		}
		if got := strings.Join(kinds, ", "); got != "amdgpu slowPPT gpu, amdgpu fastPPT other" {
			t.Errorf("the domains are %s", got)
		}
	})
	t.Run("an Intel card counts energy", func(t *testing.T) {
		f := chip("xe", files{"energy1_input": "8589934592000000\n", "energy1_label": "card\n", "power1_max": "190000000\n", "power1_label": "card\n"})
		r := drawAfter(t, f, "hwmon/xe@0000:03:00.0/card/draw", files{"sys/class/hwmon/hwmon8/energy1_input": "8589934602000000\n"})
		if r.Value != Num(40000) {
			t.Errorf("the draw is %v: %s", r.Value, r.Detail)
		}
	})
	t.Run("a first channel that says nothing", func(t *testing.T) {
		f := chip("xe", files{"energy1_input": "0\n", "power1_max": "0\n", "energy2_input": "1000000\n", "power2_max": "0\n"})
		root := tree(t, f)
		clock := newStepClock()
		energy := 1_000_000
		clock.wait = func() {
			energy += 10_000_000
			write(t, root, files{"sys/class/hwmon/hwmon8/energy2_input": fmt.Sprintln(energy)})
		}
		s := NewPoller(Options{Sysroot: root, Clock: clock}).Once(t.Context())
		if r := reading(t, s, "hwmon/xe@0000:03:00.0/power2/draw"); r.Value != Num(40000) {
			t.Errorf("the draw is %v: %s", r.Value, r.Detail)
		}
		for _, d := range s.Power {
			if (d.Kind == PowerGPU) != strings.HasSuffix(d.ID, "power2") {
				t.Errorf("%s is of kind %s", d.ID, d.Kind)
			}
		}
	})
}
