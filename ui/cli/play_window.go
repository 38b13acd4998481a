//go:build cgo && !nogui

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"headroom/policy/workload/modelfile"
	"headroom/ui/window"
)

// playInWindow shows it in the window until that is closed.
func playInWindow(ctx context.Context, p playing, notes io.Writer) error {
	if err := window.HasDisplay(); err != nil {
		return fmt.Errorf("%w: %w", errNoWindow, err)
	}
	models, err := modelfile.Catalogue()
	if err != nil {
		complain(notes, err)
	}
	err = window.Run(ctx, window.Options{
		Feed: p.player, Settings: p.settings, FramesFile: p.frames, Origin: p.origin, Models: models, OpenModel: openModel, Version: version,
	})
	if errors.Is(err, window.ErrNoDisplay) {
		return fmt.Errorf("%w: %w", errNoWindow, err)
	}
	return err
}
