package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
)

const hour = 36_000 // samples at 10 Hz

// hours writes a recording at 10 Hz: a stretch of a scenario over and over, each time later.
func hours(b *testing.B, n int) string {
	b.Helper()
	const stretch = 7200 // samples: three rounds of the scenario, and a fifth of an hour
	lines := bytes.SplitAfter(record(b, samplesOf(b, "thin-laptop", stretch, 100*time.Millisecond)), []byte("\n"))
	path := filepath.Join(b.TempDir(), "hours.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	for n := range n * hour / stretch {
		out.Reset()
		for i, l := range lines {
			kind, body := classify(bytes.TrimSuffix(l, []byte("\n")))
			switch {
			case kind == kindKey:
				_, sample, err := parseKey(body)
				if err != nil {
					b.Fatal(err)
				}
				k, err := takeApart(sample)
				if err != nil {
					b.Fatal(err)
				}
				out.Write(seal(k.later(body[:len(body)-len(sample)], time.Duration(n)*stretch*100*time.Millisecond)))
			case n == 0 || i > 0:
				out.Write(l)
			}
		}
		if _, err := f.Write(out.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

// later is a key's text behind a prefix, with its times moved.
func (k keySample) later(prefix []byte, d time.Duration) []byte {
	out, done := bytes.Clone(prefix), 0
	for _, l := range k.leaves {
		if k.moves(l) {
			out = append(out, k.text[done:l.start]...)
			out = appendMoved(out, k.at(), d)
			done = l.end
		}
	}
	return append(out, k.text[done:]...)
}

// BenchmarkOpenHours opens recordings of up to a day.
func BenchmarkOpenHours(b *testing.B) {
	for _, n := range []int{1, 6, 24} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { benchmarkOpen(b, n) })
	}
}

func benchmarkOpen(b *testing.B, n int) {
	path := hours(b, n)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	var r *Recording
	for b.Loop() {
		if r, err = Open(path); err != nil {
			b.Fatal(err)
		}
		if r.Len() != n*hour || len(r.Problems()) != 0 {
			b.Fatalf("%d samples, problems %v", r.Len(), r.Problems())
		}
		r.Close()
	}
	var before, after runtime.MemStats
	r = nil
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err = Open(path)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(info.Size())/1e6, "file-MB")
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1e6, "index-MB")
	runtime.KeepAlive(r)
	r.Close()
}

// BenchmarkScrubDay jumps through a day as a dragged slider does; 60 a second take 16.7 ms each.
func BenchmarkScrubDay(b *testing.B) {
	r, err := Open(hours(b, 24))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	shown := make(chan sensors.Sample)
	p := NewPlayer(r)
	p.Pause()
	go p.Run(ctx, func(s sensors.Sample) { shown <- s })
	<-shown
	offset := time.Duration(0)
	for b.Loop() {
		offset = (offset + 7919*time.Second) % r.Length()
		if err := p.Seek(offset); err != nil {
			b.Fatal(err)
		}
		<-shown
	}
}

// BenchmarkNextDecisionDay looks for a change through a day that has none.
func BenchmarkNextDecisionDay(b *testing.B) {
	r, err := Open(hours(b, 24))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	set := budget.Settings{Workload: workload.Default()}
	p := NewPlayer(r)
	for b.Loop() {
		err := p.NextDecision(b.Context(), func(_ int, s sensors.Sample) any {
			return policy.Decide(budget.From(s, set).Inputs).Backend
		}, nil)
		if !errors.Is(err, ErrNoChange) {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	samples := samplesOf(b, "thin-laptop", 1000, 100*time.Millisecond)
	w, err := Create(filepath.Join(b.TempDir(), "bench.jsonl"), Header{By: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := w.Write(samples[i%len(samples)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkEach(b *testing.B) {
	r := reopen(b, record(b, samplesOf(b, "thin-laptop", 10_000, 100*time.Millisecond)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if err := r.Each(0, r.Len(), func(int, sensors.Sample) bool { n++; return true }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/sample")
}

func BenchmarkReadOn(b *testing.B) {
	r := reopen(b, record(b, samplesOf(b, "thin-laptop", 1000, 100*time.Millisecond)))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, _, err := r.At(i % r.Len()); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
