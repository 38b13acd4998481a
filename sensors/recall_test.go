package sensors

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// recalling is a tree with one card of that driver whose adapter an earlier run listed, and counts its probes.
func recalling(t *testing.T, f files, a Adapter) (*Poller, *atomic.Int64, chan struct{}) {
	t.Helper()
	var probes atomic.Int64
	answer := make(chan struct{})
	p := NewPoller(Options{
		Sysroot: tree(t, f), Clock: newStepClock(),
		Recall: func() ([]Adapter, Reading, bool) {
			return []Adapter{a}, Reading{ID: adaptersID, Kind: "gpu", Value: Num(1), State: StateOK, Source: "WebGPU", Detail: "listed 3 min ago"}, true
		},
		Probe: func(context.Context) ([]Adapter, Reading) {
			probes.Add(1)
			<-answer
			fresh := a
			fresh.VRAMBudget = Num(1 << 30)
			return []Adapter{fresh}, okProbe
		},
	})
	return p, &probes, answer
}

var (
	vramTold   = files{"mem_info_vram_total": "8589934592\n", "mem_info_vram_used": "1073741824\n"}
	vramUntold = files{}
)

// A single sample is spared the probe only where it knows as much without.
func TestASingleSampleUsesWhatAnEarlierRunListed(t *testing.T) {
	for _, c := range []struct {
		name    string
		card    files
		adapter Adapter
		probes  int64
	}{
		{"the kernel tells the card's free memory", vramTold, Adapter{Type: "discrete", PCI: "0000:03:00.0"}, 0},
		{"only the probe tells it", vramUntold, Adapter{Type: "discrete", PCI: "0000:03:00.0"}, 1},
		{"the kernel tells that of another card", vramTold, Adapter{Type: "discrete", PCI: "0000:04:00.0"}, 1},
		{"which card it is is not known", vramTold, Adapter{Type: "discrete"}, 1},
		{"a virtual one", vramUntold, Adapter{Type: "virtual", PCI: "0000:03:00.0"}, 1},
		{"one that uses RAM", vramUntold, Adapter{Type: "integrated", PCI: "0000:03:00.0"}, 0},
		{"one in software", vramUntold, Adapter{Type: "cpu"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, probes, answer := recalling(t, drmCard("card1", "amdgpu", "0000:03:00.0", c.card), c.adapter)
			close(answer)
			s := p.Once(t.Context())
			if probes.Load() != c.probes {
				t.Errorf("probed %d times, want %d", probes.Load(), c.probes)
			}
			if len(s.Adapters) != 1 || s.AdaptersState.State != StateOK || s.Adapters[0].VRAMBudget.Known() != (c.probes > 0) {
				t.Errorf("the adapters are %+v, %+v", s.Adapters, s.AdaptersState)
			}
		})
	}
}

func TestARefreshDoesNotRecall(t *testing.T) {
	p, probes, answer := recalling(t, drmCard("card1", "amdgpu", "0000:03:00.0", vramTold), Adapter{Type: "discrete", PCI: "0000:03:00.0"})
	close(answer)
	p.Refresh()
	if s := p.Once(t.Context()); probes.Load() != 1 || !s.Adapters[0].VRAMBudget.Known() {
		t.Errorf("after %d probes: %+v", probes.Load(), s.Adapters)
	}
}

// Rounds show what an earlier run listed until the probe has answered; what failed since is not covered up by it.
func TestRoundsShowWhatAnEarlierRunListedUntilTheProbeAnswers(t *testing.T) {
	p, probes, answer := recalling(t, drmCard("card1", "amdgpu", "0000:03:00.0", vramTold), Adapter{Type: "discrete", PCI: "0000:03:00.0"})
	for range 2 {
		s := p.sample(t.Context())
		if len(s.Adapters) != 1 || s.AdaptersState.Detail != "listed 3 min ago" {
			t.Fatalf("before the answer: %+v, %+v", s.Adapters, s.AdaptersState)
		}
	}
	close(answer)
	p.await(t.Context(), p.probe, probePatience)
	s := p.sample(t.Context())
	if probes.Load() != 1 || s.AdaptersState != okProbeAt(s) || !s.Adapters[0].VRAMBudget.Known() {
		t.Errorf("after %d probes: %+v, %+v", probes.Load(), s.Adapters, s.AdaptersState)
	}
}

