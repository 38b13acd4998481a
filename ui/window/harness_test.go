//go:build cgo || !darwin

package window

import (
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/trace"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// noFeed gives no Samples: the tests hand them to the engine themselves.
type noFeed struct{}

func (noFeed) Run(ctx context.Context, _ func(sensors.Sample)) error {
	<-ctx.Done()
	return ctx.Err()
}

// bench is a window on Fyne's test driver, whose engine takes its turns when it is told.
type bench struct {
	*view
	t *testing.T
}

func newBench(t *testing.T, o Options, state remembered) *bench {
	t.Helper()
	app := test.NewApp()
	t.Cleanup(app.Quit)
	if o.Feed == nil {
		o.Feed = noFeed{}
	}
	b := &bench{newView(t.Context(), app, o, state), t}
	b.beside = func(work func()) { work() }
	b.after = func(time.Duration, func()) {} // a slow machine may not see more than a fast one
	b.settle()
	return b
}

// settle lets the engine take turns until there is nothing more to show or to fill in, and returns how often something was
// shown and how many figures were painted.
func (b *bench) settle() (times, painted int) {
	for range 100 {
		s, ok := b.eng.turn()
		if !ok && b.eng.filling != nil {
			continue
		}
		if !ok {
			return times, painted
		}
		times++
		painted += len(s.figures)
		b.apply(s)
	}
	b.t.Fatal("the engine never comes to rest")
	return 0, 0
}

func (b *bench) sample(s sensors.Sample) (times, painted int) {
	b.eng.emit(s)
	return b.settle()
}

func (b *bench) press(r rune) {
	b.typedRune(r)
	b.settle()
}

func (b *bench) pressKey(k fyne.KeyName) {
	b.typedKey(&fyne.KeyEvent{Name: k})
	b.settle()
}

// said is all that the live page's figures say, in words.
func (b *bench) said() string {
	var text []string
	for _, pl := range b.live.places {
		text = append(text, pl.f.scene.Title, pl.f.scene.Desc)
		for _, it := range pl.f.scene.Items {
			text = append(text, it.Text)
		}
	}
	return strings.Join(text, "\n")
}

func (b *bench) scene(name string) draw.Scene {
	for _, pl := range b.live.places {
		if pl.slot.figure == name {
			return pl.f.scene
		}
	}
	b.t.Fatalf("no figure %q is on show", name)
	return draw.Scene{}
}

// script is a built-in scenario; its Samples are the same at every run.
func script(t *testing.T, name string) *trace.Script {
	t.Helper()
	s, err := trace.Scenario(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// cool and hot are moments of one laptop at which f16, and q8 for the heat, are taken.
func coolAndHot(t *testing.T) (cool, hot sensors.Sample) {
	s := script(t, "thin-laptop")
	set := newSettings()
	for d := time.Duration(0); d < s.Length; d += time.Second {
		sample := s.SampleAt(d)
		p := frame.New(sample, set).Plan
		switch {
		case cool.Time.IsZero() && p.Precision == policy.F16:
			cool = sample
		case hot.Time.IsZero() && p.TightHeat && p.Precision == policy.Q8:
			hot = sample
		}
	}
	if cool.Time.IsZero() || hot.Time.IsZero() {
		t.Fatal("the scenario thin-laptop lacks a cool or a hot moment")
	}
	return cool, hot
}
