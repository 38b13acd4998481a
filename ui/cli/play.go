package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// playing is what is shown in place of this machine.
type playing struct {
	player *trace.Player
	// origin is "scenario NAME" or "recording FILE".
	origin   string
	settings budget.Settings
	frames   string
	// ghost begins with what is played; nil for none.
	ghost *frame.Ghost
	// recorded are the settings that a recording's samples were taken under; nil where no recording is shown. marks are the
	// recording's events.
	recorded func(sample int) (*budget.Settings, error)
	marks    []trace.Mark
}

// playScenario shows a scenario until the window is closed or ctx ends.
func playScenario(cmd *cobra.Command, s scenario, o windowOptions) error {
	p, err := s.player(o.interval)
	if err != nil {
		return err
	}
	return play(cmd, playing{player: p, origin: "scenario " + s.script.Name, settings: o.settings, frames: o.frames, ghost: o.ghost})
}

// play shows it in the window, or as text where there can be none.
func play(cmd *cobra.Command, p playing) error {
	if p.ghost != nil {
		p.ghost.Start = trace.Start(p.player.Track())
	}
	err := playInWindow(cmd.Context(), p, cmd.ErrOrStderr())
	if !errors.Is(err, errNoWindow) {
		return err
	}
	complain(cmd.ErrOrStderr(), err.Error()+"; showing text instead")
	noGhost(p.ghost, cmd.ErrOrStderr())
	return watchToFile(cmd.Context(), once{p.player, p.recorded}, p.settings, p.frames, newTable(cmd.OutOrStdout()).show)
}

// once is a Player as a source that ends where its track does.
type once struct {
	*trace.Player
	recorded func(sample int) (*budget.Settings, error)
}

// Run plays to the end of a recording, or until ctx ends.
func (o once) Run(ctx context.Context, emit func(sensors.Sample)) error {
	return o.RunUnder(ctx, func(s sensors.Sample, _ *budget.Settings) { emit(s) })
}

// RunUnder is Run that gives the settings that each sample was taken under; nil where there are none.
func (o once) RunUnder(ctx context.Context, emit func(sensors.Sample, *budget.Settings)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := o.RunNumbered(ctx, func(i int, s sensors.Sample) {
		var set *budget.Settings
		if o.recorded != nil {
			var err error
			if set, err = o.recorded(i); err != nil {
				cancel(err)
				return
			}
		}
		emit(s, set)
		if o.Position().Ended {
			cancel(nil)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}
