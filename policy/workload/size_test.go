package workload_test

import (
	"math"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
)

// The file sizes of Llama 3.1 8B that llama.cpp's own table prints, in GiB.
func TestFormatsMeetPublishedFiles(t *testing.T) {
	for name, size := range map[string]float64{
		"F16": 14.96, "q8_0": 7.95, "Q6_K": 6.14, "Q5_K_M": 5.33, "Q5_K_S": 5.21, "Q4_K_M": 4.58, "Q4_K_S": 4.36, "Q4_0": 4.33,
		"IQ4_XS": 4.17, "Q3_K_M": 3.74, "Q2_K": 2.95,
	} {
		f, ok := workload.FormatNamed(name)
		if !ok {
			t.Errorf("no format %s", name)
			continue
		}
		if got := float64(f.Bytes(8_030_261_248)) / gib; math.Abs(got-size) > 0.01 {
			t.Errorf("%s: %.3f GiB, the file has %.2f", f.Name, got, size)
		}
	}
	if _, ok := workload.FormatNamed("Q9"); ok {
		t.Error("Q9 is a format")
	}
	if f, _ := workload.FormatNamed("F32"); f.Bytes(math.MaxUint64) != math.MaxUint64 {
		t.Error("the bytes of the largest count wrap around")
	}
}

func TestFormatsAreFinestFirst(t *testing.T) {
	all := workload.Formats()
	for i := 1; i < len(all); i++ {
		if all[i].BitsPerWeight > all[i-1].BitsPerWeight {
			t.Errorf("%s after %s", all[i].Name, all[i-1].Name)
		}
	}
	all[0].Name = "mine"
	if workload.Formats()[0].Name == "mine" {
		t.Error("the table can be changed from outside")
	}
}

func TestFormatOfEachPrecision(t *testing.T) {
	for p, want := range map[policy.Precision]string{policy.F32: "F32", policy.F16: "F16", policy.Q8: "Q8_0", policy.Q4: "Q4_K_M"} {
		if got := workload.FormatOf(p); got.Name != want || got.BitsPerWeight < 8*p.BytesPerWeight() {
			t.Errorf("%v is %+v, want %s with at least its nominal bits", p, got, want)
		}
	}
}

func TestTokensPerSecond(t *testing.T) {
	r, ok := workload.TokensPerSecond(8e9, 2e9, workload.Range{Low: 50e9, High: 80e9})
	if !ok || r.Low != 5 || r.High != 10 {
		t.Errorf("got %+v, %v; want 5 with a full cache, 10 with an empty one", r, ok)
	}
	for name, bandwidth := range map[string]workload.Range{
		"unknown": {}, "unordered": {Low: math.NaN(), High: 1}, "reversed": {Low: 2, High: 1}, "negative": {Low: -1, High: 1},
	} {
		if _, ok := workload.TokensPerSecond(8e9, 0, bandwidth); ok {
			t.Errorf("%s bandwidth gives a bound", name)
		}
	}
	if _, ok := workload.TokensPerSecond(0, 0, workload.Range{Low: 1, High: 1}); ok {
		t.Error("no weights give a bound")
	}
}

// A token reads the experts it takes, and one row of an embedding that is not the output too.
func TestReadParams(t *testing.T) {
	dense := workload.Default()
	if got := dense.ReadParams(); got != 8_030_261_248-128256*4096 {
		t.Errorf("an untied model reads %d weights", got)
	}
	tied := specs["llama-3.2-1b"].model("").At(workload.Options{})
	if got := tied.ReadParams(); got != tied.Params {
		t.Errorf("a tied model reads %d of %d weights", got, tied.Params)
	}
	mixture := specs["olmoe-1b-7b"].model("").At(workload.Options{})
	if got := mixture.ReadParams(); got != mixture.ActiveParams-50304*2048 {
		t.Errorf("a mixture reads %d weights, %d are active", got, mixture.ActiveParams)
	}
	if got := workload.Bare(1e9).ReadParams(); got != 1e9 {
		t.Errorf("a bare count reads %d weights", got)
	}
}

func TestLargestContext(t *testing.T) {
	m := specs["llama-3.1-8b"].model("")
	const weights = 5 * gib
	for _, c := range []struct {
		name string
		free uint64
		want uint64
	}{
		{"room for all", 40 * gib, 131072},
		{"weights alone do not fit", weights - 1, 0},
		{"weights alone fit", weights, 0},
	} {
		if got := m.LargestContext(c.free, weights, workload.Options{}); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	for _, kv := range []workload.KVType{workload.KVF16, workload.KVQ80} {
		const free = 8 * gib
		n := m.LargestContext(free, weights, workload.Options{KV: kv})
		if m.At(workload.Options{Context: n, KV: kv}).OverheadBytes() > free-weights {
			t.Errorf("%s: %d does not fit", kv, n)
		}
		if m.At(workload.Options{Context: n + 1, KV: kv}).OverheadBytes() <= free-weights {
			t.Errorf("%s: %d is not the largest, one more fits", kv, n)
		}
	}
	m.MaxContext = 0
	if n := m.LargestContext(1<<50, 0, workload.Options{}); n != 1<<20 {
		t.Errorf("a model that does not say its longest context gets %d", n)
	}
}
