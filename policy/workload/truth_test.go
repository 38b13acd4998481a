package workload_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"headroom/policy/workload"
)

const mib, gib = 1 << 20, 1 << 30

// measured is one run of llama.cpp.
type measured struct {
	Shape, Quant              string
	Context, Batch, Sequences uint64
	KV                        workload.KVType
	Weights                   float64
	Model                     float64   `json:"model_mib"`
	KVBuffers                 []float64 `json:"kv_mib"`
	Compute                   float64   `json:"compute_mib"`
	Output                    float64   `json:"output_mib"`
}

// TestBuffersAreThoseOfLlamaCpp holds the cache to the MiB and the total to 2 %. Beyond the context that a model was trained
// for, llama.cpp's larger masks leave gaps in its scratch memory that the formula does not foresee: 3 % there.
func TestBuffersAreThoseOfLlamaCpp(t *testing.T) {
	for file, rows := range map[string]int{"llama_cpp.jsonl": 15, "llama_cpp_more.jsonl": 62} {
		f, err := os.Open("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for scan := bufio.NewScanner(f); scan.Scan(); n++ {
			var row measured
			if err := json.Unmarshal(scan.Bytes(), &row); err != nil {
				t.Fatalf("%s line %d: %v", file, n+1, err)
			}
			t.Run(fmt.Sprintf("%s/%s/%d", file, row.Shape, n+1), row.check)
		}
		f.Close()
		if n != rows {
			t.Errorf("%s has %d rows, want %d", file, n, rows)
		}
	}
}

func (row measured) check(t *testing.T) {
	s, known := specs[row.Shape]
	if !known {
		t.Fatalf("no architecture is called %s", row.Shape)
	}
	m := s.model(row.Shape)
	o := workload.Options{Context: row.Context, Batch: row.Batch, Sequences: row.Sequences, KV: row.KV}
	w := m.At(o)

	kv := 0.0
	for _, b := range row.KVBuffers {
		kv += b
	}
	if got := float64(w.KVBytes) / mib; math.Abs(got-kv) > 0.01 {
		t.Errorf("KV cache %.2f MiB, llama.cpp %.2f", got, kv)
	}
	if got := float64(m.OutputBytes(o)) / mib; math.Abs(got-row.Output) > 0.01 {
		t.Errorf("output buffer %.2f MiB, llama.cpp %.2f", got, row.Output)
	}

	weights := row.Weights / mib
	if weights == 0 {
		weights = row.Model
	}
	got, want := weights+float64(w.KVBytes+w.ComputeBytes)/mib, weights+kv+row.Compute+row.Output
	tolerance := 0.02
	if row.Context > m.MaxContext {
		tolerance = 0.03
	}
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("total %.1f MiB, llama.cpp %.1f: off by %.1f %%", got, want, 100*(got/want-1))
	}

	if f, ok := workload.FormatNamed(row.Quant); ok && row.Quant == "q8_0" {
		if got := float64(f.Bytes(w.Params)) / mib; math.Abs(got-weights) > 0.001*weights {
			t.Errorf("weights by %s's average %.1f MiB, the file's are %.1f", f.Name, got, weights)
		}
	}
}

// The three worked examples: cache and buffers in GiB, to the two digits that the design gives.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		shape       string
		context     uint64
		params      float64
		kv, compute float64
	}{
		{"llama-3.1-8b", 8192, 8.03e9, 1.0, 0.26},
		{"llama-3.1-70b", 4096, 70.6e9, 1.25, 0.27},
		{"llama-3.2-1b", 2048, 1.24e9, 0.0625, 0.25},
	} {
		t.Run(c.shape, func(t *testing.T) {
			w := specs[c.shape].model(c.shape).At(workload.Options{Context: c.context})
			if got := float64(w.KVBytes) / gib; got != c.kv {
				t.Errorf("KV cache %.4f GiB, want %v", got, c.kv)
			}
			if got := float64(w.ComputeBytes) / gib; math.Abs(got-c.compute) > 0.01 {
				t.Errorf("compute buffers %.4f GiB, want %v", got, c.compute)
			}
			if got := float64(w.Params); math.Abs(got-c.params) > 0.005*c.params {
				t.Errorf("%.4g weights, want %.4g", got, c.params)
			}
		})
	}
}
