package cli

import (
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
	addText(cmd, &s.replay, "replay", "FILE", "show a recording in place of this machine")
	f.Var(&parsed{kind: "TIME", read: func(text string) (err error) {
		s.atGiven = true
		s.at, err = parseSpan(text, 0, maxRuntime)
		return err
	}}, "at", "the moment of the scenario or recording: 30s, 2m (default: its end)")
}

// tell folds the samples up to the moment into what figures are made from.
func (s *story) tell(cmd *cobra.Command) (draw.Context, error) {
	script := s.scenario.script
	switch {
	case s.replay != "" && (script != nil || s.sysroot != ""):
		return draw.Context{}, badUsage("--replay excludes --scenario and --sysroot: give one")
	case s.atGiven && s.replay == "" && script == nil:
		return draw.Context{}, badUsage("--at is a moment of a scenario or a recording: give --scenario or --replay")
	}
	set, err := s.settings(cmd.ErrOrStderr())
	if err != nil {
		return draw.Context{}, err
	}
	switch {
	case script != nil:
		samples, err := s.samples(script.Every(scriptEvery))
		return fold(samples, set, "scenario "+script.Name), err
	case s.replay != "":
		return s.tellRecording(cmd, set)
	}
	return s.tellMachine(cmd, set)
}

// tellMachine takes one round of this machine, or of the tree that stands for it.
func (s *story) tellMachine(cmd *cobra.Command, set budget.Settings) (draw.Context, error) {
	m := newMachine(s.sysroot, 0)
	defer m.Close()
	sample := m.Once(cmd.Context())
	if err := cmd.Context().Err(); err != nil {
		return draw.Context{}, err
	}
	for _, note := range strangers(set, sample) {
		complain(cmd.ErrOrStderr(), note)
	}
	return fold([]sensors.Sample{sample}, set, ""), nil
}

func (s *story) tellRecording(cmd *cobra.Command, flags budget.Settings) (draw.Context, error) {
	r, err := trace.Open(s.replay)
	if err != nil {
		return draw.Context{}, badUsage("--replay: %w", err)
	}
	defer r.Close()
	name := filepath.Base(s.replay)
	for _, p := range r.Problems() {
		complain(cmd.ErrOrStderr(), name+": "+p.String())
	}
	samples, err := s.samples(r)
	if err != nil {
		return draw.Context{}, err
	}
	i, err := r.Index(s.moment(r))
	if err != nil {
		return draw.Context{}, err
	}
	set, err := past{recording: r, flags: flags, workload: s.chosen()}.settingsAt(i)
	if err != nil {
		return draw.Context{}, fmt.Errorf("read the settings of %s: %w", name, err)
	}
	return fold(samples, set, "recording "+name), nil
}

// moment is the offset that is shown.
func (s *story) moment(t trace.Track) time.Duration {
	if s.atGiven {
		return s.at
	}
	return t.Length()
}

// samples are those that lead up to the moment.
func (s *story) samples(t trace.Track) ([]sensors.Sample, error) {
	if t.Len() == 0 {
		return nil, errors.New("the recording holds no samples")
	}
	at := s.moment(t)
	if !t.Loops() && at > t.Length() {
		return nil, badUsage("--at %v lies after the end: it is %v long", at, t.Length().Round(time.Millisecond))
	}
	i, err := t.Index(at)
	if err != nil {
		return nil, err
	}
	samples := trace.Before(t, i, frame.Span, leadUp)
	if len(samples) == 0 {
		return nil, fmt.Errorf("read the sample at %v: it is damaged", at)
	}
	return samples, nil
}

// fold makes the Frame of the last sample with the history of those before it.
func fold(samples []sensors.Sample, set budget.Settings, origin string) draw.Context {
	c := draw.Context{History: frame.NewHistory(), Origin: origin}
	for _, s := range samples {
		c.Frame = frame.New(s, set)
		c.History.Add(c.Frame)
	}
	return c
}
