package trace

import (
	"context"
	"runtime"
	"sync"

	"headroom/sensors"
)

// The samples looked through for a change are shared out in stretches, small ones first: most changes are near.
const (
	leastStretch = 64
	mostStretch  = 8192
)

// stretch is a run of samples and what was decided in it.
type stretch struct {
	first, end int
	// known is whether a sample of it could be read; from and to are the first and the last decision.
	known    bool
	from, to any
	// change is the first sample that is decided otherwise than the stretch's first one; 0 for none.
	change int
	err    error
}

// stretches shares out the samples from first up to, and without, end.
func stretches(first, end int) []stretch {
	var list []stretch
	for n := leastStretch; first < end; n = min(2*n, mostStretch) {
		list = append(list, stretch{first: first, end: min(first+n, end)})
		first += n
	}
	return list
}

// firstChange is the first sample from start on, before end, that is decided otherwise than the one at start; end where
// there is none. All processors look, each at a stretch of its own. told, which may be nil, hears the share that is done.
func firstChange(ctx context.Context, t Track, start, end int, decide func(i int, s sensors.Sample) any, told func(float64)) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	list := stretches(start, end)
	next := make(chan int)
	done := make([]chan struct{}, len(list))
	for k := range done {
		done[k] = make(chan struct{})
	}
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	workers.Go(func() {
		defer close(next)
		for k := range list {
			select {
			case next <- k:
			case <-ctx.Done():
				return
			}
		}
	})
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		workers.Go(func() {
			for k := range next {
				list[k].look(ctx, t, decide)
				close(done[k])
			}
		})
	}
	var now any
	known := false
	for k := range list {
		select {
		case <-done[k]:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		switch s := &list[k]; {
		case s.err != nil:
			return 0, s.err
		case !s.known:
		case known && s.from != now:
			return s.first, nil
		case s.change > 0:
			return s.change, nil
		default:
			now, known = s.to, true
		}
		if told != nil {
			told(float64(list[k].end-start) / float64(end-start))
		}
	}
	return end, nil
}

// look decides the stretch's samples up to the first change.
func (s *stretch) look(ctx context.Context, t Track, decide func(i int, s sensors.Sample) any) {
	err := Each(t, s.first, s.end, func(i int, sample sensors.Sample) bool {
		if s.err = ctx.Err(); s.err != nil {
			return false
		}
		answer := decide(i, sample)
		switch {
		case !s.known:
			s.from, s.known, s.first = answer, true, i
		case answer != s.from:
			s.change = i
			return false
		}
		s.to = answer
		return true
	})
	if s.err == nil {
		s.err = err
	}
}
