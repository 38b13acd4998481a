package workload

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MaxParams is the largest weight count that ParseParams takes: hundreds of times more than any model that was trained.
const MaxParams = 1e15

// ParseParams reads a count of weights: "8B", "500M", "1.5T", "8030261248" or "8.03e9". It refuses what is no count of
// weights: text, a negative number, less than one weight, more than MaxParams.
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
	v, err := strconv.ParseFloat(number, 64)
	switch v *= unit; {
	case math.IsNaN(v), err != nil && !errors.Is(err, strconv.ErrRange), strings.ContainsAny(number, "xX_"):
		return 0, refuse(s, "it is not a number")
	case v < 0:
		return 0, refuse(s, "it is negative")
	case v < 0.5:
		return 0, refuse(s, "it is less than one weight")
	case v > MaxParams:
		return 0, refuse(s, "no model has more than 1e15 weights")
	}
	return uint64(math.Round(v)), nil
}

func refuse(s, why string) error {
	return fmt.Errorf("read weight count %q: %s; write it like 8B, 500M or 8.03e9", s, why)
}
