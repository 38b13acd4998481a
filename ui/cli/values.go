package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// What a user may sensibly ask for; beyond it lies a slip of the finger.
const (
	maxContext   = 1 << 30
	maxPinBytes  = 1 << 50
	maxPinMW     = 4e9
	maxHeadroomC = 200
	maxInterval  = time.Hour
	minInterval  = 50 * time.Millisecond
	maxRuntime   = 1000 * time.Hour
)

// parsed is a flag whose text is read at once, so that a bad value is refused with its reason.
type parsed struct {
	kind string
	read func(string) error
	text string
	// given are the texts, one for each time that the flag was given.
	given []string
}

func (p *parsed) Set(s string) error {
	if err := p.read(s); err != nil {
		return err
	}
	p.text, p.given = s, append(p.given, s)
	return nil
}
func (p *parsed) String() string { return p.text }
func (p *parsed) Type() string   { return p.kind }

// parseBytes reads a size: 8GiB, 8GB, 512MiB or a plain count of bytes.
func parseBytes(s string) (uint64, error) {
	n, err := humanize.ParseBytes(strings.TrimSpace(s))
	if err != nil {
		return 0, fmt.Errorf("%q is no size: write it like 8GiB, 8GB or 8589934592", s)
	}
	if n > maxPinBytes {
		return 0, fmt.Errorf("%q is more memory than any machine has", s)
	}
	return n, nil
}

// parsePower reads a power with its unit, 12W or 12000mW, as milliwatts.
func parsePower(s string) (float64, error) {
	number, scale := strings.TrimSpace(s), 1000.0
	switch {
	case strings.HasSuffix(number, "mW"):
		number, scale = strings.TrimSuffix(number, "mW"), 1
	case strings.HasSuffix(number, "W"):
		number = strings.TrimSuffix(number, "W")
	default:
		return 0, fmt.Errorf("%q is no power: write it like 12W or 12000mW", s)
	}
	v, err := parseNumber(number)
	if err != nil {
		return 0, fmt.Errorf("%q is no power: write it like 12W or 12000mW", s)
	}
	if v *= scale; v < 0 || v > maxPinMW {
		return 0, fmt.Errorf("%q is no power that a machine can have", s)
	}
	return v, nil
}

// parseCelsius reads a temperature, or a difference of two: 3, 3C or 3°C.
func parseCelsius(s string) (float64, error) {
	number := strings.TrimSpace(s)
	number = strings.TrimSuffix(strings.TrimSuffix(number, "C"), "°")
	v, err := parseNumber(number)
	if err != nil {
		return 0, fmt.Errorf("%q is no temperature: write it like 3 or 3C", s)
	}
	if math.Abs(v) > maxHeadroomC {
		return 0, fmt.Errorf("%q °C is no temperature of a machine", s)
	}
	return v, nil
}

// parseNumber reads a finite decimal number.
func parseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || strings.ContainsAny(s, "xXpP_") {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return v, nil
}

// parseContext reads a number of tokens.
func parseContext(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	switch {
	case err != nil || n == 0:
		return 0, fmt.Errorf("%q is no number of tokens: write it like 8192", s)
	case n > maxContext:
		return 0, fmt.Errorf("%q is more tokens than any model takes", s)
	}
	return n, nil
}

func parseKV(s string) (workload.KVType, error) {
	switch t := workload.KVType(s); t {
	case workload.KVF16, workload.KVQ80, workload.KVQ40:
		return t, nil
	}
	return "", fmt.Errorf("%q is no KV cache type: it is f16, q8_0 or q4_0", s)
}

// parseSpan reads a time between two bounds.
func parseSpan(s string, least, most time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no time: write it like 500ms, 2s or 1h30m", s)
	case d < least:
		return 0, fmt.Errorf("%q is too short: at least %s", s, typed(least))
	case d > most:
		return 0, fmt.Errorf("%q is too long: at most %s", s, typed(most))
	}
	return d, nil
}

// typed is a time as people type it: "10m", where a Duration says "10m0s".
func typed(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// parsePin reads NAME=VALUE into pins.
func parsePin(s string, pins *budget.Pins) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("%q is no pin: write it like thermal=3, power=12W or vram=8GiB", s)
	}
	switch name {
	case "thermal":
		v, err := parseCelsius(value)
		if err != nil {
			return err
		}
		pins.ThermalC = sensors.Num(v)
	case "power":
		v, err := parsePower(value)
		if err != nil {
			return err
		}
		pins.PowerMW = sensors.Num(v)
	case "vram":
		v, err := parseBytes(value)
		if err != nil {
			return err
		}
		pins.VRAMBytes = sensors.Num(float64(v))
	default:
		return fmt.Errorf("%q cannot be pinned: it is thermal, power or vram", name)
	}
	return nil
}

// parseLimit reads ID=VALUE into limits: °C for a temperature sensor, a power with its unit for a power domain.
func parseLimit(s string, limits map[string]float64) error {
	at := strings.LastIndexByte(s, '=')
	if at <= 0 {
		return fmt.Errorf("%q is no limit: write it like ID=100 (°C) or ID=28W, the ID as snapshot lists it", s)
	}
	id, value := s[:at], s[at+1:]
	v, err := 0.0, error(nil)
	if strings.HasSuffix(value, "W") {
		v, err = parsePower(value)
	} else {
		v, err = parseCelsius(value)
	}
	if err != nil {
		return err
	}
	if v <= 0 {
		return fmt.Errorf("%q is no limit: it must be above 0", value)
	}
	limits[id] = v
	return nil
}
