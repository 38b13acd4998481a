package cli

import (
	"math"
	"testing"

	"headroom/sensors/budget"
)

func TestPins(t *testing.T) {
	for _, c := range []struct {
		text                 string
		thermal, power, vram float64
	}{
		{text: "thermal=3", thermal: 3},
		{text: "thermal=-2.5C", thermal: -2.5},
		{text: "thermal=12°C", thermal: 12},
		{text: "power=12W", power: 12_000},
		{text: "power=0.5W", power: 500},
		{text: "power=12000mW", power: 12_000},
		{text: "vram=8GiB", vram: 8 << 30},
		{text: "vram=8GB", vram: 8e9},
		{text: "vram=512 MiB", vram: 512 << 20},
		{text: "vram=4294967296", vram: 4 << 30},
	} {
		var pins budget.Pins
		if err := parsePin(c.text, &pins); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		if pins.ThermalC.Or(0) != c.thermal || pins.PowerMW.Or(0) != c.power || pins.VRAMBytes.Or(0) != c.vram {
			t.Errorf("%s gives %+v", c.text, pins)
		}
	}
}

func TestLimits(t *testing.T) {
	limits := map[string]float64{}
	for _, text := range []string{"hwmon/k10temp@pci-00c3/Tctl=100", "powercap/intel-rapl:0=28W", "a=b=95.5C"} {
		if err := parseLimit(text, limits); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for id, want := range map[string]float64{"hwmon/k10temp@pci-00c3/Tctl": 100, "powercap/intel-rapl:0": 28_000, "a=b": 95.5} {
		if limits[id] != want {
			t.Errorf("%s is %v, not %v", id, limits[id], want)
		}
	}
}

// FuzzValues holds that whatever a user types is refused, or becomes a number within its bounds.
func FuzzValues(f *testing.F) {
	for _, s := range []string{"thermal=3", "power=12W", "vram=8GiB", "vram=1,5e3 KB", "power=0x1p4W", "thermal=1_0", "x=NaN"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var pins budget.Pins
		if parsePin(s, &pins) == nil {
			c, mw, b := pins.ThermalC.Or(0), pins.PowerMW.Or(0), pins.VRAMBytes.Or(0)
			if !pins.Any() || math.Abs(c) > maxHeadroomC || mw < 0 || mw > maxPinMW || b < 0 || b > maxPinBytes {
				t.Errorf("%q gives %+v", s, pins)
			}
		}
		limits := map[string]float64{}
		if parseLimit(s, limits) == nil {
			for id, v := range limits {
				if id == "" || !(v > 0) || v > maxPinMW {
					t.Errorf("%q gives %q = %v", s, id, v)
				}
			}
		}
	})
}
