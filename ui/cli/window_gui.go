//go:build cgo && !nogui

package cli

import (
	"context"
	"errors"
	"fmt"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
	"headroom/ui/window"
)

const hasWindow = true

// openWindow shows this machine until the window is closed.
func openWindow(ctx context.Context, o windowOptions) error {
	if err := window.HasDisplay(); err != nil {
		return fmt.Errorf("%w: %w", errNoWindow, err)
	}
	if !o.workloadChosen {
		o.settings.Workload = workload.Workload{}
	}
	// A catalogue that cannot be read leaves the default model and files to choose from.
	models, err := modelfile.Catalogue()
	if err != nil {
		complain(o.notes, err)
	}
	m := newMachine(o.sysroot, o.interval)
	defer m.Close()
	err = window.Run(ctx, window.Options{
		Feed: m, Settings: o.settings, Interval: o.interval, SetInterval: m.SetInterval, Refresh: m.Refresh,
		FramesFile: o.frames, Models: models, OpenModel: openModel, Version: version,
	})
	if errors.Is(err, window.ErrNoDisplay) {
		return fmt.Errorf("%w: %w", errNoWindow, err)
	}
	return err
}

// openModel sizes a model file at its default context.
func openModel(path string) (workload.Workload, error) {
	file, err := modelfile.Open(path)
	if err != nil {
		return workload.Workload{}, err
	}
	return file.Model.At(workload.Options{}), nil
}
