//go:build cgo || !darwin

package window

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// header is the row on top: what is run, which page, where the numbers come from, and the keys of the window.
type header struct {
	v                  *view
	root               *fyne.Container
	name               *words
	model, context, kv *button
	pages              []*button
	state              *button
	record, heat       *button
	whatIf, export     *button
	menu, help         *button
}

func newHeader(v *view) *header {
	h := &header{v: v, name: newWords(draw.Text, 1.15, true, 1)}
	h.name.set("Headroom")
	key := func(label, tip string, do func()) *button { return newButton(label, do, v.tips, v).setTip(tip) }
	h.model = key("", "What is to be run: choose a model, type a number of weights, or open a file (M)", v.chooseModel)
	h.context = key("", "Context length in tokens: it sizes the KV cache (C)", v.chooseContext)
	h.kv = key("", "Element type of the KV cache (K)", v.chooseKV)
	for i, name := range v.shownPages() {
		b := key(pageTitle(name), pageTip(name)+" ("+string(rune('1'+i))+")", func() { v.turnTo(name) })
		b.plain = true
		h.pages = append(h.pages, b)
	}
	h.state = key("", "", v.chooseInterval)
	h.state.plain = true
	h.record = key("Record", "", v.record.toggle)
	h.heat = key("Heat", "", v.heating.toggle)
	h.whatIf = key("What if", "Hold an input at a value of yours and see what follows (P)", v.toggleWhatIf)
	h.export = key("Export", "Save or copy a figure, or the page (E)", v.exportMenu)
	h.menu = key("…", "Every command (Ctrl+K)", v.commandMenu)
	h.help = key("?", "The keys (?)", v.showHelp)
	objects := []fyne.CanvasObject{h.name, h.model, h.context, h.kv}
	for _, b := range h.pages {
		objects = append(objects, b)
	}
	h.root = container.New(h, append(objects, h.state, h.heat, h.record, h.whatIf, h.export, h.menu, h.help)...)
	return h
}

func pageTitle(name string) string {
	return map[string]string{PageLive: "Live", PageModels: "Models", PageProve: "Prove", PageSensors: "Sensors"}[name]
}

func pageTip(name string) string {
	return map[string]string{
		PageLive:    "The decision and its reasons, live",
		PageModels:  "Which models this machine runs now",
		PageProve:   "What the adapter really does, beside what the plan predicts",
		PageSensors: "Every reading, and which ones decide",
	}[name]
}

// update shows the present state; each control redraws only on a difference.
func (h *header) update() {
	v, w := h.v, h.v.set.Workload
	h.model.set(w.Name, frame.Params(w.Params)+" weights", false)
	if w.Bare {
		h.model.set(frame.Params(w.Params)+" weights", "bare count", false)
		h.context.set("no context", "", false)
		h.kv.set("no KV", "", false)
	} else {
		h.context.set(frame.Count(w.Context), "tokens", false)
		h.kv.set("KV "+string(w.KVType), "", false)
	}
	h.context.setDisabled(w.Bare)
	h.kv.setDisabled(w.Bare)
	for i, b := range h.pages {
		b.set(b.label, "", v.state.Page == v.shownPages()[i])
	}
	label, tip, role := v.feedState()
	h.state.set(label, "", false)
	h.state.tip = tip
	h.state.setMark(role)
	v.record.show(h.record)
	v.heating.show(h.heat)
	held := pinned(v.set.Pins)
	detail := ""
	if len(held) > 0 {
		detail = frame.Count(uint64(len(held))) + " held"
	}
	h.whatIf.set("What if", detail, v.state.WhatIf || len(held) > 0)
	if m := h.need(); m != h.needed() {
		h.layoutNow()
	}
}

// feedState says in words where the numbers come from, with a longer tip and the colour of the mark.
func (v *view) feedState() (label, tip string, mark draw.Role) {
	const tipPace = "How often the sensors are read (I). Space holds the picture."
	switch {
	case v.last.feedErr != nil:
		return "stopped", "The sensors stopped: " + v.last.feedErr.Error(), draw.Alert
	case v.last.moment >= 0:
		return "looking at " + clock(v.last.momentAt), "The Frame of an earlier change. Esc returns to now, [ and ] go on.", draw.Muted
	case v.last.paused:
		return "held", "The picture is held; the sensors are still read. Space goes on.", draw.Muted
	case !v.last.ready && v.o.Origin == "":
		return "reading…", "The first round of all sensors is under way.", draw.Muted
	case v.o.Origin != "" && v.last.ended:
		return v.o.Origin + " · ended", "What is shown was played, it is not this machine.", draw.Muted
	case v.o.Origin != "":
		return v.o.Origin, "What is shown is played, it is not this machine.", draw.Curve
	}
	if v.o.Host != "" {
		return v.o.Host + " · " + paceText(v.interval()), "What is shown is read from " + v.o.Host + ", it is not this machine. " + tipPace, draw.Curve
	}
	return "live · " + paceText(v.interval()), tipPace, draw.Text
}

