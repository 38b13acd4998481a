//go:build cgo && !nogui

package cli

import (
	"context"
	"errors"
	"fmt"

	"headroom/ui/window"
)

const hasWindow = true

func openWindow(ctx context.Context, o windowOptions) error {
	if err := window.HasDisplay(); err != nil {
		return fmt.Errorf("%w: %w", errNoWindow, err)
	}
	poller := newPoller(o.sysroot, o.interval)
	defer poller.Close()
	err := window.Run(ctx, window.Options{
		Feed: poller, Settings: o.settings, Interval: o.interval, SetInterval: poller.SetInterval, Refresh: poller.Refresh,
		FramesFile: o.frames, Version: version,
	})
	if errors.Is(err, window.ErrNoDisplay) {
		return fmt.Errorf("%w: %w", errNoWindow, err)
	}
	return err
}
