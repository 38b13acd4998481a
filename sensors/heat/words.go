package heat

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// explain says in a sentence why a load ended or was refused.
func (o *Options) explain(r Reason, s *Status) string {
	switch r {
	case ReasonTime:
		return fmt.Sprintf("its time of %s is over", span(o.For))
	case ReasonTemperature:
		name, d := s.hottest()
		return fmt.Sprintf("%s is at %.1f °C, %s its limit of %g °C", name, d.Temperature.Or(0), distance(d.Headroom.Or(0)), d.Limit.Or(0))
	case ReasonBattery:
		return fmt.Sprintf("the machine is on battery at %.1f %%, under %d %%", s.BatteryPercent.Or(0), MinBatteryPercent)
	case ReasonChargeUnknown:
		return "the machine is on battery and its charge is unknown"
	case ReasonTemperatureUnknown, ReasonLimitUnknown, ReasonStale:
		return s.distrust()
	case ReasonSilent:
		return "the sensors gave nothing for " + span(silentPatience)
	case ReasonNoGPU:
		return "there is no GPU to load: " + s.NoGPU
	case ReasonStopped:
		return "it was told to stop"
	case ReasonParent:
		return "what started it is gone"
	}
	return string(r)
}

func strangerWords(id string) string {
	return fmt.Sprintf("no sensor has the ID %q that a limit was given for", id)
}

// hottest is the device that is closest to its limit.
func (s *Status) hottest() (string, *Device) {
	if s.GPU != nil && s.GPU.Headroom.Known() && (!s.CPU.Headroom.Known() || s.GPU.Headroom.Or(0) < s.CPU.Headroom.Or(0)) {
		return "the GPU", s.GPU
	}
	return "the CPU", &s.CPU
}

func distance(headroom float64) string {
	if headroom < 0 {
		return fmt.Sprintf("%.1f °C over", -headroom)
	}
	return fmt.Sprintf("%.1f °C under", headroom)
}

// distrust says which loaded device's temperature cannot be relied on, and why.
func (s *Status) distrust() string {
	name, d, why := s.distrusted()
	switch why {
	case ReasonTemperatureUnknown:
		return fmt.Sprintf("the temperature of %s is unknown: %s", name, d.Detail)
	case ReasonLimitUnknown:
		return fmt.Sprintf("%s is at %.1f °C and its limit is unknown: give it with --limit '%s=90'", name, d.Temperature.Or(0), d.ReadingID)
	}
	return fmt.Sprintf("the temperature of %s is %s old: %s", name, span(time.Duration(d.Age*float64(time.Second))), d.Detail)
}

// span writes a time in minutes and seconds, to a tenth of a second: "1 min", "1 min 30 s", "2.5 s".
func span(d time.Duration) string {
	d = d.Round(100 * time.Millisecond)
	minutes, seconds := int(d/time.Minute), strconv.FormatFloat(math.Mod(d.Seconds(), 60), 'g', 3, 64)+" s"
	switch {
	case minutes == 0:
		return seconds
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d min %s", minutes, seconds)
}
