package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
)

func newRecordCommand() *cobra.Command {
	var c choices
	var out string
	interval, span := time.Second, time.Duration(0)
	cmd := &cobra.Command{
		Use: "record -o FILE", Short: "Record what the sensors say, until stopped", Args: noArgs,
		Long: "Record what the sensors say to a file, for headroom replay. A file that is a recording already is continued.\n" +
			"headroom mark TEXT puts an event into it from another terminal. What was recorded survives a crash.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return badUsage("record needs a file to write: headroom record -o FILE")
			}
			set, err := c.settings(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			from, err := c.source(interval)
			if err != nil {
				return err
			}
			defer from.Close()
			head := trace.Header{By: "headroom " + version, Created: time.Now(), Settings: set}
			if c.scenario.script != nil {
				head.Origin = "scenario " + c.scenario.script.Name
			}
			w, err := trace.Create(out, head)
			if err != nil {
				return err
			}
			ctx, begun, cancel := within(cmd.Context(), span)
			defer cancel()
			complain(cmd.ErrOrStderr(), "recording to "+out+"; stop with Ctrl-C")
			return record(ctx, from, set, begun, w, out, cmd.ErrOrStderr())
		},
	}
	c.add(cmd)
	c.addScenario(cmd)
	addInterval(cmd, &interval)
	addFor(cmd, &span)
	cmd.Flags().StringVarP(&out, "output", "o", "", "the `FILE` to write or continue")
	return cmd
}

// record writes what the source emits until ctx ends, which is no error, or a sample cannot be written; begun is told of
// samples. What the proofs measured on this machine goes with the settings, so that a replay gives the same speeds.
func record(ctx context.Context, from runner, set budget.Settings, begun func(), w *trace.Writer, path string, notes io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var first, last time.Time
	var kept keptRates
	err := from.Run(ctx, func(s sensors.Sample) {
		begun()
		if isHere(from) {
			if now := kept.of(s); !maps.Equal(now.GPUs, set.Measured.GPUs) || now.RAM != set.Measured.RAM {
				set.Measured = now
				w.Settings(s.Time, set) // its error is Write's, too
			}
		}
		if err := w.Write(s); err != nil {
			cancel(err)
			return
		}
		if last = s.Time; first.IsZero() {
			first = last
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	closed := w.Close()
	if closed != nil {
		return closed
	}
	if stopped(err) {
		n, size := w.Written()
		complain(notes, fmt.Sprintf("recorded %d samples over %s to %s (%s)", n, last.Sub(first).Round(time.Second), path, humanize.IBytes(uint64(size))))
		return nil
	}
	return err
}
