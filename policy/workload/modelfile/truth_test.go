package modelfile_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
	"headroom/policy/workload/modelfile/gguf/gguftest"
)

var quants = map[string]gguftest.Quant{"q4_0": gguftest.Q4_0, "q8_0": gguftest.Q8_0, "f16": gguftest.F16}

// TestTruth compares what a file's header says with the buffers that llama.cpp allocated for the same file (CPU, flash
// attention, f16 cache; recorded in MiB as it prints them).
func TestTruth(t *testing.T) {
	f, err := os.Open("../testdata/llama_cpp.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for s := bufio.NewScanner(f); s.Scan(); rows++ {
		var row struct {
			Shape, Quant   string
			Context, Batch uint64
			Model          float64   `json:"model_mib"`
			KV             []float64 `json:"kv_mib"`
			Compute        float64   `json:"compute_mib"`
			Output         float64   `json:"output_mib"`
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		b, _, bytes := gguftest.Shapes[row.Shape].Build(row.Shape, quants[row.Quant])
		file, err := modelfile.Open(b.Write(t, t.TempDir(), "model.gguf"))
		if err != nil {
			t.Fatalf("%s: %v", row.Shape, err)
		}
		w := file.Model.At(workload.Options{Context: row.Context, Batch: row.Batch})
		const mib = 1 << 20
		name := row.Shape + " " + row.Quant
		if file.WeightBytes != bytes {
			t.Errorf("%s: %d bytes of weights, the file has %d", name, file.WeightBytes, bytes)
		}
		// For q4_0 llama.cpp prints the part of the file that it maps in place. The last layer's feed-forward matrices, at
		// the end of the file, are repacked elsewhere and missing from that figure: 94.5 MiB.
		if got := float64(file.WeightBytes) / mib; row.Quant != "q4_0" && math.Abs(got-row.Model) > row.Model*1e-4 {
			t.Errorf("%s: weights %.2f MiB, llama.cpp %.2f", name, got, row.Model)
		}
		kv := 0.0
		for _, n := range row.KV {
			kv += n
		}
		if got := float64(w.KVBytes) / mib; got != kv {
			t.Errorf("%s at %d: KV %.2f MiB, llama.cpp %.0f", name, row.Context, got, kv)
		}
		total, want := float64(file.WeightBytes+w.KVBytes+w.ComputeBytes)/mib, row.Model+kv+row.Compute+row.Output
		if math.Abs(total-want) > 0.02*want {
			t.Errorf("%s at %d: total %.1f MiB, llama.cpp %.1f", name, row.Context, total, want)
		}
	}
	if rows < 15 {
		t.Errorf("%d rows, want all 15", rows)
	}
}
