package policy_test

import (
	"runtime"
	"slices"
	"testing"
)

// duel runs a plain function and the policy's over the same items in turn within one round, so that both meet the same
// machine; which of them begins changes from round to round. It reports each one's median in ns of processor time an item,
// and how many times as fast the policy's is: the median of the pairs.
func duel[T any](b *testing.B, items []T, plain, fast func([]T)) {
	var slow, quick, times []float64
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b.ReportAllocs()
	for b.Loop() {
		var p, f float64
		if len(times)%2 == 0 {
			p, f = perItem(plain, items), perItem(fast, items)
		} else {
			f, p = perItem(fast, items), perItem(plain, items)
		}
		slow, quick, times = append(slow, p), append(quick, f), append(times, p/f)
	}
	b.ReportMetric(median(slow), "ns/plain")
	b.ReportMetric(median(quick), "ns/fast")
	b.ReportMetric(median(times), "x")
}

// perItem times enough rounds that the clock's own cost is lost in them. It counts the time on the processor: on a busy
// machine the waits for it would fall on whichever function has used up the thread's turn.
func perItem[T any](f func([]T), items []T) float64 {
	rounds := max(1, 1<<16/len(items))
	start := onProcessor()
	for range rounds {
		f(items)
	}
	return float64((onProcessor() - start).Nanoseconds()) / float64(rounds*len(items))
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
