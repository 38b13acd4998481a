package sensors

import (
	"context"
	"testing"
	"time"
)

// BenchmarkRoundLive is one round of all sources on the machine that runs it, warm.
func BenchmarkRoundLive(b *testing.B) { benchmarkRound(b, NewPoller(Options{})) }

func benchmarkRound(b *testing.B, p *Poller) {
	p.Once(context.Background())
	b.ReportAllocs()
	for b.Loop() {
		p.sample(context.Background())
	}
}

var _ = time.Second
