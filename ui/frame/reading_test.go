package frame_test

import (
	"math"
	"testing"

	"headroom/sensors"
	"headroom/ui/frame"
)

func TestReadingsAreWrittenInTheUnitsOfPeople(t *testing.T) {
	for _, c := range []struct {
		value float64
		unit  sensors.Unit
		want  string
	}{
		{91.84, sensors.Celsius, "91.8 °C"},
		{14_600, sensors.Milliwatt, "14.6 W"},
		{43_200, sensors.MilliWh, "43.2 Wh"},
		{16_301, sensors.Millivolt, "16.30 V"},
		{63.2, sensors.Percent, "63 %"},
		{8 << 30, sensors.Bytes, "8.0 GiB"},
		{math.MaxUint64, sensors.Bytes, "no limit"},
		{2400.4, sensors.Megahertz, "2400 MHz"},
		{3, sensors.Count, "3"},
	} {
		if got := frame.ValueWords(sensors.Reading{Value: sensors.Num(c.value), Unit: c.unit}); got != c.want {
			t.Errorf("%v %s is written %q, want %q", c.value, c.unit, got, c.want)
		}
	}
	if got := frame.ValueWords(sensors.Reading{Unit: sensors.Milliwatt}); got != "—" {
		t.Errorf("unknown is written %q, and must never be 0", got)
	}
}
