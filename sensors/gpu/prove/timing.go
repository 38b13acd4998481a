package prove

import (
	"math"
	"slices"
	"time"
)

// The bounds of a measurement.
const (
	// longest is the seconds that one submission may take on an adapter that a system resets when it works too long.
	longest = 0.5
	// batchTime is what a measured submission aims at, so that the cost of submitting is small beside it.
	batchTime = 0.02
	// warmUp is how long an adapter works before the first measurement.
	warmUp  = time.Second
	minRuns = 5
	maxRuns = 25
)

// Timing is repeated measurements of one thing, in seconds, ascending.
type Timing []float64

// newTiming sorts measurements.
func newTiming(seconds []float64) Timing {
	t := slices.Clone(seconds)
	slices.Sort(t)
	return t
}

// Median is the middle measurement; NaN without any.
func (t Timing) Median() float64 {
	n := len(t)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return t[n/2]
	default:
		return (t[n/2-1] + t[n/2]) / 2
	}
}

// Spread is half the distance of the middle half's ends, as a share of the median: how far a typical run strays.
func (t Timing) Spread() float64 {
	if len(t) < 4 {
		return math.NaN()
	}
	return (t[len(t)*3/4] - t[len(t)/4]) / 2 / t.Median()
}

// FasterThan reports whether t's measurements lie wholly below o's middle half and median: overlap gives no verdict.
func (t Timing) FasterThan(o Timing) bool {
	if len(t) == 0 || len(o) == 0 {
		return false
	}
	return t[len(t)*3/4] < o[len(o)/4]
}

// over is the timing of one of n equal parts.
func (t Timing) over(n float64) Timing {
	out := make(Timing, len(t))
	for i, v := range t {
		out[i] = v / n
	}
	return out
}
