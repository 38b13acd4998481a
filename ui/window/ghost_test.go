//go:build cgo || !darwin

package window

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// pickNamed takes the line of the open picker that has a name.
func (b *bench) pickNamed(p *picker, name string) {
	b.t.Helper()
	for i, it := range p.now {
		if it.name == name {
			p.choose(i)
			b.settle()
			return
		}
	}
	b.t.Fatalf("the picker has no line %q among %v", name, p.now)
}

func TestAGhostIsChosenStartedAgainAndRemoved(t *testing.T) {
	s := script(t, "thin-laptop")
	asked := ""
	b := newBench(t, Options{
		Ghosts: func() []string { return []string{"apu", "/tapes/headroom-20260302-140000.jsonl"} },
		OpenGhost: func(_ context.Context, name string) (*frame.Ghost, error) {
			if asked = name; strings.HasSuffix(name, ".jsonl") {
				return nil, errors.New("open recording: it is damaged")
			}
			g := &frame.Ghost{Name: name}
			for d := time.Duration(0); d < time.Minute; d += time.Second {
				g.Add(d, frame.New(s.SampleAt(d), budget.Settings{Workload: workload.Bare(1)}))
			}
			return g, nil
		},
	}, defaults())
	b.sample(s.SampleAt(0))
	b.sample(s.SampleAt(10 * time.Second))
	ghost := func() bool { return strings.Contains(b.said(), "ghost") }
	open := func() *picker {
		b.closeOverlays()
		p := b.ghostPicker(b.o.Ghosts())
		b.settle()
		return p
	}
	b.pickNamed(open(), "headroom-20260302-140000")
	if asked != "/tapes/headroom-20260302-140000.jsonl" || b.told() != "open recording: it is damaged" || ghost() {
		t.Errorf("of a damaged recording, %q, the window says %q", asked, b.told())
	}
	b.pickNamed(open(), "apu")
	b.sample(s.SampleAt(20 * time.Second))
	if !ghost() || b.told() != "" || !b.last.ghost.Start.Equal(s.Start.Add(10*time.Second)) {
		t.Errorf("chosen, it is shown: %v, since %v, with the notice %q", ghost(), b.last.ghost.Start, b.told())
	}
	b.pickNamed(open(), "Start the ghost again from now")
	if !b.last.ghost.Start.Equal(s.Start.Add(20 * time.Second)) {
		t.Errorf("started again, it begins at %v", b.last.ghost.Start)
	}
	b.pickNamed(open(), "Remove the ghost")
	if ghost() || b.last.ghost != nil {
		t.Error("removed, it is still there")
	}
}

// A ghost that is given from the start begins with the first Sample; one with a start of its own keeps it.
func TestAGhostBeginsWithTheFirstSample(t *testing.T) {
	s := script(t, "apu")
	for _, own := range []time.Time{{}, s.Start.Add(-time.Minute)} {
		g := &frame.Ghost{Name: "x", Start: own}
		g.Add(0, frame.New(s.SampleAt(0), newSettings()))
		b := newBench(t, Options{Ghost: g}, defaults())
		b.sample(s.SampleAt(30 * time.Second))
		want := own
		if own.IsZero() {
			want = s.Start.Add(30 * time.Second)
		}
		if got := b.last.ghost.Start; !got.Equal(want) {
			t.Errorf("it begins at %v, want %v", got, want)
		}
		if b.eng.context(b.last.frame, false).Ghost == nil || g.Start != own {
			t.Error("it does not come to the figures, or the caller's own was changed")
		}
	}
}
