package frame_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// pools is a machine with so much free memory on its GPU (0: no GPU) and in RAM, in GiB.
func pools(gpu float64, unified bool, ram float64) frame.Frame {
	b := budget.Result{InUse: -1, Shown: -1, Device: policy.CPU}
	b.Memory = budget.Memory{State: sensors.StateOK, Free: uint64(ram * gib), RAMAvailable: sensors.Num(ram * gib)}
	if gpu > 0 {
		b.Device, b.InUse, b.GPUs = policy.GPU, 0, []budget.GPU{{Unified: unified}}
		b.Memory.Free, b.Inputs.Host = uint64(gpu*gib), policy.HostCapabilities{GPUAvailable: true}
	}
	return frame.Frame{Budget: b}
}

func llama8B(t *testing.T) workload.Model {
	t.Helper()
	return *workload.Default().Model
}

func offer(t *testing.T, m workload.Model, format string) frame.Offer {
	t.Helper()
	f, ok := workload.FormatNamed(format)
	if !ok {
		t.Fatalf("no format %s", format)
	}
	return frame.OfferOf(m, f)
}

// Llama 3.1 8B at 8192 takes 1 GiB of cache and 0.26 GiB of buffers; in Q8_0 its weights are 7.95 GiB, in F16 14.96 GiB.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      frame.Frame
		format string
		want   frame.Fit
		tiles  uint32
		free   float64
		stream bool
	}{
		{"a card with room", pools(12, false, 32), "Q8_0", frame.FitGPU, 1, 12, false},
		{"a card that is too small, RAM that holds the weights", pools(6, false, 32), "Q8_0", frame.FitTiled, 2, 6, true},
		{"16 of 20 GiB of the card in use", pools(4, false, 32), "Q8_0", frame.FitTiled, 3, 4, true},
		{"shared memory with a small share", pools(6, true, 32), "Q8_0", frame.FitTiled, 2, 6, false},
		{"a card that does not hold the cache", pools(1, false, 32), "Q8_0", frame.FitCPU, 1, 32, false},
		{"neither holds it", pools(6, false, 7), "Q8_0", frame.FitNone, 2, 6, false},
		{"no GPU", pools(0, false, 16), "Q8_0", frame.FitCPU, 1, 16, false},
		{"no GPU and little RAM", pools(0, false, 8), "Q8_0", frame.FitNone, 1, 8, false},
		{"a cache that the RAM lacks room for", pools(6, true, 9), "Q8_0", frame.FitNone, 2, 6, false},
	} {
		r := c.f.Row(offer(t, llama8B(t), c.format), workload.Options{}, frame.Rates{})
		if r.Fit != c.want || r.Tiles != c.tiles || r.Free != uint64(c.free*gib) || (r.Stream.Bytes > 0) != c.stream {
			t.Errorf("%s: %s in %d tiles of %.1f GiB, streams %d; want %s in %d of %.0f", c.name, r.Fit, r.Tiles, float64(r.Free)/gib, r.Stream.Bytes, c.want, c.tiles, c.free)
		}
		if r.Total != r.Weights+r.KVBytes+r.ComputeBytes {
			t.Errorf("%s: total %d is not the sum of its parts", c.name, r.Total)
		}
		if r.Fit == frame.FitGPU && len(r.Remedies) > 0 || r.Fit == frame.FitNone && len(r.Remedies) == 0 {
			t.Errorf("%s: remedies %v", c.name, r.Remedies)
		}
	}
	unknown := pools(12, false, 32)
	unknown.Budget.Memory.State = sensors.StateNotOffered
	if r := unknown.Row(offer(t, llama8B(t), "Q8_0"), workload.Options{}, frame.Rates{}); r.Fit != frame.FitUnknown || r.JSON().FreeBytes != nil {
		t.Errorf("with unknown memory: %s, free %v", r.Fit, r.JSON().FreeBytes)
	}
}

