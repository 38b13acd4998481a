package sensors

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// scripted is a source whose answer a test decides.
type scripted struct {
	key    string
	clock  TimeSource
	answer atomic.Pointer[func() Reading]
	reads  atomic.Int64
}

func newScripted(key string, answer func() Reading) *scripted {
	f := &scripted{key: key}
	f.set(answer)
	return f
}

func (f *scripted) set(answer func() Reading) { f.answer.Store(&answer) }

func (f *scripted) source() source {
	return source{key: f.key, read: func(context.Context) part {
		f.reads.Add(1)
		r := (*f.answer.Load())()
		r.ID, r.At = f.key, f.clock.Now()
		return part{Sample: Sample{Temperatures: []Temperature{{Value: r, Crit: got(f.key+"/crit", "limit", Celsius, "", r.At, 100)}}}}
	}}
}

func good(v float64) func() Reading {
	return func() Reading { return got("", "temperature", Celsius, "", time.Time{}, v) }
}

// faultPoller reads two scripted sources.
func faultPoller(clock TimeSource, sources ...*scripted) *Poller {
	e := &env{counters: newCounters(), clock: clock}
	found := part{}
	for _, s := range sources {
		s.clock = clock
		found.found = append(found.found, s.source())
	}
	scan := source{key: "scan", read: func(context.Context) part { return found }}
	return newPoller(Options{Clock: clock, Deadline: defaultDeadline}, e, []source{scan})
}

// TestHang holds that a source that hangs turns stale and then unknown while the other goes on, that it is not started
// again, and that it recovers by itself.
func TestHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		hangs, runs := newScripted("hangs", good(50)), newScripted("runs", good(40))
		p := faultPoller(systemClock{}, hangs, runs)
		first := p.sample(t.Context())
		want(t, first, "hangs", Num(50), StateOK)
		hangs.set(func() Reading { <-release; return good(60)() })

		start := time.Now()
		before := runtime.NumGoroutine()
		var states []string
		for i := range 15 {
			s := p.sample(t.Context())
			r := reading(t, s, "hangs")
			states = append(states, r.State.String())
			if r.State == StateStale && (!r.At.Equal(reading(t, first, "hangs").At) || r.Value != Num(50)) {
				t.Errorf("the stale value is %v of %v", r.Value, r.At)
			}
			if r.State != StateOK && !strings.Contains(r.Detail, "no answer") {
				t.Errorf("the detail is %q", r.Detail)
			}
			want(t, s, "runs", Num(40), StateOK)
			want(t, s, "source/hangs", unknown, StateStale)
			if i == 0 {
				// Only the round in which it began to hang waited for it.
				if waited := time.Since(start); waited != 900*time.Millisecond {
					t.Errorf("the round took %v", waited)
				}
			}
			time.Sleep(time.Second - time.Since(start)%time.Second)
		}
		if got, w := strings.Join(states, " "), strings.Repeat("stale ", 11)+"error error error error"; got != w {
			t.Errorf("the states are %s, want %s", got, w)
		}
		if n := hangs.reads.Load(); n != 2 {
			t.Errorf("the source was started %d times, want 2", n)
		}
		if n := runtime.NumGoroutine() - before; n > 1 {
			t.Errorf("%d goroutines more than before", n)
		}
		hangs.set(good(61))
		close(release)
		synctest.Wait()
		p.sample(t.Context())
		s := p.sample(t.Context())
		want(t, s, "hangs", Num(61), StateOK)
		if len(s.SourceFailures) != 0 {
			t.Errorf("failures are %+v", s.SourceFailures)
		}
	})
}

// TestPanic holds the same for a source that panics.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad, runs := newScripted("bad", good(50)), newScripted("runs", good(40))
		p := faultPoller(systemClock{}, bad, runs)
		p.sample(t.Context())
		bad.set(func() Reading { panic("index out of range") })
		time.Sleep(time.Second)
		s := p.sample(t.Context())
		if r := want(t, s, "bad", Num(50), StateStale); !strings.Contains(r.Detail, "index out of range") {
			t.Errorf("the detail is %q", r.Detail)
		}
		want(t, s, "runs", Num(40), StateOK)
		want(t, s, "source/bad", unknown, StateError)
		time.Sleep(staleFor)
		want(t, p.sample(t.Context()), "bad", unknown, StateError)
		bad.set(good(52))
		want(t, p.sample(t.Context()), "bad", Num(52), StateOK)
	})
}

