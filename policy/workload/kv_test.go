package workload_test

import (
	"math"
	"slices"
	"testing"

	"headroom/policy/workload"
)

func TestOverheadStaysTheLargestNumberWhereItWouldWrap(t *testing.T) {
	w := workload.Workload{KVBytes: math.MaxUint64 - 5, ComputeBytes: 6}
	if got := w.OverheadBytes(); got != math.MaxUint64 {
		t.Errorf("a KV cache and buffers of more than 2⁶⁴ bytes take %d", got)
	}
	w.ComputeBytes = 5
	if got := w.OverheadBytes(); got != math.MaxUint64 {
		t.Errorf("the largest sum is %d", got)
	}
}

// The bytes are those that llama.cpp's users saw allocated, or worked out by hand where no one did.
func TestKVBytes(t *testing.T) {
	const ctx131k = 131072
	llama := specs["llama-3.1-8b"].model("")
	hybrid := alike(workload.Model{Embedding: 2048, Vocab: 151936, MaxContext: 262144}, 40, workload.Layer{
		StateBytes: 2 << 20, MixerParams: 1, FeedForward: 5632,
	})
	for i := 3; i < 40; i += 4 {
		hybrid.Layers[i] = workload.Layer{Attention: true, Heads: 16, KVHeads: 2, KeyLength: 256, ValueLength: 256, FeedForward: 5632}
	}
	sharing := specs["qwen2.5-0.5b"].model("")
	for i := 12; i < 24; i++ {
		sharing.Layers[i].SharesKV = true
	}
	encoder := alike(workload.Model{Embedding: 1024, Vocab: 250002}, 24, workload.Layer{FeedForward: 4096})
	for _, c := range []struct {
		name string
		m    workload.Model
		o    workload.Options
		want uint64
	}{
		{"grouped heads", llama, workload.Options{Context: 8192}, 1 << 30},
		{"the default context", llama, workload.Options{}, 1 << 30},
		{"a context is padded to whole blocks", llama, workload.Options{Context: 8193}, 8448 * 131072},
		{"q8_0 keeps 34 bytes a 32 elements", llama, workload.Options{Context: 8192, KV: workload.KVQ80}, (1 << 30) / 64 * 34},
		{"q4_0 keeps 18", llama, workload.Options{Context: 8192, KV: workload.KVQ40}, (1 << 30) / 64 * 18},
		{"each sequence has its own", llama, workload.Options{Context: 8192, Sequences: 4}, 4 << 30},
		{"latent attention keeps one row", deepseekV3(), workload.Options{Context: 8192}, 575_668_224},
		{"latent attention at 32768: 2196 MiB", deepseekV3(), workload.Options{Context: 32768}, 2196 << 20},
		{"windows of 128 stay small", gptOSS20B(), workload.Options{Context: ctx131k}, 12*ctx131k*2048 + 12*768*2048},
		{"a context below the window", specs["gemma-3-4b"].model(""), workload.Options{Context: 700}, 34 * 768 * 4096},
		{"one layer of four attends, the rest keep a state", hybrid, workload.Options{Context: 4096}, 10*4096*2048 + 30*2<<20},
		{"shared caches count once", sharing, workload.Options{Context: 8192}, 48 << 20},
		{"no attention, no cache", encoder, workload.Options{Context: 8192}, 0},
		{"a short model caps the default", specs["tinyllama-1.1b"].model(""), workload.Options{}, 44 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.m.At(c.o).KVBytes; got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

func TestAtFillsInTheOptions(t *testing.T) {
	w := specs["tinyllama-1.1b"].model("TinyLlama").At(workload.Options{})
	if w.Context != 2048 || w.KVType != workload.KVF16 || w.Name != "TinyLlama" || w.Layers != 22 || w.Bare || w.Model == nil {
		t.Errorf("got %+v", w)
	}
	if w := workload.Default(); w.Context != 8192 || w.Params != 8_030_261_248 || w.OverheadBytes() != w.KVBytes+w.ComputeBytes {
		t.Errorf("the default workload is %+v", w)
	}
}

// A bigger batch needs more scratch; one that the context cannot fill does not.
func TestBatchAgainstContext(t *testing.T) {
	m := specs["llama-3.1-8b"].model("")
	at := func(context, batch uint64) uint64 {
		return m.ComputeBytes(workload.Options{Context: context, Batch: batch})
	}
	if at(8192, 2048) <= at(8192, 512) {
		t.Error("a batch of 2048 takes no more scratch than one of 512")
	}
	if at(512, 2048) != at(512, 512) {
		t.Error("a batch beyond the context takes scratch")
	}
}

func TestAbsurdArchitecturesSaturate(t *testing.T) {
	const huge = math.MaxUint64
	m := alike(workload.Model{Embedding: huge, Vocab: huge}, 3, workload.Layer{
		Attention: true, Heads: huge, KVHeads: huge, KeyLength: huge, ValueLength: huge, FeedForward: huge, StateBytes: huge,
		Experts: huge, ExpertsUsed: huge, ExpertFeedForward: huge,
	})
	w := m.At(workload.Options{Context: huge, Batch: huge, Sequences: huge, KV: workload.KVQ80})
	for name, n := range map[string]uint64{"weights": w.Params, "KV": w.KVBytes, "compute": w.ComputeBytes, "largest tensor": w.LargestTensor} {
		if n != huge {
			t.Errorf("%s wrapped around to %d", name, n)
		}
	}
}

// FuzzAt: whatever the figures, nothing panics, and more context never takes fewer bytes.
func FuzzAt(f *testing.F) {
	f.Add(uint64(4096), uint64(14336), uint64(32), uint64(8), uint64(128), uint64(0), uint64(0), uint64(0), uint64(8192), byte(1))
	f.Add(uint64(7168), uint64(2048), uint64(128), uint64(1), uint64(192), uint64(576), uint64(64), uint64(256), uint64(1), byte(0xff))
	f.Fuzz(func(t *testing.T, e, ff, heads, kv, head, rank, rope, experts, context uint64, flags byte) {
		l := workload.Layer{
			Attention: flags&1 > 0, Heads: heads, KVHeads: kv, KeyLength: head, ValueLength: head / 2, KVRank: rank, QueryRank: rank / 3,
			RopeLength: rope, FeedForward: ff, Experts: experts, ExpertsUsed: experts / 8, ExpertFeedForward: ff, Window: ff,
			SharesKV: flags&2 > 0, PostNorm: flags&4 > 0, Parallel: flags&8 > 0, Ungated: flags&16 > 0, QKVBias: flags&32 > 0,
			AttentionGate: flags&64 > 0, SharedGate: flags&128 > 0, SharedFeedForward: rope, MixerWidth: e,
		}
		m := alike(workload.Model{Embedding: e, Vocab: ff, MaxContext: context}, 2, l)
		m.Layers = append(m.Layers, workload.Layer{Attention: true, Heads: 1, KVHeads: 1, KeyLength: head, ValueLength: head})
		w := m.At(workload.Options{Context: context})
		if w.ActiveParams > w.Params {
			t.Fatalf("%d active of %d weights", w.ActiveParams, w.Params)
		}
		more := m.At(workload.Options{Context: context + context/2 + 1})
		if context < math.MaxUint64/2 && context > 0 && more.OverheadBytes() < w.OverheadBytes() && w.OverheadBytes() < math.MaxUint64/2 {
			t.Fatalf("context %d takes %d bytes, half as much again %d", context, w.OverheadBytes(), more.OverheadBytes())
		}
		for _, s := range slices.Concat(w.Decode[:], w.Prefill[:]) {
			checkSequence(t, s)
		}
	})
}
