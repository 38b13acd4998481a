package bandwidth

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"headroom/sensors"
)

// The measurement reads a buffer beyond all but the largest caches, for long enough to pass over it several times.
const (
	span      = 100 * time.Millisecond
	largest   = 256 << 20
	smallest  = 32 << 20
	share     = 16
	chunk     = 1 << 17
	bytesEach = 8
)

// BytesPerSecond is the unit of a bandwidth.
const BytesPerSecond sensors.Unit = "B/s"

// RAM reads a buffer with all threads for a tenth of a second and gives the bandwidth reached, in bytes a second: what
// plain loads reach, which is a floor of what kernels made for it do. The buffer takes a sixteenth of the available bytes at
// most; with too little of them nothing is measured, and the Reading says so.
func RAM(ctx context.Context, available uint64) sensors.Reading {
	const id, kind = "memory/bandwidth", "memory"
	size := min(available/share, largest)
	if size < smallest {
		return sensors.Missing(id, kind, BytesPerSecond, sensors.StateNotOffered, "read in memory",
			fmt.Sprintf("not measured: %d bytes of free memory are too little to read from", available))
	}
	threads := runtime.GOMAXPROCS(0)
	rate, passes := measure(ctx, int(size), threads, span)
	if err := ctx.Err(); err != nil {
		return sensors.Missing(id, kind, BytesPerSecond, sensors.StateError, "read in memory", "not measured: "+err.Error())
	}
	return sensors.Reading{
		ID: id, Kind: kind, Value: sensors.Num(math.Trunc(rate)), Unit: BytesPerSecond, State: sensors.StateOK, Source: "read in memory",
		Detail: fmt.Sprintf("%d threads over %d MiB, %.1f times in %v", threads, size>>20, passes, span), At: time.Now(),
	}
}

// measure reads size bytes over and over with some threads for a while, and gives bytes a second and how many times over.
func measure(ctx context.Context, size, threads int, during time.Duration) (rate, passes float64) {
	buffer := make([]uint64, size/bytesEach)
	parts := make([][]uint64, threads)
	for i := range parts {
		parts[i] = buffer[i*len(buffer)/threads : (i+1)*len(buffer)/threads]
	}
	counts, sums := make([]uint64, threads), make([]uint64, threads)
	each(threads, func(i int) {
		for j := range parts[i] {
			parts[i][j] = uint64(j)
		}
	})
	begin := time.Now()
	each(threads, func(i int) {
		for time.Since(begin) < during && ctx.Err() == nil {
			for rest := parts[i]; len(rest) > 0 && time.Since(begin) < during; {
				n := min(chunk, len(rest))
				sums[i] += sum(rest[:n])
				counts[i] += uint64(n) * bytesEach
				rest = rest[n:]
			}
		}
	})
	elapsed := time.Since(begin).Seconds()
	var total, kept uint64
	for i := range counts {
		total += counts[i]
		kept += sums[i]
	}
	// The sums are used, so that the reading is not optimised away.
	runtime.KeepAlive(kept)
	return float64(total) / elapsed, float64(total) / float64(size)
}

// each runs work once on every thread and waits for all.
func each(threads int, work func(i int)) {
	var wait sync.WaitGroup
	for i := range threads {
		wait.Go(func() { work(i) })
	}
	wait.Wait()
}

// sum adds with four accumulators, so that loads and not additions set the pace.
func sum(s []uint64) uint64 {
	var a, b, c, d uint64
	for len(s) >= 8 {
		a += s[0] + s[4]
		b += s[1] + s[5]
		c += s[2] + s[6]
		d += s[3] + s[7]
		s = s[8:]
	}
	for _, v := range s {
		a += v
	}
	return a + b + c + d
}
