//go:build cgo && !nogui

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
	"headroom/ui/window"
)

const hasWindow = true

// openWindow shows this machine until the window is closed.
func openWindow(ctx context.Context, o windowOptions) error {
	if !o.workloadChosen {
		o.settings.Workload = workload.Workload{}
	}
	m := newMachine(o.sysroot, o.interval)
	defer m.Close()
	rec := newRecorder(recordingsDir(), "")
	defer rec.Close()
	w := window.Options{
		Recorder: rec, Heat: startLoad(o.sysroot),
		Feed: m, Settings: o.settings, Interval: o.interval, SetInterval: m.SetInterval, Refresh: m.Refresh, FramesFile: o.frames,
		Ghost: o.ghost, Host: o.host,
	}
	if isHere(m) {
		w.Prove = windowProver()
		w.Proven, w.KeptRAM, w.MeasureRAM, w.Watched = provenRates, keptRAM, measuredRAM, m.setWatched
	}
	return runWindow(ctx, w, o.notes)
}

// playInWindow shows a scenario or a recording until the window is closed.
func playInWindow(ctx context.Context, p playing, notes io.Writer) error {
	o := window.Options{Feed: p.player, Settings: p.settings, FramesFile: p.frames, Origin: p.origin, Marks: drawnMarks(p.marks)}
	o.Recorded, o.Ghost = p.recorded, p.ghost
	if p.recorded == nil {
		rec := newRecorder(recordingsDir(), p.origin)
		defer rec.Close()
		o.Recorder = rec
	}
	return runWindow(ctx, o, notes)
}

// runWindow runs the window with what every window is offered.
func runWindow(ctx context.Context, o window.Options, notes io.Writer) error {
	if err := window.HasDisplay(); err != nil {
		return fmt.Errorf("%w: %w", errNoWindow, err)
	}
	// A catalogue that cannot be read leaves the default model and files to choose from.
	models, err := modelfile.Catalogue()
	if err != nil {
		complain(notes, err)
	}
	o.Models, o.Here, o.OpenModel, o.Version = models, modelsHere, openModel, build()
	o.Ghosts, o.OpenGhost = ghosts, openGhost
	err = window.Run(ctx, o)
	if errors.Is(err, window.ErrNoDisplay) {
		return fmt.Errorf("%w: %w", errNoWindow, err)
	}
	return err
}

// openModel sizes a model file.
func openModel(path string) (window.Offer, error) {
	file, err := modelfile.Open(path)
	if err != nil {
		return window.Offer{}, err
	}
	return window.Offer{Offer: fileOffer(file), Path: path}, nil
}
