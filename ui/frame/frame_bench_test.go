package frame_test

import (
	"testing"
	"time"

	"headroom/ui/frame"
)

// One round after the sensors: from a Sample to the Frame that faces show.
func BenchmarkNew(b *testing.B) {
	s := apu.sample()
	b.ReportAllocs()
	for b.Loop() {
		frame.New(s, llama)
	}
}

// The words and figures of one Frame.
func BenchmarkSnapshot(b *testing.B) {
	f := frame.New(apu.sample(), llama)
	b.ReportAllocs()
	for b.Loop() {
		f.Snapshot()
	}
}

// A Frame folded in at 10 Hz, with a change of decision every two seconds.
func BenchmarkHistory(b *testing.B) {
	h := frame.NewHistory()
	frames := []frame.Frame{at(0, cool, llama), at(0, hot, llama)}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		f := frames[i/20%2]
		f.Sample.Time = noon.Add(time.Duration(i) * 100 * time.Millisecond)
		h.Add(f)
		i++
	}
}
