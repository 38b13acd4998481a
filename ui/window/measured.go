//go:build cgo || !darwin

package window

import (
	"fmt"
	"strings"

	"headroom/sensors"
	"headroom/ui/frame"
)

// followProofs looks up what the proofs measured when other adapters are there than before.
func (v *view) followProofs() {
	if !v.last.ready {
		return
	}
	var b strings.Builder
	for _, a := range v.last.frame.Sample.Adapters {
		fmt.Fprintf(&b, "%s %s %s %s\n", a.PCI, a.Name, a.Backend, a.Driver)
	}
	v.readRAM()
	if now := b.String(); now != v.provenFor {
		v.provenFor = now
		v.readProofs()
	}
}

// readRAM puts what was measured of RAM in an earlier run among the settings, unless it was measured in this one.
func (v *view) readRAM() {
	if v.ramLooked || v.o.KeptRAM == nil || v.o.Origin != "" {
		return
	}
	v.ramLooked = true
	sample := v.last.frame.Sample
	v.beside(func() {
		r := v.o.KeptRAM(sample)
		later(func() {
			if v.closed.Load() || !r.Usable() || v.set.Measured.RAM.Known() {
				return
			}
			v.tookRAM(r)
		})
	})
}

// tookRAM has speeds made from a measured bandwidth.
func (v *view) tookRAM(r sensors.Reading) {
	v.set.Measured.RAM, v.ramBasis = r.Value, join(r.Detail, r.At.Local().Format("2 Jan 2006 15:04"))
	v.settingsChanged()
	v.models.update()
}

// readProofs puts what the proofs measured on this machine among the settings.
func (v *view) readProofs() {
	if v.o.Proven == nil || v.o.Origin != "" {
		return
	}
	sample := v.last.frame.Sample
	v.beside(func() {
		gpus := v.o.Proven(sample)
		later(func() {
			if v.closed.Load() || len(gpus) == 0 && len(v.set.Measured.GPUs) == 0 {
				return
			}
			v.set.Measured.GPUs = gpus
			v.settingsChanged()
		})
	})
}

// cannotMeasure says why RAM is not to be measured now; empty where it can be.
func (v *view) cannotMeasure() string {
	switch {
	case v.o.MeasureRAM == nil || v.o.Origin != "":
		return "what is shown is not this machine"
	case !v.last.ready:
		return "the sensors are not read yet"
	case v.measuring:
		return "it is being measured"
	}
	return ""
}

// measureRAM measures how fast RAM is read, beside Fyne's goroutine, and puts it among the settings.
func (v *view) measureRAM() {
	if v.cannotMeasure() != "" {
		return
	}
	v.measuring = true
	v.models.update()
	sample := v.last.frame.Sample
	v.beside(func() {
		r := v.o.MeasureRAM(v.ctx, sample)
		later(func() {
			if v.closed.Load() {
				return
			}
			v.measuring = false
			if r.Usable() {
				v.tookRAM(r)
				v.notices.tell("ram", "RAM is read at "+ramWords(r.Value)+": "+r.Detail+". Speeds are made from it.")
			} else {
				v.notices.fault("ram", "The speed of RAM was "+r.Detail+".")
			}
			v.models.update()
		})
	})
}

// ramWords is a measured bandwidth, or a dash.
func ramWords(n sensors.Number) string {
	if rate, ok := n.Get(); ok {
		return frame.Rate(rate)
	}
	return unknownText
}
