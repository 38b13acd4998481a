package heat

import (
	"context"
	"math"
	"runtime"
	"testing"
)

// Numbers that settled or overflowed would leave the circuits idle.
func TestTheArithmeticNeverSettles(t *testing.T) {
	x := chains{0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19, 0.20, 0.21, 0.22}
	for range 50 {
		before := x
		x = x.iterate(10_001)
		for i, v := range x {
			if !(math.Abs(v) <= 2) || v == before[i] {
				t.Fatalf("chain %d went from %v to %v", i, before[i], v)
			}
		}
	}
}

func TestTheCPULoadEndsWithItsContext(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- cpuLoad(2)(ctx) }()
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if after := runtime.GOMAXPROCS(0); after != before {
		t.Errorf("it leaves Go with %d threads instead of %d", after, before)
	}
}
