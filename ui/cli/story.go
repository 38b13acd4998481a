package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// story is where the samples of a picture come from: this machine, a scenario or a recording, up to a moment.
type story struct {
	choices
	replay  string
	ghost   string
	at      time.Duration
	atGiven bool
}

// scriptEvery is the distance of a scenario's samples in a picture, leadUp how many of them lead up to its moment at most.
const (
	scriptEvery = 500 * time.Millisecond
	leadUp      = 1200
)

func (s *story) add(cmd *cobra.Command) {
	s.choices.add(cmd)
	f := cmd.Flags()
	f.Var(&parsed{kind: "NAME", read: func(text string) (err error) { s.scenario.script, err = trace.Scenario(text); return err }},
		"scenario", "show a described machine in place of this one; headroom scenarios lists them")
	addGhost(cmd, &s.ghost)
	addText(cmd, &s.replay, "replay", "FILE", "show a recording in place of this machine")
	f.Var(&parsed{kind: "TIME", read: func(text string) (err error) {
		s.atGiven = true
		s.at, err = parseSpan(text, 0, maxRuntime)
		return err
	}}, "at", "the moment of the scenario or recording: 30s, 2m (default: its end; a scenario ends as it begins, a round later)")
}

// told reports whether there is a story beside this machine's present moment.
func (s *story) told() bool { return s.replay != "" || s.scenario.script != nil }

// scene is what pictures are made from: the Context of figures, and what only the window shows beside it.
type scene struct {
	draw.Context
	// player stands at the moment of what is played; nil for this machine, or the tree that stands for it.
	player *trace.Player
	// here is whether this machine is shown.
	here bool
}

// tell folds the samples up to the moment into what is shown.
func (s *story) tell(cmd *cobra.Command) (scene, error) {
	if !s.told() {
		if s.atGiven {
			return scene{}, badUsage("--at is a moment of a scenario or a recording: give --scenario or --replay")
		}
		if s.ghost != "" {
			return scene{}, badUsage("--ghost stands behind a scenario or a recording: give --scenario or --replay")
		}
		return s.present(cmd)
	}
	p, err := s.open(cmd)
	if err != nil {
		return scene{}, err
	}
	defer p.close()
	at := p.track.Length()
	if s.atGiven {
		at = s.at
	}
	return p.moment(at)
}

// present takes one round of this machine, or of the tree that stands for it.
func (s *story) present(cmd *cobra.Command) (scene, error) {
	set, err := s.settings(cmd.ErrOrStderr())
	if err != nil {
		return scene{}, err
	}
	m := newMachine(s.sysroot, 0)
	defer m.Close()
	sample := m.Once(cmd.Context())
	if err := cmd.Context().Err(); err != nil {
		return scene{}, err
	}
	for _, note := range strangers(set, sample) {
		complain(cmd.ErrOrStderr(), note)
	}
	if isHere(m) {
		set.Measured = measuredBefore(sample)
	}
	c := draw.Context{Frame: frame.New(sample, set), History: frame.NewHistory()}
	c.History.Add(c.Frame)
	return scene{Context: c, here: isHere(m)}, nil
}

// plot is an opened scenario or recording.
type plot struct {
	track    trace.Track
	settings func(i int) (*budget.Settings, error)
	origin   string
	marks    []draw.Mark
	ghost    *frame.Ghost
	close    func() error
}

func (s *story) open(cmd *cobra.Command) (plot, error) {
	if s.replay != "" && (s.scenario.script != nil || s.sysroot != "") {
		return plot{}, badUsage("--replay excludes --scenario and --sysroot: give one")
	}
	set, err := s.settings(cmd.ErrOrStderr())
	if err != nil {
		return plot{}, err
	}
	ghost, err := ghostOf(cmd.Context(), s.ghost)
	if err != nil {
		return plot{}, err
	}
	p, err := s.openTrack(cmd, set)
	if p.ghost = ghost; err == nil && ghost != nil {
		ghost.Start = trace.Start(p.track)
	}
	return p, err
}

func (s *story) openTrack(cmd *cobra.Command, set budget.Settings) (plot, error) {
	if script := s.scenario.script; script != nil {
		return plot{
			track: script.Every(scriptEvery), origin: "scenario " + script.Name, close: func() error { return nil },
			settings: func(int) (*budget.Settings, error) { return &set, nil },
		}, nil
	}
	r, err := trace.Open(s.replay)
	if err != nil {
		return plot{}, badUsage("--replay: %w", err)
	}
	name := filepath.Base(s.replay)
	for _, p := range r.Problems() {
		complain(cmd.ErrOrStderr(), name+": "+p.String())
	}
	return plot{
		track: r, origin: "recording " + name, marks: drawnMarks(r.Marks()), close: r.Close,
		settings: newPast(r, set, s.chosen()).at,
	}, nil
}

// moment folds the samples that lead up to an offset.
func (p plot) moment(at time.Duration) (scene, error) {
	if p.track.Len() == 0 {
		return scene{}, errors.New("the recording holds no samples")
	}
	if !p.track.Loops() && at > p.track.Length() {
		return scene{}, badUsage("%v lies after the end: the recording is %v long", at, p.track.Length().Round(time.Millisecond))
	}
	i, err := p.track.Index(at)
	if err != nil {
		return scene{}, err
	}
	samples := trace.Before(p.track, i, frame.Span, leadUp)
	if len(samples) == 0 {
		return scene{}, fmt.Errorf("read the sample at %v of the %s: it is damaged", at, p.origin)
	}
	c := draw.Context{History: frame.NewHistory(), Origin: p.origin, Marks: p.marks, Ghost: p.ghost}
	for _, s := range samples {
		set, err := p.settings(s.Number)
		if err != nil {
			return scene{}, fmt.Errorf("read the settings of the %s: %w", p.origin, err)
		}
		c.Frame = frame.New(s.Sample, *set)
		c.History.Add(c.Frame)
	}
	player, err := standing(p.track, at)
	return scene{Context: c, player: player}, err
}

// standing is a player that has shown the sample at an offset.
func standing(t trace.Track, at time.Duration) (*trace.Player, error) {
	p := trace.NewPlayer(t)
	if err := p.Seek(at); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if err := p.Run(ctx, func(sensors.Sample) { stop() }); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return p, nil
}

// drawnMarks are a recording's events as figures show them.
func drawnMarks(marks []trace.Mark) []draw.Mark {
	out := make([]draw.Mark, len(marks))
	for i, m := range marks {
		out[i] = draw.Mark{At: m.Time, Text: m.Text}
	}
	return out
}
