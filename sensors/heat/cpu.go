package heat

import (
	"context"
	"runtime"
	"sync"
)

// load works until ctx ends; an error says why it could not.
type load func(ctx context.Context) error

// spareThreads are the threads that Go gets beside the busy ones: the sensors must be read in time.
const spareThreads = 2

// cpuLoad keeps that many threads of the CPU doing arithmetic.
func cpuLoad(threads int) load {
	return func(ctx context.Context) error {
		before := runtime.GOMAXPROCS(0)
		runtime.GOMAXPROCS(max(before, threads) + spareThreads)
		defer runtime.GOMAXPROCS(before)
		var busy sync.WaitGroup
		for range threads {
			busy.Go(func() { calculate(ctx) })
		}
		busy.Wait()
		return nil
	}
}

// calculate keeps one thread busy. The thread is never given back: its low priority, which leaves the machine usable, cannot
// be raised again.
func calculate(ctx context.Context) {
	runtime.LockOSThread()
	giveWay()
	x := chains{0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19, 0.20, 0.21, 0.22}
	for ctx.Err() == nil {
		x = x.iterate(roundsBetween)
	}
	runtime.KeepAlive(x)
}

// roundsBetween is how many rounds are calculated before ctx is looked at: well under a millisecond.
const roundsBetween = 20_000

// chains are numbers that do not wait for one another, enough to keep the multipliers and adders of a core busy.
type chains [12]float64

// iterate takes each number n times from x to x² − c, which stays between −2 and 2 and never settles: the circuits see new
// bits each time.
func (x chains) iterate(n int) chains {
	const c = 1.9
	x0, x1, x2, x3, x4, x5 := x[0], x[1], x[2], x[3], x[4], x[5]
	x6, x7, x8, x9, x10, x11 := x[6], x[7], x[8], x[9], x[10], x[11]
	for range n {
		x0 = x0*x0 - c
		x1 = x1*x1 - c
		x2 = x2*x2 - c
		x3 = x3*x3 - c
		x4 = x4*x4 - c
		x5 = x5*x5 - c
		x6 = x6*x6 - c
		x7 = x7*x7 - c
		x8 = x8*x8 - c
		x9 = x9*x9 - c
		x10 = x10*x10 - c
		x11 = x11*x11 - c
	}
	return chains{x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11}
}
