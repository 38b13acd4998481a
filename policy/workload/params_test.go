package workload_test

import (
	"strings"
	"testing"

	"headroom/policy/workload"
)

func TestParseParams(t *testing.T) {
	for s, want := range map[string]uint64{
		"8B": 8e9, "8b": 8e9, "8.03e9": 8_030_000_000, "500M": 500e6, "1.5T": 1.5e12, "7k": 7000, "0.5b": 500e6, " 70.6B ": 70_600_000_000,
		"8030261248": 8_030_261_248, "1": 1, "1e15": 1e15, "1000T": 1e15, "+3B": 3e9, "1.24B": 1_240_000_000, "4.7e-1B": 470e6,
	} {
		if got, err := workload.ParseParams(s); err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", s, got, err, want)
		}
	}
}

func TestParseParamsRefuses(t *testing.T) {
	for s, because := range map[string]string{
		"": "not a number", "  ": "not a number", "B": "not a number", "eight": "not a number", "8BB": "not a number", "8 B": "not a number",
		"NaN": "not a number", "nanB": "not a number", "0x10": "not a number", "1_000": "not a number", "8GiB": "not a number", "١": "not a number",
		"-8B": "negative", "-1": "negative", "-Inf": "negative", "-0.1": "negative",
		"0": "less than one", "0.4": "less than one", "1e-9": "less than one", "-0": "less than one",
		"1.1e15": "no model has", "Inf": "no model has", "inf": "no model has", "1e300B": "no model has", "2000T": "no model has", "1e999": "no model has",
	} {
		_, err := workload.ParseParams(s)
		if err == nil || !strings.Contains(err.Error(), because) {
			t.Errorf("%q: %v, want %q", s, err, because)
		}
		if err != nil && !strings.Contains(err.Error(), "8B") {
			t.Errorf("%q: %v does not say how to write it", s, err)
		}
	}
}

func FuzzParseParams(f *testing.F) {
	for _, s := range []string{"8B", "8.03e9", "-1", "NaN", "1e400", "0x1p4", "٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := workload.ParseParams(s)
		if err == nil && (n < 1 || n > workload.MaxParams) {
			t.Errorf("%q is %d weights", s, n)
		}
		if err != nil && n != 0 {
			t.Errorf("%q: %d with %v", s, n, err)
		}
	})
}
