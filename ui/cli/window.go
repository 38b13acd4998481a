package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// windowOptions are what the window is opened with.
type windowOptions struct {
	sysroot string
	// host is what --sysroot was given, in short; empty for this machine.
	host     string
	settings budget.Settings
	// workloadChosen is whether the workload was asked for; otherwise the window may take the one it remembers.
	workloadChosen bool
	// interval is 0 where none was asked for.
	interval time.Duration
	frames   string
	// ghost is nil where none is asked for.
	ghost *frame.Ghost
	// notes is where a line may be written that the user should see.
	notes io.Writer
}

// errNoWindow says that no window can be opened here; it is wrapped with the reason.
var errNoWindow = errors.New("no window")

// newWindowCommand is the bare program: the window, or the text of watch where there can be none.
func newWindowCommand() *cobra.Command {
	var c choices
	var o windowOptions
	var ghost string
	cmd := &cobra.Command{
		Use:   "headroom",
		Short: "Show live what this machine can run, and why",
		Long: "Headroom reads a machine's power, thermal and memory sensors and shows live what it can run: the precision of\n" +
			"the weights, the backend, tiles, the way weights reach the GPU, and the passes left after fusion. Without a\n" +
			"command it opens its window.",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.settings, err = c.settings(cmd.ErrOrStderr()); err != nil {
				return err
			}
			o.sysroot, o.host, o.workloadChosen = c.sysroot, sysrootName(cmd), c.chosen()
			if o.frames != "" {
				if err := folder("--frames", filepath.Dir(o.frames)); err != nil {
					return err
				}
			}
			if o.ghost, err = ghostOf(cmd.Context(), ghost); err != nil {
				return err
			}
			if c.scenario.script != nil {
				return playScenario(cmd, c.scenario, o)
			}
			o.notes = cmd.ErrOrStderr()
			err = openWindow(cmd.Context(), o)
			if !errors.Is(err, errNoWindow) {
				return err
			}
			complain(cmd.ErrOrStderr(), err.Error()+"; showing text instead, as headroom watch does")
			noGhost(o.ghost, cmd.ErrOrStderr())
			return watchInstead(cmd.Context(), o, newTable(cmd.OutOrStdout()).show)
		},
	}
	c.add(cmd)
	c.addScenario(cmd)
	addInterval(cmd, &o.interval)
	addGhost(cmd, &ghost)
	addText(cmd, &o.frames, "frames", "FILE", "append each Frame shown to FILE as a JSON line")
	return cmd
}

// watchInstead shows what the window would, as text; frames go to their file all the same.
func watchInstead(ctx context.Context, o windowOptions, show func(frame.Frame) error) error {
	if o.interval == 0 {
		o.interval = time.Second
	}
	m := newMachine(o.sysroot, o.interval)
	defer m.Close()
	return watchToFile(ctx, m, o.settings, o.frames, show)
}

// watchToFile is watch that appends each Frame to a file beside; an empty name is none.
func watchToFile(ctx context.Context, from runner, set budget.Settings, frames string, show func(frame.Frame) error) (err error) {
	if frames == "" {
		return watch(ctx, from, set, show)
	}
	file, err := os.OpenFile(frames, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return badUsage("--frames: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return watch(ctx, from, set, func(f frame.Frame) error {
		return errors.Join(writeJSON(file, f, ""), show(f))
	})
}
