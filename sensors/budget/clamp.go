package budget

import (
	"math"
	"strings"

	"headroom/sensors"
)

// toUint64 truncates v into the range of a uint64; a NaN is 0. Go leaves the conversion of a float out of range
// undefined, so the bounds are checked first.
func toUint64(v float64) uint64 {
	switch {
	case !(v > 0):
		return 0
	case v >= 1<<64:
		return math.MaxUint64
	}
	return uint64(v)
}

// toUint32 truncates v into the range of a uint32; a NaN is 0.
func toUint32(v float64) uint32 { return uint32(min(toUint64(v), math.MaxUint32)) }

// addBytes adds without wrapping round.
func addBytes(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// subBytes subtracts, floored at 0.
func subBytes(a, b uint64) uint64 { return a - min(a, b) }

// milli rounds to a thousandth, the step of the kernel's sensors, so that 95.1 − 90.1 is 5 and not a hair under it.
func milli(v float64) float64 { return math.Round(v*1000) / 1000 }

// usable returns a reading's value when it may drive a decision.
func usable(r sensors.Reading) (float64, bool) {
	if !r.Usable() {
		return 0, false
	}
	return r.Value.Get()
}

// words is a state as people say it.
func words(s sensors.State) string { return strings.ReplaceAll(s.String(), "_", " ") }

// maxBytes bounds what is a size of memory: up to it, a float64 counts bytes exactly.
const maxBytes = 1 << 53

// usableBytes returns a reading's value when it is a size of memory that may drive a decision.
func usableBytes(r sensors.Reading) (float64, bool) {
	v, ok := usable(r)
	return v, ok && v >= 0 && v <= maxBytes
}

// size is a number of bytes; 0 where it is unknown or no size of memory.
func size(n sensors.Number) float64 {
	if v, ok := n.Get(); ok && v > 0 && v <= maxBytes {
		return math.Trunc(v)
	}
	return 0
}

// pinnedLimit is the first limit that the user pinned under one of the IDs.
func pinnedLimit(limits map[string]float64, ids ...string) (float64, bool) {
	for _, id := range ids {
		if id == "" {
			continue
		}
		if v, ok := limits[id]; ok && v > 0 && !math.IsInf(v, 0) {
			return v, true
		}
	}
	return 0, false
}
