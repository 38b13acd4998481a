//go:build cgo || !darwin

package window

import (
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"headroom/sensors/trace"
	"headroom/ui/frame"
)

// beginGhost has a ghost whose start is not set begin with the present Sample.
func (e *engine) beginGhost() {
	if e.ghost != nil && e.ghost.Start.IsZero() {
		e.setGhost(e.ghost, e.sample.Time)
	}
}

// setGhost draws a ghost from a moment on; a zero one is the newest Sample's. A nil ghost removes it.
func (e *engine) setGhost(g *frame.Ghost, from time.Time) {
	e.dirty = true
	if g == nil {
		e.ghost = nil
		return
	}
	if from.IsZero() {
		from = e.latest()
	}
	moved := *g
	moved.Start = from
	e.ghost = &moved
}

// chooseGhost offers what can be drawn behind the charts. Looking for recordings may have to wait for a disk.
func (v *view) chooseGhost() {
	v.beside(func() {
		names := v.o.Ghosts()
		later(func() {
			if !v.closed.Load() {
				v.ghostPicker(names)
			}
		})
	})
}

func (v *view) ghostPicker(names []string) *picker {
	size := v.canvas().Size()
	return v.open("Compare with a scenario, or type a recording's path", fyne.NewPos(size.Width/2-230*v.look.zoom, 56*v.look.zoom), 460, func(query string) []pick {
		var items []pick
		if g := v.last.ghost; g != nil {
			items = append(items,
				pick{name: "Start the ghost again from now", detail: g.Name, do: func() { v.eng.do(func() { v.eng.setGhost(g, time.Time{}) }) }},
				pick{name: "Remove the ghost", detail: g.Name, do: func() { v.eng.do(func() { v.eng.setGhost(nil, time.Time{}) }) }})
		}
		for _, name := range names {
			p := pick{name: name, detail: "scenario", do: func() { v.openGhost(name) }}
			if filepath.IsAbs(name) {
				p.name, p.detail = strings.TrimSuffix(filepath.Base(name), ".jsonl"), "recording · "+shortDir(filepath.Dir(name))
			}
			items = append(items, p)
		}
		items = matching(items, query)
		if looksLikePath(query) {
			items = append(items, pick{name: "Open " + filepath.Base(query), detail: filepath.Dir(query), do: func() { v.openGhost(query) }})
		}
		if len(items) == 0 {
			items = append(items, pick{name: "No scenario or recording of that name", detail: "type a recording's path", off: true})
		}
		return items
	})
}

// openGhost reads a scenario or a recording beside Fyne's goroutine and draws it behind the charts: in a replay from the
// recording's start on, else from now on.
func (v *view) openGhost(name string) {
	v.notices.tell("ghost", "Reading "+filepath.Base(name)+" …")
	player, replayed := v.o.Feed.(*trace.Player)
	replayed = replayed && v.base != nil // which is Fyne's goroutine's alone
	v.beside(func() {
		g, err := v.o.OpenGhost(v.ctx, name)
		var from time.Time
		if replayed && err == nil {
			from = trace.Start(player.Track())
		}
		later(func() {
			if v.closed.Load() {
				return
			}
			if err != nil {
				v.notices.fault("ghost", err.Error())
				return
			}
			v.notices.remove("ghost")
			v.eng.do(func() { v.eng.setGhost(g, from) })
		})
	})
}
