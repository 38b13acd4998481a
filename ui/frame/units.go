package frame

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"headroom/sensors"
)

// GiB and MiB are the units that memory is shown in.
const (
	GiB = 1 << 30
	MiB = 1 << 20
)

// Bytes writes a count of bytes: one decimal in GiB from a tenth of a GiB up, whole MiB below, KiB and bytes below those.
func Bytes(b uint64) string {
	switch {
	case b >= GiB/10:
		return tenths(roundTo(b, GiB, 10)) + " GiB"
	case b >= MiB:
		return grouped(roundTo(b, MiB, 1)) + " MiB"
	case b >= 1<<10:
		return grouped(roundTo(b, 1<<10, 1)) + " KiB"
	}
	return strconv.FormatUint(b, 10) + " B"
}

// roundTo is b in units, times scale, to the nearest whole number; half goes up. It does not wrap round.
func roundTo(b, unit, scale uint64) int64 {
	whole, rest := b/unit, b%unit
	return int64(whole*scale + (rest*scale+unit/2)/unit)
}

// tenths writes a number of tenths with one decimal.
func tenths(t int64) string {
	var room [32]byte
	b := room[:0]
	if t < 0 {
		b, t = append(b, "−"...), -t
	}
	b = append(appendGrouped(b, t/10), '.', byte('0'+t%10))
	return string(b)
}

// grouped sets digits in threes from 10 000 up.
func grouped(n int64) string {
	var room [32]byte
	return string(appendGrouped(room[:0], n))
}

func appendGrouped(b []byte, n int64) []byte {
	if n < 10_000 {
		return strconv.AppendInt(b, n, 10)
	}
	var digits [20]byte
	s := strconv.AppendInt(digits[:0], n, 10)
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b = append(b, ' ')
		}
		b = append(b, c)
	}
	return b
}

// Count writes a count of tokens or ops, in threes: "8 192".
func Count(n uint64) string {
	if n < 10_000 && n >= 1000 {
		return strconv.FormatUint(n/1000, 10) + " " + fmt.Sprintf("%03d", n%1000)
	}
	return grouped(int64(min(n, math.MaxInt64)))
}

// Params writes a number of weights as people say it: "8.03 B", "568 M".
func Params(n uint64) string {
	v := float64(n)
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, " T"}, {1e9, " B"}, {1e6, " M"}, {1e3, " K"}} {
		if v >= u.size*0.9995 {
			return strconv.FormatFloat(v/u.size, 'f', decimals(v/u.size), 64) + u.name
		}
	}
	return strconv.FormatUint(n, 10)
}

// decimals keeps three significant figures.
func decimals(v float64) int {
	switch {
	case v >= 99.95 || v == math.Trunc(v):
		return 0
	case v >= 9.995:
		return 1
	}
	return 2
}

// Celsius writes a temperature or a difference of two with one decimal. A value under a threshold never rounds up to it.
func Celsius(v float64) string { return decimal(v, 1) + " °C" }

// Watts writes milliwatts as watts with one decimal.
func Watts(mw float64) string { return decimal(mw/1000, 1) + " W" }

// decimal writes a number with places decimals and a minus sign of the width of a digit; −0.0 is 0.0.
func decimal(v float64, places int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', places, 64)
	if v < 0 && strings.Trim(s, "0.") != "" {
		return "−" + s
	}
	return s
}

// plain writes a number with one decimal, or none where it is whole.
func plain(v float64) string {
	if v == math.Trunc(v) {
		return decimal(v, 0)
	}
	return decimal(v, 1)
}

// StateWords is a reading's state as people say it.
func StateWords(s sensors.State) string { return strings.ReplaceAll(s.String(), "_", " ") }