func okProbeAt(s Sample) Reading {
	r := okProbe
	r.At = s.AdaptersState.At
	return r
}

func TestAProbeThatFailsIsNotCoveredUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := probePoller(Options{
			Recall: func() ([]Adapter, Reading, bool) { return []Adapter{{Type: "cpu"}}, okProbe, true },
			Probe: func(context.Context) ([]Adapter, Reading) {
				return nil, Missing(adaptersID, "gpu", Count, StateError, "WebGPU", "the child died")
			},
		})
		if s := p.sample(t.Context()); len(s.Adapters) != 1 {
			t.Errorf("at first: %+v, %+v", s.Adapters, s.AdaptersState)
		}
		synctest.Wait()
		if s := p.sample(t.Context()); len(s.Adapters) != 0 || s.AdaptersState.Detail != "the child died" {
			t.Errorf("after the failure: %+v, %+v", s.Adapters, s.AdaptersState)
		}
	})
}

// A card that wakes has the list made anew: an earlier run's lacks nothing then, but may soon.
func TestACardThatWakesForgetsTheEarlierList(t *testing.T) {
	p, _, answer := recalling(t, drmCard("card1", "amdgpu", "0000:03:00.0", vramTold), Adapter{Type: "discrete", PCI: "0000:03:00.0"})
	defer close(answer)
	if s := p.sample(t.Context()); len(s.Adapters) != 1 {
		t.Fatalf("at first: %+v", s.AdaptersState)
	}
	write(t, p.opts.Sysroot, drmCard("card2", "xe", "0000:05:00.0", files{}))
	if s := p.sample(t.Context()); len(s.Adapters) != 0 {
		t.Errorf("with another card: %+v, %+v", s.Adapters, s.AdaptersState)
	}
}

// A disk that hangs costs the list of the earlier run, and a bounded wait.
func TestRecallingThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		p := probePoller(Options{
			Recall: func() ([]Adapter, Reading, bool) { <-release; return nil, Reading{}, false },
			Probe:  func(context.Context) ([]Adapter, Reading) { return []Adapter{{Name: "X"}}, okProbe },
		})
		start := time.Now()
		s := p.Once(t.Context())
		if waited := time.Since(start); waited > 2*defaultDeadline || len(s.Adapters) != 1 || s.Adapters[0].Name != "X" {
			t.Errorf("after %v: %+v, %+v", waited, s.Adapters, s.AdaptersState)
		}
		close(release)
	})
}

// A counter that moves seldom gets the time that it needs, one that moves at once does not cost it.
func TestCountersAreWaitedForAsLongAsTheyNeed(t *testing.T) {
	for _, c := range []struct {
		name  string
		moves int // with which wait
		waits int
	}{{"at once", 1, 1}, {"seldom", 2, 2}} {
		t.Run(c.name, func(t *testing.T) {
			root := tree(t, raplZone("intel-rapl:0", "package-0", join(longTerm("28000000"), files{"energy_uj": "1000000\n", "max_energy_range_uj": "262143328850\n"})))
			clock := newStepClock()
			waits := 0
			clock.wait = func() {
				if waits++; waits == c.moves {
					write(t, root, files{"sys/class/powercap/intel-rapl:0/energy_uj": "3500000\n"})
				}
			}
			s := NewPoller(Options{Sysroot: root, Clock: clock}).Once(t.Context())
			if r := reading(t, s, "powercap/package-0/draw"); r.State != StateOK || waits != c.waits {
				t.Errorf("after %d waits the draw is %+v", waits, r)
			}
		})
	}
}