// TestFitEdge compares one byte to either side of the exact need.
func TestFitEdge(t *testing.T) {
	f := pools(12, false, 64)
	need := f.Row(offer(t, llama8B(t), "Q8_0"), workload.Options{}, frame.Rates{}).Total
	for free, want := range map[uint64]frame.Fit{need: frame.FitGPU, need - 1: frame.FitTiled} {
		f.Budget.Memory.Free = free
		if r := f.Row(offer(t, llama8B(t), "Q8_0"), workload.Options{}, frame.Rates{}); r.Fit != want {
			t.Errorf("%d of %d bytes: %s, want %s", free, need, r.Fit, want)
		}
	}
}

func TestLargestContext(t *testing.T) {
	f := pools(10, false, 64)
	r := f.Row(offer(t, llama8B(t), "Q8_0"), workload.Options{}, frame.Rates{})
	if r.MaxContext == 0 || r.MaxContext >= llama8B(t).MaxContext {
		t.Fatalf("largest context %d", r.MaxContext)
	}
	if at := f.Row(r.Offer, workload.Options{Context: r.MaxContext}, frame.Rates{}); at.Fit != frame.FitGPU {
		t.Errorf("at the largest context, %d, it is %s", r.MaxContext, at.Fit)
	}
	if at := f.Row(r.Offer, workload.Options{Context: r.MaxContext + 256}, frame.Rates{}); at.Fit == frame.FitGPU {
		t.Errorf("it fits beyond the largest context, %d", r.MaxContext)
	}
}

// TestRemedies follows each remedy and finds that it fits.
func TestRemedies(t *testing.T) {
	f := pools(10, false, 64)
	opt := workload.Options{Context: 32768}
	r := f.Row(offer(t, llama8B(t), "Q8_0"), opt, frame.Rates{})
	kinds := map[string]bool{}
	for _, m := range r.Remedies {
		o, changed, g := opt, r.Offer, f
		switch {
		case m.KV != "":
			o.KV, kinds["kv"] = m.KV, true
		case m.Context > 0:
			o.Context, kinds["context"] = m.Context, true
		case m.Format != "":
			changed, kinds["format"] = offer(t, llama8B(t), m.Format), true
		default:
			g.Budget.Memory.Free += m.Memory
			kinds["memory"] = true
		}
		if after := g.Row(changed, o, frame.Rates{}); after.Fit != frame.FitGPU {
			t.Errorf("with %s it is %s", m.Words(), after.Fit)
		}
	}
	if len(kinds) != 4 {
		t.Errorf("remedies %v", r.Remedies)
	}
	if r = pools(11, false, 64).Row(r.Offer, opt, frame.Rates{}); len(r.Remedies) == 0 || r.Remedies[0].KV != workload.KVQ80 {
		t.Errorf("with 11 GiB: %v, want a smaller cache first", r.Remedies)
	}
}

// TestSpeed takes a speed from what was measured only, and says what.
func TestSpeed(t *testing.T) {
	ram, gpu, upload := sensors.Num(50e9), sensors.Num(500e9), sensors.Num(20e9)
	weights := offer(t, llama8B(t), "Q8_0")
	read := float64(weights.Weights) * float64(8_030_261_248-128256*4096) / 8_030_261_248
	for _, c := range []struct {
		name  string
		f     frame.Frame
		rates frame.Rates
		high  float64
		basis string
	}{
		{"nothing measured", pools(0, false, 32), frame.Rates{}, 0, "was not measured"},
		{"CPU", pools(0, false, 32), frame.Rates{RAM: ram}, 50e9 / read, "RAM, measured at 50.0 GB/s"},
		{"card", pools(12, false, 32), frame.Rates{RAM: ram, GPU: gpu}, 500e9 / read, "the GPU's memory, measured at 500.0 GB/s"},
		{"card that was not measured", pools(12, false, 32), frame.Rates{RAM: ram}, 0, "GPU's memory was not measured"},
		{"shared memory", pools(12, true, 32), frame.Rates{RAM: ram}, 50e9 / read, "RAM, measured"},
		{"tiles", pools(6, false, 32), frame.Rates{RAM: ram, GPU: gpu, Upload: upload}, 20e9 / float64(weights.Weights), "upload to the GPU, measured"},
		{"tiles whose upload was not measured", pools(6, false, 32), frame.Rates{RAM: ram, GPU: gpu}, 0, "upload rate to the GPU was not measured"},
		{"nowhere", pools(0, false, 2), frame.Rates{RAM: ram}, 0, "does not run here"},
	} {
		s := c.f.Row(weights, workload.Options{}, c.rates).Speed
		high, ok := s.High.Get()
		low, _ := s.Low.Get()
		if ok != (c.high > 0) || math.Abs(high-c.high) > 1e-3*c.high || ok && !(low > 0 && low < high/2) || !strings.Contains(s.Basis, c.basis) {
			t.Errorf("%s: %v to %v on %q; want up to %.3f on %q", c.name, low, high, s.Basis, c.high, c.basis)
		}
	}
}

