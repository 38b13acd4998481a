//go:build cgo || !darwin

package window

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"headroom/sensors/heat"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// Load is a running load: heat.Running.
type Load interface {
	Status() <-chan heat.Status
	Stop()
	Err() error
}

// StartLoad loads this machine until its time, a limit or ctx ends it.
type StartLoad func(ctx context.Context, o heat.Options) (Load, error)

// heating is the Heat key and what belongs to it.
type heating struct {
	v       *view
	options heat.Options
	panel   *heatPanel // nil while it is not open
	load    Load       // nil while nothing is loaded
	last    heat.Status
	// begun is set from the wish to load until the load has ended or was refused; stopping once it was told to stop.
	begun, stopping bool
}

func newHeating(v *view) *heating {
	return &heating{v: v, options: heat.Options{CPU: heat.Threads(), For: heat.DefaultFor}}
}

// off says why this machine cannot be heated from here.
func (h *heating) off() string {
	if h.v.o.Heat == nil {
		return "what is shown is not this machine"
	}
	return ""
}

// show puts the countdown on the header's key.
func (h *heating) show(b *button) {
	if !h.begun {
		b.set("Heat", "", false)
		b.setMark(draw.None)
		b.tip = "Load this machine so that it gets warm, within limits (F)"
		return
	}
	detail := "stop"
	if h.stopping {
		detail = "stopping"
	}
	b.set("Heat "+spanText(time.Duration(math.Ceil(h.last.Left))*time.Second), detail, true)
	b.setMark(draw.Text)
	b.tip = h.words() + "\nStop with F."
}

// words are what is loaded and how warm it is.
func (h *heating) words() string {
	s := &h.last
	var parts []string
	if s.Threads > 0 {
		parts = append(parts, frame.Count(uint64(s.Threads))+" threads of the CPU are loaded"+degrees(s.CPU))
	}
	if s.GPU != nil && s.GPU.Loaded {
		parts = append(parts, "the GPU is loaded"+degrees(*s.GPU))
	}
	return strings.Join(parts, "\n")
}

func degrees(d heat.Device) string {
	t, ok := d.Temperature.Get()
	if !ok {
		return ", its temperature is unknown"
	}
	text := " at " + frame.Celsius(t)
	if stop, ok := d.StopAt.Get(); ok {
		text += ", the load stops at " + frame.Celsius(stop)
	}
	return text
}

// toggle stops a load, or opens the panel.
func (h *heating) toggle() {
	switch {
	case h.off() != "":
	case h.begun:
		h.end()
	default:
		h.open()
	}
}

func (h *heating) end() {
	if h.load == nil || h.stopping {
		return
	}
	h.stopping = true
	h.v.header.update()
	h.v.beside(h.load.Stop)
}

// look says what this machine shows with the options chosen.
func (h *heating) look() (heat.Stage, error) { return heat.Look(h.v.last.frame.Sample, h.chosen()) }

// chosen are the options with the limits and the device of the window.
func (h *heating) chosen() heat.Options {
	o := h.options
	o.Device, o.Limits = h.v.set.Device, h.v.set.Limits
	return o
}

// start loads the machine; insist also where no temperature is known.
func (h *heating) start(insist bool) {
	if h.begun || h.off() != "" {
		return
	}
	o := h.chosen()
	o.Insist = insist
	h.begun, h.stopping, h.load = true, false, nil
	h.last = heat.Status{Phase: heat.Heating, Left: o.For.Seconds()}
	h.v.notices.remove("heat")
	h.v.header.update()
	h.v.beside(func() {
		load, err := h.v.o.Heat(h.v.ctx, o)
		if err != nil {
			later(func() { h.ended(err) })
			return
		}
		later(func() { h.load = load })
		for s := range load.Status() {
			later(func() { h.take(s) })
		}
		err = load.Err()
		later(func() { h.ended(err) })
	})
}

// take shows one moment of the load.
func (h *heating) take(s heat.Status) {
	h.last = s
	if h.v.closed.Load() {
		return
	}
	if s.Warning != "" && s.Phase == heat.Heating {
		h.v.notices.underWay("heat", "Loading all the same: "+s.Warning+".")
	}
	h.v.header.update()
}

// ended tells why the load ended or was refused.
func (h *heating) ended(err error) {
	h.begun, h.stopping, h.load = false, false, nil
	if h.v.closed.Load() {
		return
	}
	switch {
	case err != nil:
		h.v.notices.fault("heat", "The load did not go on: "+strings.TrimPrefix(err.Error(), "heat: "))
	case h.last.Words != "":
		h.v.notices.tell("heat", fmt.Sprintf("The load ended after %.0f s: %s.", h.last.Elapsed, h.last.Words))
	default:
		h.v.notices.tell("heat", fmt.Sprintf("The load ended after %.0f s.", h.last.Elapsed))
	}
	h.v.header.update()
}