func clock(t time.Time) string { return t.Format("15:04:05") }

func paceText(d time.Duration) string {
	if d < time.Second {
		return frame.Count(uint64(d.Milliseconds())) + " ms"
	}
	return d.String()[:len(d.String())-1] + " s"
}

// The widths that the layout was made for; a text that outgrows them asks for a new layout.
func (h *header) need() float32 {
	var w float32
	for _, o := range h.root.Objects {
		w += o.MinSize().Width
	}
	return w
}

func (h *header) needed() float32 {
	var w float32
	for _, o := range h.root.Objects {
		w += o.Size().Width
	}
	return w
}

func (h *header) layoutNow() { h.Layout(nil, h.root.Size()) }

func (h *header) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// least is the room that what is visible takes, without the model and the margins.
func (h *header) least(gap float32) float32 {
	w := 2 * gap
	for _, o := range h.root.Objects {
		if !o.Visible() || o == fyne.CanvasObject(h.model) {
			continue
		}
		w += o.MinSize().Width
		if b, ok := o.(*button); !ok || !slices.Contains(h.pages, b) {
			w += gap
		}
	}
	return w
}

// Layout puts the workload left, the pages in the middle and the keys right; on a narrow window the name and what the menu
// holds anyway give way.
func (h *header) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	if s.Width < 1 {
		return
	}
	z := theme.TextSize() / 13
	margin, gap, control := 16*z, 6*z, controlHeight()
	top := (s.Height - control) / 2
	show := func(o fyne.CanvasObject, yes bool) {
		if o.Visible() != yes {
			if yes {
				o.Show()
			} else {
				o.Hide()
			}
		}
	}
	show(h.name, s.Width >= 1120*z)
	show(h.export, s.Width >= 1000*z)
	show(h.heat, h.v.o.Heat != nil && (s.Width >= 1360*z || h.v.heating.begun))
	show(h.record, h.v.o.Recorder != nil && (s.Width >= 1080*z || h.v.record.running()))
	// With large type more gives way: first what the menu holds, then the choices whose values the page shows.
	yielding := []*button{h.whatIf, h.kv, h.context}
	for _, b := range yielding {
		show(b, true)
	}
	leastModel := 60 * z
	over := h.least(gap) + 2*margin + leastModel - s.Width
	for _, b := range yielding {
		if over > 0 {
			show(b, false)
			over -= b.MinSize().Width + gap
		}
	}
	x := margin
	put := func(o fyne.CanvasObject, width float32) {
		o.Move(fyne.NewPos(x, top))
		o.Resize(fyne.NewSize(width, control))
		x += width + gap
	}
	if h.name.Visible() {
		put(h.name, h.name.MinSize().Width)
		x += gap
	}
	// From the right: the keys and the state.
	right := s.Width - margin
	for _, b := range []*button{h.help, h.menu, h.export, h.whatIf, h.record, h.heat} {
		if !b.Visible() {
			continue
		}
		w := b.MinSize().Width
		right -= w
		b.Move(fyne.NewPos(right, top))
		b.Resize(fyne.NewSize(w, control))
		right -= gap
	}
	sw := max(h.state.MinSize().Width-max(over, 0), 0)
	right -= sw
	h.state.Move(fyne.NewPos(right, top))
	h.state.Resize(fyne.NewSize(sw, control))
	right -= gap
	var pages float32
	for _, b := range h.pages {
		pages += b.MinSize().Width
	}
	var fixed float32
	for _, b := range []*button{h.context, h.kv} {
		if b.Visible() {
			fixed += b.MinSize().Width + gap
		}
	}
	put(h.model, max(min(h.model.MinSize().Width, right-x-fixed-pages-3*gap), leastModel))
	for _, b := range []*button{h.context, h.kv} {
		if b.Visible() {
			put(b, b.MinSize().Width)
		}
	}
	x += gap
	// The pages stand in the middle of the window where there is room, else in the middle of what is left.
	middle := (s.Width - pages) / 2
	if middle < x || middle+pages > right {
		middle = max(x, x+(right-x-pages)/2)
	}
	for _, b := range h.pages {
		w := b.MinSize().Width
		b.Move(fyne.NewPos(middle, top))
		b.Resize(fyne.NewSize(w, control))
		middle += w
	}
}
