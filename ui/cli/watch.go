package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

func newWatchCommand() *cobra.Command {
	var c choices
	var asJSON bool
	interval, span := time.Second, time.Duration(0)
	cmd := &cobra.Command{
		Use: "watch", Short: "Print live what this machine can run, until stopped", Args: noArgs,
		Long: "Watch prints live what this machine can run, until stopped: on a terminal one page that is kept up to date, elsewhere a\n" +
			"line for each sample. A figure with a question mark was not read but assumed.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := c.settings(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			ctx, begun, cancel := within(cmd.Context(), span)
			defer cancel()
			out := cmd.OutOrStdout()
			show := func(f frame.Frame) error { return writeJSON(out, f, "") }
			if !asJSON {
				show = newTable(out).show
			}
			from, err := c.source(interval)
			if err != nil {
				return err
			}
			defer from.Close()
			return watch(ctx, from, set, func(f frame.Frame) error {
				begun()
				return show(f)
			})
		},
	}
	c.add(cmd)
	c.addScenario(cmd)
	addInterval(cmd, &interval)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	addFor(cmd, &span)
	return cmd
}

// addFor defines --for.
func addFor(cmd *cobra.Command, span *time.Duration) {
	cmd.Flags().Var(&parsed{kind: "TIME", read: func(s string) (err error) {
		*span, err = parseSpan(s, minInterval, maxRuntime)
		return err
	}}, "for", "end that long after the first sample: 30s, 5m (default: never)")
}

// within ends ctx a span after begun is first called, with the first sample: what comes before, such as a slow driver's
// answer, takes nothing off it. A span of 0 is no end.
func within(ctx context.Context, span time.Duration) (_ context.Context, begun func(), cancel context.CancelFunc) {
	ctx, cancel = context.WithCancel(ctx)
	return ctx, sync.OnceFunc(func() {
		if span > 0 {
			time.AfterFunc(span, cancel)
		}
	}), cancel
}

// addInterval defines --interval.
func addInterval(cmd *cobra.Command, interval *time.Duration) {
	cmd.Flags().Var(&parsed{kind: "TIME", read: func(s string) (err error) {
		*interval, err = parseSpan(s, minInterval, maxInterval)
		return err
	}}, "interval", "time between samples: 500ms, 2s (default 1s)")
}

// watch shows one Frame after another until ctx ends, which is no error, or until one cannot be shown.
func watch(ctx context.Context, from runner, set budget.Settings, show func(frame.Frame) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var kept keptRates
	each := func(s sensors.Sample, under *budget.Settings) {
		if ctx.Err() != nil {
			return
		}
		switch {
		case under != nil:
			set = *under
		case isHere(from):
			set.Measured = kept.of(s)
		}
		if err := show(frame.New(s, set)); err != nil {
			cancel(err)
		}
	}
	run := func() error { return from.Run(ctx, func(s sensors.Sample) { each(s, nil) }) }
	if o, ok := from.(once); ok {
		run = func() error { return o.RunUnder(ctx, each) }
	}
	err := run()
	if cause := context.Cause(ctx); cause != nil && !stopped(cause) {
		return cause
	}
	if stopped(err) {
		return nil
	}
	return err
}

// stopped is an end that was asked for.
func stopped(err error) bool {
	return err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