// TestPanicAtOnce holds that a source that never answered is named.
func TestPanicAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := newScripted("bad", func() Reading { panic("boom") })
		s := faultPoller(systemClock{}, bad).sample(t.Context())
		want(t, s, "source/bad", unknown, StateError)
	})
}

// TestGarbage holds that one nonsensical answer is no news, and a lasting one is.
func TestGarbage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := newScripted("x", good(50))
		p := faultPoller(systemClock{}, src)
		p.sample(t.Context())
		nonsense := func() Reading { return implausible("", "temperature", Celsius, "", time.Time{}, 65261, "absurd") }
		src.set(nonsense)
		time.Sleep(time.Second)
		if r := want(t, p.sample(t.Context()), "x", Num(50), StateStale); !strings.Contains(r.Detail, "65261") {
			t.Errorf("the detail is %q", r.Detail)
		}
		src.set(good(51))
		time.Sleep(time.Second)
		want(t, p.sample(t.Context()), "x", Num(51), StateOK)
		src.set(nonsense)
		var states []string
		for range 12 {
			time.Sleep(time.Second)
			states = append(states, reading(t, p.sample(t.Context()), "x").State.String())
		}
		if got, w := strings.Join(states, " "), strings.Repeat("stale ", 10)+"implausible implausible"; got != w {
			t.Errorf("the states are %s, want %s", got, w)
		}
	})
}

// TestPermissionIsNotStale holds that what is refused, absent or asleep is so at once.
func TestPermissionIsNotStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, state := range []State{StateNeedsPermission, StateNotOffered, StateAsleep} {
			src := newScripted("x", good(50))
			p := faultPoller(systemClock{}, src)
			p.sample(t.Context())
			src.set(func() Reading { return Missing("", "temperature", Celsius, state, "", "why") })
			time.Sleep(time.Second)
			want(t, p.sample(t.Context()), "x", unknown, state)
		}
	})
}

// TestRunKeepsItsRate holds that a source that hangs costs the rate nothing but its first deadline.
func TestRunKeepsItsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		hangs := newScripted("hangs", func() Reading { <-release; return Reading{} })
		p := faultPoller(systemClock{}, hangs)
		start := time.Now()
		var at []time.Duration
		err := p.Run(t.Context(), func(Sample) {
			at = append(at, time.Since(start))
			if len(at) == 4 {
				p.Close()
			}
		})
		if err != nil {
			t.Error(err)
		}
		if got, w := fmt.Sprint(at), "[900ms 1s 2s 3s]"; got != w {
			t.Errorf("samples came at %s, want %s", got, w)
		}
	})
}

func TestRunEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		err := faultPoller(systemClock{}, newScripted("x", good(50))).Run(ctx, func(Sample) {
			if n++; n == 2 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || n != 2 {
			t.Errorf("after %d samples: %v", n, err)
		}
	})
}

func TestSetInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := faultPoller(systemClock{}, newScripted("x", good(50)))
		start := time.Now()
		var at []time.Duration
		_ = p.Run(t.Context(), func(Sample) {
			at = append(at, time.Since(start))
			switch len(at) {
			case 2:
				p.SetInterval(5 * time.Second)
			case 3:
				p.SetInterval(time.Nanosecond)
			case 5:
				p.Close()
			}
		})
		if got, w := fmt.Sprint(at), "[0s 1s 6s 6.05s 6.1s]"; got != w {
			t.Errorf("samples came at %s, want %s", got, w)
		}
	})
}

// TestClockJumpsBack holds that a clock that was set back neither stops the samples nor makes a value look fresh.
func TestClockJumpsBack(t *testing.T) {
	clock := newStepClock()
	src := newScripted("x", good(50))
	p := faultPoller(clock, src)
	p.sample(t.Context())
	src.set(func() Reading { panic("gone") })
	clock.step(-time.Hour)
	want(t, p.sample(t.Context()), "x", unknown, StateError)
	src.set(good(51))
	want(t, p.sample(t.Context()), "x", Num(51), StateOK)
}

