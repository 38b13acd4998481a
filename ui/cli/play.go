package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
)

// playing is what is shown in place of this machine.
type playing struct {
	player *trace.Player
	// origin is "scenario NAME" or "recording FILE".
	origin   string
	settings budget.Settings
	frames   string
	// recording is whether a recording is shown, which is not recorded again; marks are its events.
	recording bool
	marks     []trace.Mark
}

// playScenario shows a scenario until the window is closed or ctx ends.
func playScenario(cmd *cobra.Command, s scenario, o windowOptions) error {
	p, err := s.player(o.interval)
	if err != nil {
		return err
	}
	return play(cmd, playing{player: p, origin: "scenario " + s.script.Name, settings: o.settings, frames: o.frames})
}

// play shows it in the window, or as text where there can be none.
func play(cmd *cobra.Command, p playing) error {
	err := playInWindow(cmd.Context(), p, cmd.ErrOrStderr())
	if !errors.Is(err, errNoWindow) {
		return err
	}
	complain(cmd.ErrOrStderr(), err.Error()+"; showing text instead")
	return watchToFile(cmd.Context(), once{p.player}, p.settings, p.frames, newTable(cmd.OutOrStdout()).show)
}

// once is a Player as a source that ends where its track does.
type once struct{ *trace.Player }

// Run plays to the end of a recording, or until ctx ends.
func (o once) Run(ctx context.Context, emit func(sensors.Sample)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return o.Player.Run(ctx, func(s sensors.Sample) {
		emit(s)
		if o.Position().Ended {
			cancel()
		}
	})
}