// TestMixtureSpeed: memory from all weights, speed from the active ones.
func TestMixtureSpeed(t *testing.T) {
	m := llama8B(t)
	m.Params, m.ActiveParams = 125_100_000_000, 10_000_000_000
	r := pools(0, false, 200).Row(offer(t, m, "Q4_K_M"), workload.Options{}, frame.Rates{RAM: sensors.Num(100e9)})
	if n := float64(r.Weights) / gib; n < 69 || n > 75 {
		t.Errorf("weights %.1f GiB, want those of all 125.1 B", n)
	}
	if high, _ := r.Speed.High.Get(); high < 15 {
		t.Errorf("at most %.1f tokens/s; 10 B active weights of 4.9 bits allow 16 and more", high)
	}
}

func TestStream(t *testing.T) {
	r := pools(6, false, 32).Row(offer(t, llama8B(t), "Q8_0"), workload.Options{}, frame.Rates{})
	if !r.Stream.Assumed || r.Stream.Bytes != r.Weights || math.Abs(r.Stream.Seconds()-float64(r.Weights)/31.5e9) > 1e-9 {
		t.Errorf("stream %+v", r.Stream)
	}
	if !strings.Contains(r.Verdict(), "assumed") {
		t.Errorf("%q does not mark PCIe's figure", r.Verdict())
	}
	r = pools(6, false, 32).Row(r.Offer, workload.Options{}, frame.Rates{Upload: sensors.Num(10e9)})
	if r.Stream.Assumed || r.Stream.Rate != 10e9 || !strings.Contains(r.Verdict(), "measured") {
		t.Errorf("stream %+v in %q, want the measured rate", r.Stream, r.Verdict())
	}
}

func TestBest(t *testing.T) {
	for _, c := range []struct {
		f     frame.Frame
		tight bool
		want  string
		fit   frame.Fit
	}{
		{pools(24, false, 64), false, "F16", frame.FitGPU},
		{pools(24, false, 64), true, "Q8_0", frame.FitGPU},
		{pools(8, false, 64), false, "Q6_K", frame.FitGPU},
		{pools(0, false, 6), false, "Q4_K_M", frame.FitCPU},
		{pools(2, false, 64), false, "Q4_K_M", frame.FitTiled},
	} {
		c.f.Plan.Tight = c.tight
		if r := c.f.Best(llama8B(t), workload.Options{}, frame.Rates{}); r.Format != c.want || r.Fit != c.fit {
			t.Errorf("%.0f GiB, tight %v: %s %s, want %s %s", float64(c.f.Budget.Memory.Free)/gib, c.tight, r.Format, r.Fit, c.want, c.fit)
		}
	}
	m := llama8B(t)
	m.Arch = "gpt-oss"
	if r := pools(24, false, 64).Best(m, workload.Options{}, frame.Rates{}); r.Format != "MXFP4" {
		t.Errorf("gpt-oss is offered in %s", r.Format)
	}
}

