package draw

import (
	"math"
	"strconv"
	"strings"
)

// unknown stands where a number was not read.
const unknown = "—"

// fixedPoint writes a number with a number of decimals and a true minus sign; what is no number is unknown.
func fixedPoint(v float64, decimals int) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return unknown
	case math.Abs(v) >= 1e7:
		return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "-", "−", 1)
	case math.Abs(v) >= 1000:
		decimals = 0
	}
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	if v < 0 && strings.Trim(s, "0.") != "" {
		return "−" + s
	}
	return s
}

// roundText writes a number with a decimal only where it has one.
func roundText(v float64) string {
	if v == math.Trunc(v) {
		return fixedPoint(v, 0)
	}
	return fixedPoint(v, 1)
}

// plural is a count with its noun.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
