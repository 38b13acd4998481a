package heat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"headroom/sensors"
)

// ErrParentGone is the cause with which a caller ends Run's context when what started this process is gone.
var ErrParentGone = errors.New("what started the load is gone")

// silentPatience is how long the load goes on without a round of the sensors.
const silentPatience = 5 * time.Second

// Source reads the machine: Once waits for all that there is, Run emits one Sample after another until ctx ends.
// A sensors.Poller is one.
type Source interface {
	Once(ctx context.Context) sensors.Sample
	Run(ctx context.Context, emit func(sensors.Sample)) error
}

// Run loads this machine until the rule, an end of ctx or Stop ends it. Keeping every thread busy slows all else that this
// process does: a window starts a child with Start instead.
func Run(ctx context.Context, o Options, from Source) (*Running, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	h := heater{Options: o, from: from, clock: systemTime{}, loads: o.loads, parent: os.Getppid}
	return h.start(ctx), nil
}

// loads are those that the options ask for.
func (o *Options) loads(s sensors.Sample) ([]load, error) {
	var all []load
	if o.CPU > 0 {
		all = append(all, cpuLoad(o.CPU))
	}
	if o.GPU {
		l, err := o.gpuLoad(s)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

type systemTime struct{}

func (systemTime) Now() time.Time                         { return time.Now() }
func (systemTime) After(d time.Duration) <-chan time.Time { return time.After(d) }

// heater is a load under the rule. Its fields stand for the outside world, so that tests can bring their own.
type heater struct {
	Options
	from  Source
	clock sensors.TimeSource
	loads func(sensors.Sample) ([]load, error)
	// parent is the process that started this one; another one means that it is gone.
	parent func() int
}

func (h *heater) start(ctx context.Context) *Running {
	ctx, cancel := context.WithCancel(ctx)
	r := newRunning(cancel)
	go func() {
		last, err := h.run(ctx, r.put)
		cancel()
		r.put(last)
		r.end(err)
	}()
	return r
}

// run gives the last Status; all before it go to tell.
func (h *heater) run(ctx context.Context, tell func(Status)) (Status, error) {
	parent := h.parent()
	first := h.from.Once(ctx)
	status := h.at(first, 0)
	if ctx.Err() != nil {
		return h.last(status, Ended, interrupted(ctx), ""), nil
	}
	if id := h.stranger(first); id != "" {
		return h.refuse(status, ReasonNoSensor, strangerWords(id))
	}
	if why := h.judge(&status); why != "" {
		return h.refuse(status, why, "")
	}
	loads, err := h.loads(first)
	if err != nil {
		return h.refuse(status, ReasonNoGPU, "there is no GPU to load: "+err.Error())
	}
	tell(status)
	status, why, err := h.watch(ctx, status, loads, parent, tell)
	if err != nil {
		return h.last(status, Ended, ReasonFailed, err.Error()), fmt.Errorf("heat: %w", err)
	}
	return h.last(status, Ended, why, ""), nil
}

func (h *heater) refuse(s Status, why Reason, words string) (Status, error) {
	s = h.last(s, Refused, why, words)
	return s, refusal(s)
}

// refusal is the error of a load that was not started.
func refusal(s Status) error { return errors.New("heat: not started: " + s.Words) }

// last makes a Status the last one.
func (h *heater) last(s Status, p Phase, why Reason, words string) Status {
	if words == "" {
		words = h.explain(why, &s)
	}
	s.Phase, s.Reason, s.Words = p, why, words
	return s
}

// interrupted says who ended ctx.
func interrupted(ctx context.Context) Reason {
	if errors.Is(context.Cause(ctx), ErrParentGone) {
		return ReasonParent
	}
	return ReasonStopped
}

// watch runs the loads until something ends them, and gives the status of that moment; the error is a load's.
func (h *heater) watch(ctx context.Context, status Status, loads []load, parent int, tell func(Status)) (Status, Reason, error) {
	begin := h.clock.Now()
	over, silent := h.clock.After(h.For), h.clock.After(silentPatience)
	work, stop := context.WithCancel(ctx)
	failed := make(chan error, len(loads))
	ended := make(chan struct{}, len(loads))
	for _, l := range loads {
		go func() {
			if err := l(work); err != nil && work.Err() == nil {
				failed <- err
			}
			ended <- struct{}{}
		}()
	}
	// The load is over before its end is told.
	defer func() {
		stop()
		for range loads {
			<-ended
		}
	}()
	samples := make(chan sensors.Sample)
	go func() {
		_ = h.from.Run(work, func(s sensors.Sample) {
			select {
			case samples <- s:
			case <-work.Done():
			}
		})
	}()
	for {
		select {
		case s := <-samples:
			status = h.at(s, h.clock.Now().Sub(begin))
			silent = h.clock.After(silentPatience)
			if h.parent() != parent {
				return status, ReasonParent, nil
			}
			if why := h.judge(&status); why != "" {
				return status, why, nil
			}
			tell(status)
		case <-over:
			status.Elapsed, status.Left = h.For.Seconds(), 0
			return status, ReasonTime, nil
		case <-silent:
			if !h.Insist {
				return status, ReasonSilent, nil
			}
		case err := <-failed:
			return status, ReasonFailed, err
		case <-ctx.Done():
			return status, interrupted(ctx), nil
		}
	}
}
