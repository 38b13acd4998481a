package sensors

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var okProbe = Reading{ID: adaptersID, Kind: "gpu", Value: Num(1), State: StateOK, Source: "WebGPU"}

// probePoller probes as probe says and reads nothing else.
func probePoller(opts Options) *Poller {
	opts.Clock, opts.Deadline = systemClock{}, defaultDeadline
	return newPoller(opts, &env{counters: newCounters(), clock: opts.Clock}, nil)
}

func TestProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		p := probePoller(Options{Probe: func(context.Context) ([]Adapter, Reading) {
			calls.Add(1)
			time.Sleep(3 * time.Second)
			return []Adapter{{Name: "X"}}, okProbe
		}})
		// A first sample does not wait for it, a single one does.
		s := p.sample(t.Context())
		if len(s.Adapters) != 0 || s.AdaptersState.State != StateError || s.AdaptersState.Detail == "" {
			t.Errorf("before the answer: %+v, %+v", s.Adapters, s.AdaptersState)
		}
		s = p.Once(t.Context())
		if len(s.Adapters) != 1 || s.AdaptersState.State != StateOK || calls.Load() != 1 {
			t.Errorf("after %d calls: %+v, %+v", calls.Load(), s.Adapters, s.AdaptersState)
		}
		time.Sleep(time.Minute)
		p.sample(t.Context())
		p.Refresh()
		p.sample(t.Context())
		synctest.Wait()
		if calls.Load() != 2 {
			t.Errorf("probed %d times, want once more on request", calls.Load())
		}
		time.Sleep(time.Minute)
	})
}

func TestProbeEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		p := probePoller(Options{ProbeEvery: 3 * time.Second, Probe: func(context.Context) ([]Adapter, Reading) {
			calls.Add(1)
			return nil, okProbe
		}})
		for range 10 {
			p.sample(t.Context())
			synctest.Wait()
			time.Sleep(time.Second)
		}
		if calls.Load() != 4 {
			t.Errorf("probed %d times in 10 s, want 4", calls.Load())
		}
	})
}

// TestProbeFails holds that adapters outlive a failed probe for a while, that it is tried again, and that it recovers.
func TestProbeFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := func() ([]Adapter, Reading) { return []Adapter{{Name: "X"}}, okProbe }
		p := probePoller(Options{Probe: func(context.Context) ([]Adapter, Reading) { return answer() }})
		once := func() Sample {
			p.sample(t.Context())
			synctest.Wait()
			return p.sample(t.Context())
		}
		once()
		answer = func() ([]Adapter, Reading) {
			return nil, Missing(adaptersID, "gpu", Count, StateError, "WebGPU", "the child died")
		}
		p.Refresh()
		s := once()
		if len(s.Adapters) != 1 || s.AdaptersState.State != StateStale {
			t.Errorf("after a failure: %+v, %+v", s.Adapters, s.AdaptersState)
		}
		time.Sleep(adaptersFor + time.Second)
		s = once()
		if len(s.Adapters) != 0 || s.AdaptersState.State != StateError {
			t.Errorf("after a minute of failures: %+v, %+v", s.Adapters, s.AdaptersState)
		}
		answer = func() ([]Adapter, Reading) { return []Adapter{{Name: "X"}}, okProbe }
		time.Sleep(8 * probeAgain)
		s = once()
		if len(s.Adapters) != 1 || s.AdaptersState.State != StateOK {
			t.Errorf("after recovery: %+v, %+v", s.Adapters, s.AdaptersState)
		}
	})
}

func TestProbePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := probePoller(Options{Probe: func(context.Context) ([]Adapter, Reading) { panic("boom") }})
		s := p.Once(t.Context())
		if s.AdaptersState.State != StateError || s.AdaptersState.Detail == "" {
			t.Errorf("the state is %+v", s.AdaptersState)
		}
	})
}

// A driver that fails leaves the adapters of the others, which are news however few they are.
func TestProbeThatLacksADriver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, state := []Adapter{{Name: "X"}, {Name: "Y"}}, okProbe
		p := probePoller(Options{Probe: func(context.Context) ([]Adapter, Reading) { return list, state }})
		p.Once(t.Context())
		list = list[:1]
		state.State, state.Detail = StateError, "driver Y is left out"
		p.Refresh()
		p.sample(t.Context())
		synctest.Wait()
		if s := p.sample(t.Context()); len(s.Adapters) != 1 || s.AdaptersState.State != StateError || s.AdaptersState.Detail != state.Detail {
			t.Errorf("got %+v, %+v", s.Adapters, s.AdaptersState)
		}
	})
}

func TestProbeHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var calls atomic.Int64
		p := probePoller(Options{Probe: func(context.Context) ([]Adapter, Reading) { calls.Add(1); <-release; return nil, okProbe }})
		start := time.Now()
		s := p.Once(t.Context())
		if waited := time.Since(start); waited != probePatience || s.AdaptersState.State != StateError {
			t.Errorf("after %v: %+v", waited, s.AdaptersState)
		}
		for range 5 {
			p.Refresh()
			p.sample(t.Context())
		}
		if calls.Load() != 1 {
			t.Errorf("a probe that hangs was started %d times", calls.Load())
		}
		close(release)
	})
}

// TestCardWakes holds that the adapters are listed again when a card appears or wakes.
func TestCardWakes(t *testing.T) {
	root := tree(t, drmCard("card1", "amdgpu", "0000:03:00.0", files{"power/runtime_status": "suspended\n"}))
	probed := make(chan struct{}, 10)
	clock := newStepClock()
	p := NewPoller(Options{Sysroot: root, Clock: clock, Probe: func(context.Context) ([]Adapter, Reading) {
		probed <- struct{}{}
		return nil, okProbe
	}})
	p.Once(t.Context())
	<-probed
	p.Once(t.Context())
	if len(probed) != 0 {
		t.Error("probed though nothing changed")
	}
	write(t, root, files{"sys/class/drm/card1/device/power/runtime_status": "active\n"})
	p.sample(t.Context())
	p.sample(t.Context())
	<-probed
}
