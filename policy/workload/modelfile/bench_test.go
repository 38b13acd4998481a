package modelfile_test

import (
	"fmt"
	"runtime"
	"testing"

	ggufparser "github.com/gpustack/gguf-parser-go"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
	"headroom/policy/workload/modelfile/gguf/gguftest"
)

// largeVocabulary is a model of 8B with the longest header known: 262 144 tokens and 500 000 merges.
func largeVocabulary(t testing.TB) string {
	s := gguftest.Shapes["llama-3.1-8b"]
	s.Vocab = 262_144
	b, _, _ := s.Build("Large vocabulary", gguftest.Q4_K)
	b.Key("tokenizer.ggml.merges", gguftest.Strings{Count: 500_000, Text: "merge of"})
	return b.Write(t, t.TempDir(), "model.gguf")
}

func BenchmarkOpenLargeVocabulary(b *testing.B) {
	path := largeVocabulary(b)
	b.Run("headroom", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := modelfile.Open(path); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("gguf-parser", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parse(path); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// parse opens a file with gguf-parser-go the fast way. It panics on some files, so it is held.
func parse(path string) (f *ggufparser.GGUFFile, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("gguf-parser-go: %v", r)
		}
	}()
	return ggufparser.ParseGGUFFile(path, ggufparser.UseMMap(), ggufparser.SkipLargeMetadata())
}

// TestOpenHeap opens the longest header in eight megabytes.
func TestOpenHeap(t *testing.T) {
	path := largeVocabulary(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := modelfile.Open(path)
	runtime.ReadMemStats(&after)
	if err != nil || f.Model.Vocab != 262_144 {
		t.Fatalf("vocabulary %d: %v", f.Model.Vocab, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("opening it took %d bytes, more than 8 MiB", n)
	}
}

// TestAgreesWithParser compares weights and bytes with gguf-parser-go's, on files that it reads.
func TestAgreesWithParser(t *testing.T) {
	for name, shape := range gguftest.Shapes {
		b, _, _ := shape.Build(name, gguftest.Q8_0)
		path := b.Write(t, t.TempDir(), "model.gguf")
		f, err := modelfile.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		other, err := parse(path)
		if err != nil {
			t.Fatal(err)
		}
		meta := other.Metadata()
		if f.Model.Params != uint64(meta.Parameters) || f.WeightBytes != uint64(meta.Size) {
			t.Errorf("%s: %d weights in %d bytes, gguf-parser-go %d in %d", name, f.Model.Params, f.WeightBytes, uint64(meta.Parameters), uint64(meta.Size))
		}
		if m := f.Model; m.MaxContext != other.Architecture().MaximumContextLength || m.Layers[0].KVHeads != other.Architecture().AttentionHeadCountKV {
			t.Errorf("%s: context %d, %d key-value heads; gguf-parser-go %d and %d", name, m.MaxContext, m.Layers[0].KVHeads, other.Architecture().MaximumContextLength, other.Architecture().AttentionHeadCountKV)
		}
	}
}

// TestKVAgreesWithParser compares a plain cache, of which both readers think alike.
func TestKVAgreesWithParser(t *testing.T) {
	b, _, _ := gguftest.Shapes["llama-3.1-8b"].Build("Llama", gguftest.Q8_0)
	path := b.Write(t, t.TempDir(), "model.gguf")
	f, err := modelfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := parse(path)
	if err != nil {
		t.Fatal(err)
	}
	est := other.EstimateLLaMACppRun(ggufparser.WithLLaMACppContextSize(8192))
	kv := uint64(est.Devices[0].KVCache.Sum())
	for _, d := range est.Devices[1:] {
		kv += uint64(d.KVCache.Sum())
	}
	if got := f.Model.KVBytes(workload.Options{Context: 8192}); got != kv {
		t.Errorf("KV %d, gguf-parser-go %d", got, kv)
	}
}
