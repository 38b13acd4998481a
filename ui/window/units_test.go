//go:build cgo || !darwin

package window

import (
	"math"
	"testing"
	"time"
)

func TestTypedValues(t *testing.T) {
	const bad = -12345
	for _, c := range []struct {
		parse func(string) (float64, error)
		text  string
		want  float64
	}{
		{parseCelsius, "3", 3},
		{parseCelsius, " 3.5 °C ", 3.5},
		{parseCelsius, "−2", -2},
		{parseCelsius, "-2C", -2},
		{parseCelsius, "201", bad},
		{parseCelsius, "warm", bad},
		{parseCelsius, "NaN", bad},
		{parsePower, "12", 12_000},
		{parsePower, "12 W", 12_000},
		{parsePower, "800mW", 800},
		{parsePower, "1.2kW", 1_200_000},
		{parsePower, "-1", bad},
		{parsePower, "5e9", bad},
		{parseBytes, "8", 8 << 30},
		{parseBytes, "8GiB", 8 << 30},
		{parseBytes, "8 GB", 8e9},
		{parseBytes, "512 MiB", 512 << 20},
		{parseBytes, "-8", bad},
		{parseBytes, "inf", bad},
		{parseBytes, "99999999 TiB", bad},
		{tokens, "8192", 8192},
		{tokens, "8 192", 8192},
		{tokens, "32k", 32768},
		{tokens, "1M", 1 << 20},
		{tokens, "0", bad},
		{tokens, "-5", bad},
		{tokens, "1e30", bad},
		{tokens, "many", bad},
	} {
		got, err := c.parse(c.text)
		if c.want == bad {
			if err == nil {
				t.Errorf("%q gives %v, want an error", c.text, got)
			}
			continue
		}
		if err != nil || math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%q gives %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func tokens(s string) (float64, error) {
	n, err := parseTokens(s)
	return float64(n), err
}

func TestAges(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "now", 5 * time.Second: "5 s", 3 * time.Minute: "3 min", 5 * time.Hour: "5 h"} {
		if got := ageText(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
