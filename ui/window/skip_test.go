//go:build cgo || !darwin

package window

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// give hands the engine what a Player at sample i of what is played gives it.
func (b *bench) give(i int) {
	b.t.Helper()
	s, _, err := b.eng.track.At(i)
	if err != nil {
		b.t.Fatal(err)
	}
	var under *budget.Settings
	if b.eng.recorded != nil {
		if under, err = b.eng.recorded(i); err != nil {
			b.t.Fatal(err)
		}
	}
	b.eng.take(fed{s, under, i})
}

// play plays the samples from the first to the last one.
func (b *bench) play(first, last int) {
	for i := first; i <= last; i++ {
		b.give(i)
		if i%100 == 0 || i == last {
			b.settle()
		}
	}
}

// recorded is a recording of a scenario, with an event half-way.
func recorded(t *testing.T, name string, n int, every time.Duration) *trace.Recording {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tape.jsonl")
	s := script(t, name)
	w, err := trace.Create(path, trace.Header{By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		at := s.SampleAt(time.Duration(i) * every)
		if err := w.Write(at); err != nil {
			t.Fatal(err)
		}
		if i == n/2 {
			if err := w.Mark(at.Time, "fan off"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := trace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// sights are what is played in the tests of skips: a scenario, and a recording whose model changes on the way.
func sights(t *testing.T) map[string]Options {
	tape := recorded(t, "thin-laptop", 1500, time.Second/2)
	var marks []draw.Mark
	for _, m := range tape.Marks() {
		marks = append(marks, draw.Mark{At: m.Time, Text: m.Text})
	}
	sets := []*budget.Settings{{Workload: workload.Default()}, {Workload: workload.Bare(70_000_000_000)}}
	return map[string]Options{
		"scenario": {Origin: "scenario thin-laptop", Feed: trace.NewPlayer(script(t, "thin-laptop").Every(time.Second / 2))},
		"recording": {
			Origin: "recording tape.jsonl", Feed: trace.NewPlayer(tape), Settings: *sets[0], Marks: marks,
			Recorded: func(i int) (*budget.Settings, error) { return sets[i/500%2], nil },
		},
	}
}

// same compares what is seen of two windows: the charts, the timeline, since when, and the settled answer.
func same(t *testing.T, got, want *bench) {
	t.Helper()
	g, w := got.eng.history, want.eng.history
	if !reflect.DeepEqual(g.Points(), w.Points()) {
		t.Errorf("the charts have %d points, from %v on; played through %d, from %v on", len(g.Points()), g.Points()[0].At, len(w.Points()), w.Points()[0].At)
	}
	if !reflect.DeepEqual(g.Changes(), w.Changes()) {
		t.Errorf("the changes are %v, played through %v", causes(g), causes(w))
	}
	if !g.Since().Equal(w.Since()) {
		t.Errorf("so since %v, played through %v", g.Since(), w.Since())
	}
	gs, gt := g.Settled()
	if ws, wt := w.Settled(); gs != ws || !gt.Equal(wt) {
		t.Errorf("settled %v since %v, played through %v since %v", gs, gt, ws, wt)
	}
	if got.said() != want.said() {
		t.Errorf("the page says\n%s\nplayed through\n%s", got.said(), want.said())
	}
}

func causes(h *frame.History) []string {
	var words []string
	for _, c := range h.Changes() {
		words = append(words, c.At.Format("15:04:05 ")+c.Cause)
	}
	return words
}

func TestASkipOnShowsWhatPlayingThroughShows(t *testing.T) {
	for name, o := range sights(t) {
		for _, to := range []int{12, 300, 1100} {
			t.Run(fmt.Sprint(name, " to ", to), func(t *testing.T) {
				through, skipped := newBench(t, o, defaults()), newBench(t, o, defaults())
				through.play(0, to)
				skipped.play(0, 10)
				skipped.give(to)
				if times, _ := skipped.settle(); times > 2 {
					t.Errorf("the skip was shown in %d steps, not at once and then whole", times)
				}
				same(t, skipped, through)
				through.play(to+1, to+3)
				skipped.play(to+1, to+3)
				same(t, skipped, through)
			})
		}
	}
}

// Of a skip longer than what is filled in whole, charts and timeline show the same, too.
func TestALongSkipShowsTheLastMinutes(t *testing.T) {
	o := Options{Origin: "scenario thin-laptop", Feed: trace.NewPlayer(script(t, "thin-laptop").Every(20 * time.Millisecond))}
	const to = 82_250 // what is filled in begins in the heat, and the skip in the cool
	b := newBench(t, o, defaults())
	b.play(0, 3)
	b.give(to)
	b.settle()
	want := frame.NewHistory()
	for i := to - 33_000; i <= to; i++ {
		s, _, err := b.eng.track.At(i)
		if err != nil {
			t.Fatal(err)
		}
		want.Add(frame.New(s, b.set))
	}
	if !reflect.DeepEqual(b.eng.history.Points(), want.Points()) {
		t.Error("the charts differ from those of playing through")
	}
	seen := func(h *frame.History) []string {
		first := h.Points()[0].At
		return causes(h)[slices.IndexFunc(h.Changes(), func(c frame.Change) bool { return !c.At.Before(first) }):]
	}
	if got, want := seen(b.eng.history), seen(want); len(want) < 4 || !slices.Equal(got, want) {
		t.Errorf("the timeline's changes are %v, played through %v", got, want)
	}
	for _, c := range causes(b.eng.history) {
		if !slices.Contains(causes(want), c) {
			t.Errorf("a change that playing through does not show: %s", c)
		}
	}
	if !b.eng.history.Since().Equal(want.Since()) {
		t.Errorf("so since %v, played through %v", b.eng.history.Since(), want.Since())
	}
}

func TestASkipBackShowsWhatPlayingToThereShows(t *testing.T) {
	for name, o := range sights(t) {
		t.Run(name, func(t *testing.T) {
			through, back := newBench(t, o, defaults()), newBench(t, o, defaults())
			through.play(0, 800)
			back.play(0, 10)
			back.give(1300)
			back.settle()
			back.give(800)
			back.settle()
			same(t, back, through)
		})
	}
}

func TestASkipBackLeavesAnEarlierChangeThatIsYetToCome(t *testing.T) {
	b := newBench(t, sights(t)["scenario"], defaults())
	b.play(0, 1100)
	b.press('[')
	b.settle()
	held := b.last.momentAt
	b.give(1101)
	b.settle()
	if held.IsZero() || !b.last.frame.Sample.Time.Equal(held) {
		t.Fatalf("looking at %v, shown is %v", held, b.last.frame.Sample.Time)
	}
	b.give(12)
	b.settle()
	if now := b.eng.frame.Sample.Time; !b.last.momentAt.IsZero() || !b.last.frame.Sample.Time.Equal(now) {
		t.Errorf("it looks at %v and shows %v, after a skip back to %v", b.last.momentAt, b.last.frame.Sample.Time, now)
	}
	// Nor does it turn to that change once it comes again.
	b.play(13, 1101)
	if now := b.eng.frame.Sample.Time; !b.last.frame.Sample.Time.Equal(now) {
		t.Errorf("at %v it shows %v", now, b.last.frame.Sample.Time)
	}
}

func TestTheNextChangeIsShownWithWhatLedThere(t *testing.T) {
	o := sights(t)["recording"]
	player := o.Feed.(*trace.Player)
	through, skipped := newBench(t, o, defaults()), newBench(t, o, defaults())
	skipped.play(0, 0)
	skipped.press('n')
	to := player.Position().Sample
	skipped.give(to)
	skipped.settle()
	through.play(0, to)
	same(t, skipped, through)
	if len(skipped.eng.history.Changes()) != 1 {
		t.Errorf("the changes are %v", causes(skipped.eng.history))
	}
}

func TestMarksThatWereSkippedStandOnTheTimeline(t *testing.T) {
	b := newBench(t, sights(t)["recording"], defaults())
	b.play(0, 10)
	b.give(900)
	b.settle()
	said := ""
	for _, it := range b.scene("timeline").Items {
		said += it.Text + "\n"
	}
	if !strings.Contains(said, "fan off") {
		t.Errorf("the timeline says\n%s", said)
	}
}

// Skips that come before the one before is filled in go to the last one, and what follows it comes after.
func TestASkipGivesUpTheOneBefore(t *testing.T) {
	o := sights(t)["scenario"]
	through, b := newBench(t, o, defaults()), newBench(t, o, defaults())
	b.play(0, 10)
	for _, i := range []int{1400, 700, 1250, 1251} {
		b.give(i)
		if s, ok := b.eng.turn(); ok {
			b.apply(s)
		}
	}
	b.settle()
	through.play(0, 1251)
	same(t, b, through)
}

// heard is a Recorder that remembers what it was told.
type heard struct {
	Recorder
	times []time.Time
}

func (h *heard) Add(s sensors.Sample)              { h.times = append(h.times, s.Time) }
func (*heard) Settings(time.Time, budget.Settings) {}

func TestWhatWasSkippedIsNeitherRecordedNorWritten(t *testing.T) {
	o := sights(t)["scenario"]
	rec := &heard{}
	o.Recorder, o.FramesFile = rec, filepath.Join(t.TempDir(), "frames.jsonl")
	b := newBench(t, o, defaults())
	t.Cleanup(b.eng.frames.close)
	for _, i := range []int{0, 1, 2, 1100} {
		b.give(i)
		b.settle()
	}
	start := script(t, "thin-laptop").Start
	want := []time.Time{start, start.Add(time.Second / 2), start.Add(time.Second), start.Add(550 * time.Second)}
	if !slices.EqualFunc(rec.times, want, time.Time.Equal) {
		t.Errorf("the recorder heard of %v", rec.times)
	}
	written, err := os.ReadFile(o.FramesFile)
	if n := strings.Count(string(written), "\n"); err != nil || n != 4 {
		t.Errorf("%d frames were written, not the 4 shown: %v", n, err)
	}
}

// A pin of the user's stays where it was set, also for one who steps back; what is skipped is seen under it.
func TestSkipsKeepWhatTheUserChangedOnTheWay(t *testing.T) {
	o := sights(t)["scenario"]
	b := newBench(t, o, defaults())
	pin := func() {
		b.set.Pins.ThermalC = sensors.Num(2)
		b.settingsChanged()
		b.settle()
	}
	b.play(0, 20)
	pin()
	b.give(60)
	b.settle()
	b.give(59)
	b.settle()
	if got := causes(b.eng.history); len(got) != 1 || !strings.Contains(got[0], "you pinned thermal headroom") {
		t.Errorf("the changes are %v", got)
	}
	at := script(t, "thin-laptop").Start.Add(10 * time.Second)
	for _, p := range b.eng.history.Points() {
		if pinned := p.HeadroomC.Or(0) == 2; !p.At.Equal(at) && pinned != p.At.After(at) {
			t.Fatalf("at %v the headroom is %v", p.At, p.HeadroomC)
		}
	}
}

// The window's own feed is a player whose seeks are skips.
func TestSeekingThePlayerFillsIn(t *testing.T) {
	o := sights(t)["recording"]
	player := o.Feed.(*trace.Player)
	through, b := newBench(t, o, defaults()), newBench(t, o, defaults())
	through.play(0, 1000)
	player.Pause()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- b.eng.play(ctx, player) }()
	<-b.eng.wake
	b.settle()
	b.player.seek(500)
	for b.eng.latest().Before(through.eng.latest()) {
		<-b.eng.wake
		b.settle()
	}
	b.settle()
	stop()
	<-done
	same(t, b, through)
}
