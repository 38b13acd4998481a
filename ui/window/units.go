//go:build cgo || !darwin

package window

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"headroom/sensors"
	"headroom/ui/frame"
)

// unknownText stands for a value that was not read.
const unknownText = "—"

// bytesText writes bytes; drivers that know no limit report the largest number.
func bytesText(v float64) string {
	if v >= 1<<63 {
		return "no limit"
	}
	return frame.Bytes(uint64(max(v, 0)))
}

func freeText(n sensors.Number) string {
	v, ok := n.Get()
	if !ok {
		return "free memory unknown"
	}
	return bytesText(v) + " free"
}

func switchText(r sensors.Reading, on, off string) string {
	v, ok := r.Value.Get()
	switch {
	case !ok:
		return unknownText
	case v != 0:
		return on
	}
	return off
}

// ageText writes how old a value is; a value of this round is "now".
func ageText(d time.Duration) string {
	switch {
	case d < 2*time.Second:
		return "now"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d h", int(d.Hours()))
}

var errNotANumber = errors.New("type a number")

// parseCelsius reads "3", "3.5" or "3 °C".
func parseCelsius(s string) (float64, error) {
	s = strings.TrimSpace(s)
	for _, unit := range []string{"°C", "°c", "C", "c", "°"} {
		s = strings.TrimSuffix(s, unit)
	}
	return parseNumber(s, -100, 200)
}

// parsePower reads watts, or "12 W", "800 mW", and gives milliwatts.
func parsePower(s string) (float64, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	scale := 1000.0
	switch {
	case strings.HasSuffix(s, "mw"):
		s, scale = strings.TrimSuffix(s, "mw"), 1
	case strings.HasSuffix(s, "kw"):
		s, scale = strings.TrimSuffix(s, "kw"), 1e6
	case strings.HasSuffix(s, "w"):
		s = strings.TrimSuffix(s, "w")
	}
	v, err := parseNumber(s, 0, math.MaxUint32/scale)
	return v * scale, err
}

// parseBytes reads GiB, or "8GiB", "8 GB", "512MiB".
func parseBytes(s string) (float64, error) {
	s = strings.TrimSpace(s)
	if v, err := parseNumber(s, 0, 1<<30); err == nil {
		return math.Round(v * (1 << 30)), nil
	}
	v, err := humanize.ParseBytes(s)
	if err != nil || v > 1<<60 {
		return 0, errNotANumber
	}
	return float64(v), nil
}

func parseNumber(s string, least, most float64) (float64, error) {
	v, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(s), "−", "-", 1), 64)
	if err != nil || math.IsNaN(v) {
		return 0, errNotANumber
	}
	if v < least || v > most {
		return 0, fmt.Errorf("type a number from %g to %g", least, most)
	}
	return v, nil
}
