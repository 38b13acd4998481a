//go:build cgo || !darwin

package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"headroom/policy/workload/modelfile"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/draw"
	"headroom/ui/window"
)

// window pictures the window as it stands on a display: with the keys that it has there for what is shown.
func (s *shot) window(cmd *cobra.Command, told scene, th draw.Theme) (draw.Scene, error) {
	if s.w < window.MinWidth || s.h < window.MinHeight {
		return draw.Scene{}, badUsage("--size %vx%v is less than the window's least, %dx%d", s.w, s.h, window.MinWidth, window.MinHeight)
	}
	o := window.Options{Version: build(), Host: sysrootName(cmd)}
	var err error
	if told.here {
		o.Models, err = modelfile.Catalogue()
		o.Prove, o.Here, o.MeasureRAM = windowProver(), modelsHere, measuredRAM
	} else {
		// The same picture for every user: neither their models nor their own catalogue.
		o.Models, err = modelfile.BuiltIn()
	}
	if err != nil {
		complain(cmd.ErrOrStderr(), err)
	}
	if told.player != nil {
		o.Feed = told.player
	} else {
		o.Heat, o.SetInterval = startLoad(s.sysroot), func(time.Duration) {}
	}
	if !strings.HasPrefix(told.Origin, "recording ") {
		o.Recorder = unpressed{}
	}
	page := map[string]string{"window": window.PageLive, "models": window.PageModels, "sensors": window.PageSensors}[s.view]
	return window.Picture(cmd.Context(), told.Context, o, page, s.w, s.h, th)
}

// unpressed stands behind the Record key of a picture, where nobody can press it.
type unpressed struct{}

var errPicture = errors.New("record: this is a picture")

func (unpressed) Add(sensors.Sample)                                 {}
func (unpressed) Settings(time.Time, budget.Settings)                {}
func (unpressed) Mark(time.Time, string)                             {}
func (unpressed) Start(budget.Settings, func(error)) (string, error) { return "", errPicture }
func (unpressed) Stop() (samples int, bytes int64, err error)        { return 0, 0, errPicture }
func (unpressed) Save(budget.Settings) (path string, err error)      { return "", errPicture }

// modelsHere are the models that are on this machine already.
func modelsHere(ctx context.Context) []window.Offer {
	here, _ := offersHere(ctx)
	offers := make([]window.Offer, len(here))
	for i, o := range here {
		offers[i] = window.Offer{Offer: o.Offer, Path: o.path}
	}
	return offers
}
