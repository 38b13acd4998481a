package frame

import (
	"fmt"
	"strconv"

	"headroom/sensors"
)

// ValueWords is a reading's value in the unit that people use; a dash where it was not read.
func ValueWords(r sensors.Reading) string {
	v, ok := r.Value.Get()
	if !ok {
		return "—"
	}
	switch r.Unit {
	case sensors.Celsius:
		return Celsius(v)
	case sensors.Milliwatt:
		return Watts(v)
	case sensors.MilliWh:
		return fmt.Sprintf("%.1f Wh", v/1000)
	case sensors.Millivolt:
		return fmt.Sprintf("%.2f V", v/1000)
	case sensors.Percent:
		return fmt.Sprintf("%.0f %%", v)
	case sensors.Bytes:
		// Drivers that know no limit report the largest number.
		if v >= 1<<63 {
			return "no limit"
		}
		return Bytes(uint64(max(v, 0)))
	case sensors.Megahertz:
		return fmt.Sprintf("%.0f MHz", v)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
