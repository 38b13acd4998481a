package trace

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"headroom/sensors"
)

// played collects what a Player emits, as seconds since the first sample.
type played struct {
	mu      sync.Mutex
	start   time.Time
	seconds []float64
}

func (p *played) emit(s sensors.Sample) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.start.IsZero() {
		p.start = s.Time
	}
	p.seconds = append(p.seconds, s.Time.Sub(p.start).Seconds())
}

// take returns what was emitted since the last call.
func (p *played) take() []float64 {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.seconds
	p.seconds = nil
	return s
}

// play runs a Player in a bubble of its own time.
func play(t *testing.T, track Track, test func(*testing.T, *Player, *played)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p, out := NewPlayer(track), &played{}
		done := make(chan error)
		go func() { done <- p.Run(ctx, out.emit) }()
		test(t, p, out)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run ended with %v", err)
		}
	})
}

func expect(t *testing.T, what string, got []float64, want ...float64) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: emitted the samples at %v s, want %v", what, got, want)
	}
}

func TestPlayerKeepsTheTimeOfTheRecording(t *testing.T) {
	r := reopen(t, record(t, small(6)))
	play(t, r, func(t *testing.T, p *Player, out *played) {
		expect(t, "at once", out.take(), 0)
		time.Sleep(999 * time.Millisecond)
		expect(t, "before the second is over", out.take())
		time.Sleep(time.Millisecond)
		expect(t, "after a second", out.take(), 1)
		p.SetSpeed(2)
		time.Sleep(time.Second)
		expect(t, "at double speed", out.take(), 2, 3)
		p.Pause()
		time.Sleep(time.Hour)
		expect(t, "paused", out.take())
		p.Step(1)
		expect(t, "one step", out.take(), 4)
		p.Step(-3)
		expect(t, "three steps back", out.take(), 1)
		time.Sleep(time.Hour)
		expect(t, "paused after a step", out.take())
		if err := p.Seek(3500 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
		expect(t, "sought while paused", out.take(), 3)
		p.Play()
		time.Sleep(time.Minute)
		expect(t, "to the end", out.take(), 4, 5)
		if pos := p.Position(); !pos.Ended || pos.Playing || pos.Sample != 5 || pos.Of != 6 || pos.Offset != 5*time.Second || pos.Length != 5*time.Second {
			t.Errorf("at the end, the position is %+v", pos)
		}
		p.Play()
		expect(t, "played again", out.take(), 0)
	})
}

func TestPlayerDoesNotSitThroughANight(t *testing.T) {
	samples := small(6)
	for i := 3; i < len(samples); i++ {
		samples[i].Time = samples[i].Time.Add(8 * time.Hour)
	}
	play(t, reopen(t, record(t, samples)), func(t *testing.T, _ *Player, out *played) {
		time.Sleep(5 * time.Second)
		if got := len(out.take()); got != 6 {
			t.Errorf("%d of 6 samples were played in 5 s", got)
		}
	})
}

func TestPlayerLoopsAScenarioWhileTimeGoesOn(t *testing.T) {
	s, err := Scenario("vram-squeeze")
	if err != nil {
		t.Fatal(err)
	}
	play(t, s.Every(time.Minute), func(t *testing.T, p *Player, out *played) {
		time.Sleep(4 * time.Minute)
		expect(t, "four minutes of a scenario of three", out.take(), 0, 60, 120, 180, 240)
		if pos := p.Position(); pos.Sample != 1 || pos.Offset != time.Minute || pos.Ended {
			t.Errorf("in the second round, the position is %+v", pos)
		}
	})
}

func TestNextDecisionStopsWhereTheAnswerDiffers(t *testing.T) {
	hot := func(_ int, s sensors.Sample) any { return s.Temperatures[0].Value.Value.Or(0) >= 53 }
	play(t, reopen(t, record(t, small(6))), func(t *testing.T, p *Player, out *played) {
		out.take()
		if err := p.NextDecision(t.Context(), hot, nil); err != nil {
			t.Fatal(err)
		}
		expect(t, "next decision", out.take(), 3)
		time.Sleep(time.Hour)
		expect(t, "paused there", out.take())
		if err := p.NextDecision(t.Context(), hot, nil); !errors.Is(err, ErrNoChange) {
			t.Errorf("with no other decision ahead, the error is %v", err)
		}
	})
}

// A change that lies far ahead is found, wherever the shares of the work begin and end, in recordings and in scenarios.
func TestNextDecisionFindsTheFirstOfFarChanges(t *testing.T) {
	samples := samplesOf(t, "apu", 3000, 100*time.Millisecond)
	r := reopen(t, record(t, samples))
	s, err := Scenario("apu")
	if err != nil {
		t.Fatal(err)
	}
	for _, track := range []Track{r, s.Every(100 * time.Millisecond)} {
		for _, at := range []int{1, 63, 64, 65, 191, 192, 447, 448, 2000} {
			p := NewPlayer(track)
			last := 0.0
			err := p.NextDecision(t.Context(), func(i int, s sensors.Sample) any {
				if !s.Time.Equal(samples[i].Time) {
					t.Errorf("sample %d has the time of another one", i)
				}
				return i >= at && i != at+700
			}, func(share float64) {
				if share <= last || share > 1 {
					t.Errorf("the share done went from %v to %v", last, share)
				}
				last = share
			})
			if got := p.Position().Sample; err != nil || got != at {
				t.Errorf("found sample %d, want %d: %v", got, at, err)
			}
		}
	}
}

func TestNextDecisionEndsWithItsContext(t *testing.T) {
	p := NewPlayer(reopen(t, record(t, small(30))))
	ctx, cancel := context.WithCancel(t.Context())
	err := p.NextDecision(ctx, func(i int, _ sensors.Sample) any {
		cancel()
		return i
	}, nil)
	if !errors.Is(err, context.Canceled) || p.Position().Sample != 0 {
		t.Errorf("cancelled, it ended with %v at sample %d", err, p.Position().Sample)
	}
}

func TestBeforeLeadsUpToTheSample(t *testing.T) {
	r := reopen(t, record(t, small(30)))
	for _, c := range []struct {
		i    int
		span time.Duration
		most int
		want []int
	}{
		{5, time.Hour, 100, []int{0, 1, 2, 3, 4, 5}},
		{20, 3 * time.Second, 100, []int{17, 18, 19, 20}},
		{20, 12 * time.Second, 4, []int{8, 11, 14, 17, 20}},
		{0, time.Minute, 10, []int{0}},
	} {
		var got []int
		for _, s := range Before(r, c.i, c.span, c.most) {
			got = append(got, s.Time.Second())
			if s.Number != s.Time.Second() {
				t.Errorf("the sample of second %d has the number %d", s.Time.Second(), s.Number)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("before sample %d, %s back in at most %d: %v, want %v", c.i, c.span, c.most, got, c.want)
		}
	}
}
