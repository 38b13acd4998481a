package heat

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"headroom/sensors"
)

// clock is a clock that a test moves.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	alarms map[chan time.Time]time.Time
}

func newClock() *clock { return &clock{now: noon, alarms: map[chan time.Time]time.Time{}} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	c.alarms[ch] = c.now.Add(d)
	return ch
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for ch, at := range c.alarms {
		if !at.After(c.now) {
			ch <- c.now
			delete(c.alarms, ch)
		}
	}
}

// machine is a Source that says what a test tells it to.
type machine struct {
	first   sensors.Sample
	samples chan sensors.Sample
}

func (m *machine) Once(context.Context) sensors.Sample { return m.first }

func (m *machine) Run(ctx context.Context, emit func(sensors.Sample)) error {
	for {
		select {
		case s := <-m.samples:
			emit(s)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// stage is a load under test, whose world is the test's.
type stage struct {
	*heater
	clock   *clock
	machine *machine
	working atomic.Bool
	fail    chan error
	father  atomic.Int64
}

func newStage(o Options, first sensors.Sample) *stage {
	s := &stage{clock: newClock(), machine: &machine{first: first, samples: make(chan sensors.Sample)}, fail: make(chan error)}
	s.father.Store(7)
	s.heater = &heater{
		Options: o, from: s.machine, clock: s.clock, parent: func() int { return int(s.father.Load()) },
		loads: func(sensors.Sample) ([]load, error) { return []load{s.work}, nil },
	}
	return s
}

func (s *stage) work(ctx context.Context) error {
	s.working.Store(true)
	defer s.working.Store(false)
	select {
	case err := <-s.fail:
		return err
	case <-ctx.Done():
		return nil
	}
}

// begin starts the load and waits until it runs.
func (s *stage) begin(t *testing.T, ctx context.Context) *Running {
	t.Helper()
	r := s.start(ctx)
	t.Cleanup(r.Stop)
	if st := <-r.Status(); st.Phase != Heating {
		t.Fatalf("it did not begin: %+v", st)
	}
	s.round(t, r, s.machine.first)
	return r
}

// round has the sensors say that, and gives the Status that follows.
func (s *stage) round(t *testing.T, r *Running, sample sensors.Sample) Status {
	t.Helper()
	s.machine.samples <- sample
	return <-r.Status()
}

// ending reads to the last Status and checks that the load was over by then.
func (s *stage) ending(t *testing.T, r *Running, phase Phase, why Reason) Status {
	t.Helper()
	var last Status
	for st := range r.Status() {
		last = st
		if st.Phase != Heating && s.working.Load() {
			t.Error("the end is told while the load still runs")
		}
	}
	if last.Phase != phase || last.Reason != why || last.Words == "" {
		t.Fatalf("it ended as %s for %q (%s), not %s for %q", last.Phase, last.Reason, last.Words, phase, why)
	}
	return last
}

var minute = Options{CPU: 1, For: time.Minute}

func TestALoadEndsAtItsTime(t *testing.T) {
	s := newStage(minute, laptop(60))
	r := s.begin(t, t.Context())
	for i := range 59 {
		s.clock.advance(time.Second)
		if st := s.round(t, r, laptop(70)); st.Elapsed != float64(i+1) || st.Left != float64(59-i) {
			t.Fatalf("after %d s it says %v s, %v s left", i+1, st.Elapsed, st.Left)
		}
	}
	s.clock.advance(time.Second)
	if st := s.ending(t, r, Ended, ReasonTime); st.Left != 0 || st.Elapsed != 60 {
		t.Errorf("at its end it says %v s, %v s left", st.Elapsed, st.Left)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

// Its time holds even when the sensors say nothing more.
func TestInsistingOnSilentSensorsStillEndsAtItsTime(t *testing.T) {
	o := minute
	o.Insist = true
	s := newStage(o, sensors.Sample{Time: noon})
	r := s.begin(t, t.Context())
	s.clock.advance(silentPatience)
	s.clock.advance(time.Minute)
	s.ending(t, r, Ended, ReasonTime)
}

func TestALoadEndsWhenTheSensorsFallSilent(t *testing.T) {
	s := newStage(minute, laptop(60))
	r := s.begin(t, t.Context())
	s.clock.advance(silentPatience - time.Millisecond)
	s.round(t, r, laptop(61))
	s.clock.advance(silentPatience)
	s.ending(t, r, Ended, ReasonSilent)
}

func TestALoadEndsUnderTheLimit(t *testing.T) {
	s := newStage(minute, laptop(60))
	r := s.begin(t, t.Context())
	s.round(t, r, laptop(96))
	s.machine.samples <- laptop(97.5)
	if st := s.ending(t, r, Ended, ReasonTemperature); st.CPU.Temperature != sensors.Num(97.5) {
		t.Errorf("the last status shows %+v", st.CPU)
	}
}

// A reader that looks away must not keep the load from its end, and still learns of it.
func TestALoadDoesNotWaitForItsReader(t *testing.T) {
	s := newStage(minute, laptop(60))
	r := s.begin(t, t.Context())
	for range 20 {
		s.machine.samples <- laptop(80)
	}
	s.machine.samples <- laptop(99)
	<-r.done
	s.ending(t, r, Ended, ReasonTemperature)
}

func TestALoadIsNotStartedAgainstTheRule(t *testing.T) {
	for _, c := range []struct {
		name  string
		first sensors.Sample
		o     Options
		why   Reason
		words string
	}{
		{"hot", laptop(98), minute, ReasonTemperature, "98.0 °C"},
		{"no temperature", sensors.Sample{Time: noon}, minute, ReasonTemperatureUnknown, "no sensor tells it"},
		{"low battery", onBattery(laptop(60), 5), minute, ReasonBattery, "5.0 %"},
		{"a slip in an ID", laptop(60), Options{CPU: 1, For: time.Minute, Limits: map[string]float64{"coretmp": 80}}, ReasonNoSensor, `"coretmp"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(c.o, c.first)
			s.loads = func(sensors.Sample) ([]load, error) {
				t.Error("a load was made")
				return nil, nil
			}
			r := s.start(t.Context())
			s.ending(t, r, Refused, c.why)
			if err := r.Err(); err == nil || !strings.Contains(err.Error(), "not started") || !strings.Contains(err.Error(), c.words) {
				t.Errorf("the error is %v, without %q", err, c.words)
			}
		})
	}
}

func TestALoadThatCannotBeMadeIsRefused(t *testing.T) {
	s := newStage(minute, laptop(60))
	s.loads = func(sensors.Sample) ([]load, error) { return nil, errors.New("no such thing here") }
	r := s.start(t.Context())
	s.ending(t, r, Refused, ReasonNoGPU)
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "no such thing here") {
		t.Errorf("the error is %v", err)
	}
}

func TestALoadThatBreaksEndsTheOthers(t *testing.T) {
	s := newStage(minute, laptop(60))
	var other atomic.Bool
	s.loads = func(sensors.Sample) ([]load, error) {
		return []load{s.work, func(ctx context.Context) error {
			<-ctx.Done()
			other.Store(true)
			return nil
		}}, nil
	}
	r := s.begin(t, t.Context())
	s.fail <- errors.New("the device was lost")
	s.ending(t, r, Ended, ReasonFailed)
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "the device was lost") || !other.Load() {
		t.Errorf("the error is %v, the other load ended: %t", err, other.Load())
	}
}

func TestWhoEndsALoadIsTold(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(s *stage, r *Running, cancel context.CancelCauseFunc)
		why  Reason
	}{
		{"Stop", func(_ *stage, r *Running, _ context.CancelCauseFunc) { r.Stop() }, ReasonStopped},
		{"a signal", func(_ *stage, _ *Running, cancel context.CancelCauseFunc) { cancel(nil) }, ReasonStopped},
		{"standard input", func(_ *stage, _ *Running, cancel context.CancelCauseFunc) { cancel(ErrParentGone) }, ReasonParent},
		{"another parent", func(s *stage, _ *Running, _ context.CancelCauseFunc) {
			s.father.Store(1)
			s.machine.samples <- laptop(60)
		}, ReasonParent},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			s := newStage(minute, laptop(60))
			r := s.begin(t, ctx)
			c.end(s, r, cancel)
			s.ending(t, r, Ended, c.why)
			if err := r.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOptionsThatCannotBeFollowedAreRefused(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "nothing to load"},
		{Options{CPU: -1}, "there are"},
		{Options{CPU: 1 << 20}, "there are"},
		{Options{CPU: 1, For: time.Hour}, "1 s to 10 min"},
		{Options{CPU: 1, For: time.Millisecond}, "1 s to 10 min"},
	} {
		for name, run := range map[string]func() (*Running, error){
			"Run":   func() (*Running, error) { return Run(t.Context(), c.o, nil) },
			"Start": func() (*Running, error) { return Start(t.Context(), c.o) },
		} {
			if _, err := run(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s of %+v: %v, without %q", name, c.o, err, c.want)
			}
		}
	}
}
