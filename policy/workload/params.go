package workload

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxParams is the largest weight count that ParseParams takes: a hundred times beyond any model that was trained.
const MaxParams = 1e15

// ParseParams reads a count of weights: "8B", "500M", "1.5T", "8030261248" or "8.03e9". It refuses what is no count of
// weights: text, a negative number, zero, a fraction of one weight, more than MaxParams.
func ParseParams(s string) (uint64, error) {
	number, unit := strings.TrimSpace(s), 1.0
	if n := len(number); n > 0 {
		switch number[n-1] {
		case 'k', 'K':
			unit = 1e3
		case 'm', 'M':
			unit = 1e6
		case 'b', 'B', 'g', 'G':
			unit = 1e9
		case 't', 'T':
			unit = 1e12
		}
		if unit != 1 {
			number = number[:n-1]
		}
	}
	if strings.ContainsAny(number, "xXpP_ ") {
		return 0, fmt.Errorf("read weight count %q: not a number; write it like 8B, 500M or 8.03e9", s)
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(v) {
		return 0, fmt.Errorf("read weight count %q: not a number; write it like 8B, 500M or 8.03e9", s)
	}
	v = math.Round(v * unit)
	switch {
	case v < 0:
		return 0, fmt.Errorf("read weight count %q: it is negative; write it like 8B, 500M or 8.03e9", s)
	case v < 1:
		return 0, fmt.Errorf("read weight count %q: it is less than one weight; write it like 8B, 500M or 8.03e9", s)
	case v > MaxParams:
		return 0, fmt.Errorf("read weight count %q: more than %g weights are no model; write it like 8B, 500M or 8.03e9", s, float64(MaxParams))
	}
	return uint64(v), nil
}