// TestSleepOfMachine holds that a counter's difference over a night gives no power, that the next one does, and that the
// folders are looked at anew.
func TestSleepOfMachine(t *testing.T) {
	const energy = "sys/class/powercap/intel-rapl:0/energy_uj"
	root := tree(t, join(raplZone("intel-rapl:0", "package-0", files{"energy_uj": "900000000\n", "max_energy_range_uj": "262143328850\n"}), hwmon(2, "coretemp", files{"temp1_label": "Package id 0\n", "temp1_input": "45000\n"})))
	clock := newStepClock()
	p := NewPoller(Options{Sysroot: root, Clock: clock})
	p.env.rescan = 24 * time.Hour
	p.sample(t.Context())
	step := func(d time.Duration, uj string) Sample {
		write(t, root, files{energy: uj + "\n"})
		clock.step(d)
		return p.sample(t.Context())
	}
	want(t, step(time.Second, "910000000"), "powercap/package-0/draw", Num(10000), StateOK)
	// The label appears only now: nobody would look for it but for the night.
	write(t, root, files{"sys/class/hwmon/hwmon2/temp2_label": "Core 0\n", "sys/class/hwmon/hwmon2/temp2_input": "44000\n"})
	s := step(8*time.Hour, "5000000")
	want(t, s, "powercap/package-0/draw", unknown, StateNotOffered)
	want(t, s, "hwmon/coretemp/Core 0", Num(44), StateOK)
	want(t, step(time.Second, "25000000"), "powercap/package-0/draw", Num(20000), StateOK)
}

// TestRenumbering holds that sensors keep their IDs and are never taken for one another when folders change numbers between
// two rounds.
func TestRenumbering(t *testing.T) {
	pkg := files{"temp1_label": "Package id 0\n", "temp1_input": "45000\n", "temp1_crit": "100000\n"}
	drive := files{"temp1_label": "Composite\n", "temp1_input": "31000\n", "temp1_crit": "85000\n"}
	root := tree(t, join(hwmon(2, "coretemp", pkg), hwmon(3, "nvme", drive)))
	clock := newStepClock()
	p := NewPoller(Options{Sysroot: root, Clock: clock})
	p.env.rescan = 24 * time.Hour
	p.sample(t.Context())
	// The numbers change places: the list of names is the same.
	write(t, root, join(hwmon(3, "coretemp", pkg), hwmon(2, "nvme", drive)))
	clock.step(time.Second)
	s := p.sample(t.Context())
	want(t, s, "hwmon/coretemp/Package id 0", Num(45), StateStale)
	want(t, s, "hwmon/nvme/Composite", Num(31), StateStale)
	clock.step(time.Second)
	s = p.sample(t.Context())
	if r := want(t, s, "hwmon/coretemp/Package id 0", Num(45), StateOK); !strings.Contains(r.Source, "hwmon3") {
		t.Errorf("the source is %s", r.Source)
	}
	want(t, s, "hwmon/nvme/Composite", Num(31), StateOK)
	// A number nobody had.
	remove(t, root, "sys/class/hwmon/hwmon2")
	write(t, root, hwmon(7, "nvme", drive))
	clock.step(time.Second)
	want(t, p.sample(t.Context()), "hwmon/nvme/Composite", Num(31), StateOK)
}

// TestUnplugged holds that a battery that is taken out is gone with the next round, and comes back.
func TestUnplugged(t *testing.T) {
	pack := supply("BAT0", "Battery", files{"status": "Discharging\n", "energy_now": "40000000\n"})
	root := tree(t, join(pack, supply("AC", "Mains", files{"online": "0\n"})))
	clock := newStepClock()
	p := NewPoller(Options{Sysroot: root, Clock: clock})
	p.env.rescan = 24 * time.Hour
	for _, n := range []int{1, 0, 1} {
		if n == 0 {
			remove(t, root, "sys/class/power_supply/BAT0")
		} else {
			write(t, root, pack)
		}
		if s := p.sample(t.Context()); len(s.Batteries) != n {
			t.Errorf("%d packs are listed, want %d", len(s.Batteries), n)
		}
		clock.step(time.Second)
	}
	write(t, root, supply("AC", "Mains", files{"online": "1\n"}))
	want(t, p.sample(t.Context()), "mains", Num(1), StateOK)
}