// TestRowSums adds up what is shown, for many models and hosts: every total is the sum of its parts as printed.
func TestRowSums(t *testing.T) {
	number := func(l frame.Line) float64 {
		v, err := strconv.ParseFloat(strings.ReplaceAll(l.Text, " ", ""), 64)
		if err != nil {
			t.Fatalf("%s reads %q", l.Name, l.Text)
		}
		return v
	}
	for params := uint64(30_000_000); params < 2e12; params = params*17/10 + 12345 {
		for _, free := range []float64{0.3, 1.7, 5.55, 23.97, 400.04} {
			m := llama8B(t)
			m.Params, m.ActiveParams = params, params
			r := pools(0, false, free).Row(offer(t, m, "Q5_K_M"), workload.Options{Context: 4096 + params%9999}, frame.Rates{})
			l := r.Ledger()
			if sum := number(l.Weights) + number(l.KV) + number(l.Compute); math.Abs(sum-number(l.Need)) > 0.01 {
				t.Fatalf("%d weights: %s + %s + %s is shown as %s %s", params, l.Weights.Text, l.KV.Text, l.Compute.Text, l.Need.Text, l.Unit)
			}
			if r.Fit == frame.FitCPU {
				if d := number(l.FreeTotal) - number(l.Need); d >= 0 && math.Abs(d-number(l.Left)) > 0.01 {
					t.Fatalf("%d weights: %s of %s leaves %s", params, l.Need.Text, l.FreeTotal.Text, l.Left.Text)
				}
			} else if d := number(l.Need) - number(l.FreeTotal); d >= 0 && math.Abs(d-number(l.Short)) > 0.01 {
				t.Fatalf("%d weights: %s of %s lacks %s", params, l.Need.Text, l.FreeTotal.Text, l.Short.Text)
			} else if missing := l.Words(l.Short); !strings.Contains(r.Verdict(), missing+" missing") || !strings.Contains(r.Change(), missing+" more of free memory") {
				t.Fatalf("%d weights lack %s: %s. %s", params, missing, r.Verdict(), r.Change())
			}
			j := r.JSON()
			if j.TotalBytes != j.WeightsBytes+j.KVBytes+j.ComputeBytes {
				t.Fatalf("%d weights: %d in JSON is not the sum of its parts", params, j.TotalBytes)
			}
		}
	}
}

func TestBareRow(t *testing.T) {
	r := pools(0, false, 64).Row(offer(t, workload.Model{Name: "8.03 B", Params: 8_030_000_000}, "F16"), workload.Options{Context: 4096}, frame.Rates{})
	b, err := json.Marshal(r.JSON())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"context":null`, `"max_context":null`, `"kv_bytes":0`, `"active_params":8030000000`, `"low":null`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
	if r.Total != r.Weights {
		t.Errorf("a bare count takes %d beside its weights", r.Total-r.Weights)
	}
}

// A model that gives embeddings has a size and a fit like any other, but no cache and no speed of writing.
func TestEncoderRow(t *testing.T) {
	m := workload.Model{
		Name: "bge-m3", Params: 567_754_752, Embedding: 1024, Vocab: 250002, MaxContext: 8192, Encoder: true, TiedEmbeddings: true,
		Layers: []workload.Layer{{Attention: true, Heads: 16, KVHeads: 16, KeyLength: 64, ValueLength: 64, FeedForward: 4096, Ungated: true}},
	}
	r := pools(0, false, 32).Row(offer(t, m, "F16"), workload.Options{}, frame.Rates{RAM: sensors.Num(33e9)})
	if r.Fit != frame.FitCPU || r.KVBytes != 0 || r.ComputeBytes > 32<<20 || r.MaxContext != 8192 {
		t.Errorf("the row is %+v", r)
	}
	if r.Speed.Low.Known() || r.Speed.Basis != "it gives embeddings, and writes no tokens" {
		t.Errorf("the speed is %s: %s", r.Speed.Words(), r.Speed.Basis)
	}
}

func TestRowWords(t *testing.T) {
	words := func(r frame.Row) string {
		return r.Verdict() + "|" + r.FitWords() + "|" + r.Change() + "|" + r.Speed.Words()
	}
	for _, f := range []frame.Frame{pools(12, false, 32), pools(6, false, 32), pools(0, false, 32), pools(0, false, 2), pools(6, true, 32)} {
		text := words(f.Row(offer(t, llama8B(t), "Q8_0"), workload.Options{}, frame.Rates{RAM: sensors.Num(33e9)}))
		if regexp.MustCompile(`%!|NaN|Inf|  `).MatchString(text) {
			t.Errorf("%q", text)
		}
	}
	if got := fmt.Sprint(frame.FitTiled); got != "gpu_tiled" {
		t.Errorf("tiled is spelt %s", got)
	}
	if got, want := frame.Rate(31.5e9)+" "+frame.Duration(0.012)+" "+frame.Duration(0.25), "31.5 GB/s 12 ms 0.25 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
