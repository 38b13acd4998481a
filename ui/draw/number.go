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
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return unknown
	}
	if math.Abs(v) >= 1e15 {
		return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "-", "−", 1)
	}
	if math.Abs(v) >= 1000 {
		decimals = 0
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if s[0] == '-' {
		if strings.Trim(s, "-0.") == "" {
			return s[1:]
		}
		return "−" + s[1:]
	}
	return s
}

var byteUnits = [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// byteUnit is the unit that a size reads best in, and its bytes. Memory of this trade is counted in GiB from a tenth on.
func byteUnit(v float64) (string, float64) {
	v = math.Abs(v)
	if v >= 0.1*(1<<30) && v < 1000*(1<<30) {
		return "GiB", 1 << 30
	}
	i, size := 0, 1.0
	for i < len(byteUnits)-1 && v >= 1000*size {
		size *= 1024
		i++
	}
	return byteUnits[i], size
}

// bytesText writes a size with its unit.
func bytesText(v float64) string {
	unit, size := byteUnit(v)
	decimals := 1
	if size == 1 {
		decimals = 0
	}
	return fixedPoint(v/size, decimals) + " " + unit
}

// countText writes a count with groups of three.
func countText(n uint64) string {
	s := strconv.FormatUint(n, 10)
	if len(s) < 5 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteString(" ")
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
