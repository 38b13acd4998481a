package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"headroom/policy/workload"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// addGhost defines --ghost.
func addGhost(cmd *cobra.Command, to *string) {
	addText(cmd, to, "ghost", "NAME|FILE", "draw a scenario or a recording dashed behind the charts, to compare with")
}

// isScenario reports whether there is a scenario of that name.
func isScenario(name string) bool {
	_, err := trace.Scenario(name)
	return err == nil
}

// noGhost says that text has no charts for a ghost to stand behind.
func noGhost(g *frame.Ghost, notes io.Writer) {
	if g != nil {
		complain(notes, "--ghost is drawn in the window's charts, and is left aside")
	}
}

// ghostOf makes the ghost that --ghost asks for; nil where it asks for none.
func ghostOf(ctx context.Context, name string) (*frame.Ghost, error) {
	if name == "" {
		return nil, nil
	}
	g, err := openGhost(ctx, name)
	if err != nil {
		return nil, badUsage("--ghost: %w", err)
	}
	return g, nil
}

// openGhost makes the ghost of a scenario, or of a recording's file. It follows the machine alone: nothing is pinned, and
// memory is what was free, for what a model needs beside its weights depends on the model that is shown.
func openGhost(ctx context.Context, name string) (*frame.Ghost, error) {
	bare := workload.Bare(1)
	if script, err := trace.Scenario(name); err == nil {
		g := &frame.Ghost{Name: name}
		err := follow(ctx, g, script.Every(frame.GhostStep), func(int) (*budget.Settings, error) {
			return &budget.Settings{Workload: bare}, nil
		})
		return g, err
	}
	r, err := trace.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w; give a recording, or a scenario: headroom scenarios lists them", err)
	}
	defer r.Close()
	if r.Len() == 0 {
		return nil, fmt.Errorf("open recording %s: it holds no sample", name)
	}
	g := &frame.Ghost{Name: strings.TrimSuffix(filepath.Base(name), ".jsonl")}
	at := newPast(r, budget.Settings{Workload: bare}, true).at
	return g, follow(ctx, g, r, func(i int) (*budget.Settings, error) {
		set, err := at(i)
		if err != nil {
			return nil, err
		}
		own := *set
		own.Pins = budget.Pins{}
		return &own, nil
	})
}

// follow adds a track's moments to a ghost, from its start on.
func follow(ctx context.Context, g *frame.Ghost, t trace.Track, settings func(i int) (*budget.Settings, error)) error {
	last := -1
	for at := time.Duration(0); at <= min(t.Length(), frame.GhostSpan); at += frame.GhostStep {
		if err := ctx.Err(); err != nil {
			return err
		}
		i, err := t.Index(at)
		if err != nil {
			return err
		}
		if i == last {
			continue
		}
		last = i
		s, offset, err := t.At(i)
		if err != nil {
			continue // one damaged sample
		}
		set, err := settings(i)
		if err != nil {
			return err
		}
		g.Add(offset, frame.New(s, *set))
	}
	return nil
}
