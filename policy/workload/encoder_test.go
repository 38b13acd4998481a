package workload_test

import (
	"math"
	"testing"

	"headroom/policy/workload"
)

// What llama.cpp allocated as compute buffer for encoders of these shapes, in MiB as it prints them: BERT, and Nomic's with a
// gate. Neither has a cache, and neither's grows with the context.
func TestEncodersHaveScratchAndNoCache(t *testing.T) {
	for _, c := range []struct {
		embedding, inner, batch uint64
		gated                   bool
		want                    float64
	}{
		{1024, 4096, 512, false, 14.51},
		{1024, 4096, 1024, false, 30.01},
		{384, 1536, 512, false, 5.76},
		{1024, 1024, 512, false, 11.51},
		{512, 8192, 1024, false, 40.01},
		{768, 3072, 512, true, 23.01},
	} {
		m := workload.Model{Embedding: c.embedding, Vocab: 250002, MaxContext: 8192, Encoder: true, TiedEmbeddings: true}
		for range 12 {
			m.Layers = append(m.Layers, workload.Layer{Attention: true, Heads: 8, KVHeads: 8, KeyLength: c.embedding / 8, ValueLength: c.embedding / 8, FeedForward: c.inner, Ungated: !c.gated})
		}
		for _, context := range []uint64{2048, 8192} {
			o := workload.Options{Context: context, Batch: c.batch}
			if got := float64(m.ComputeBytes(o)-m.OutputBytes(o)) / mib; math.Abs(got-c.want) > 0.01 {
				t.Errorf("%d × %d in batches of %d: %.3f MiB, llama.cpp %.2f", c.embedding, c.inner, c.batch, got, c.want)
			}
			if kv := m.At(o).KVBytes; kv != 0 {
				t.Errorf("%d bytes of cache", kv)
			}
		}
	}
}
