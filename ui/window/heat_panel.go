//go:build cgo || !darwin

package window

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/sensors/heat"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// heatPanel says what this machine can and cannot show, and starts the load.
type heatPanel struct {
	h       *heating
	over    *overlay
	verdict *words
	advice  *words
	shows   []showRow
	choices []heatChoice
	start   *button
	insist  *button
	// above, list and below are the panel's parts from the top.
	above, list, below *fyne.Container
}

// showRow is one thing that can be shown, or not.
type showRow struct {
	can, what, words *words
	line             *fyne.Container
}

// heatChoice is a key of the panel that is checked while it is chosen.
type heatChoice struct {
	b      *button
	chosen func() bool
	off    func() string
}

// heatWidth is the width of the panel in the theme's normal type, heatRoom what it leaves around its words.
const (
	heatWidth = 760
	heatRoom  = 36
)

// width is the room that the panel's words have.
func (p *heatPanel) width() float32 {
	v := p.h.v
	return min(heatWidth*v.look.zoom, v.canvas().Size().Width-32) - heatRoom*v.look.zoom
}

// say writes words over as many lines as they need, two at most.
func say(w *words, text string, width float32) {
	w.lines = len(wrap(text, width, w.textSize(), len(w.texts)))
	w.set(text)
	w.Refresh()
}

// mostShows is how many things a Stage tells of at most.
const mostShows = 10

func (h *heating) open() {
	v := h.v
	v.closeOverlays()
	if !v.last.ready {
		v.notices.tell("heat", "What this machine can show is not known yet: the sensors are being read.")
		return
	}
	p := &heatPanel{h: h, verdict: newWords(draw.Text, 1, true, 2), advice: newWords(draw.Muted, 0.92, false, 2), list: container.NewVBox()}
	title, seen := newWords(draw.Text, 1.25, true, 1), newWords(draw.Muted, 0.92, true, 1)
	title.set("Heat this machine")
	seen.set("What of it can be seen here")
	for range mostShows {
		r := showRow{newWords(draw.Text, 0.96, true, 1), newWords(draw.Text, 0.96, true, 1), newWords(draw.Muted, 0.96, false, 2), nil}
		r.line = container.New(showColumns{}, r.can, r.what, r.words)
		p.shows = append(p.shows, r)
		p.list.Add(r.line)
	}
	p.start = newButton("Heat", func() { p.begin(false) }, v.tips, v)
	p.insist = newButton("Heat all the same", func() { p.begin(true) }, v.tips, v).
		setTip("Load also where no temperature is known. It still ends at its time, and at a limit that is known.")
	cancel := newButton("Cancel", func() { p.over.close() }, v.tips, v)
	cancel.plain = true
	z := v.look.zoom
	p.above = container.NewVBox(title, p.verdict, p.advice, container.New(spacer{top: 8 * z}, seen))
	p.below = container.NewVBox(
		container.New(spacer{top: 8 * z}, p.row("CPU", p.cpuChoices())), p.row("GPU", p.gpuChoices()), p.row("For", p.timeChoices()),
		container.New(spacer{top: 8 * z}, container.NewHBox(p.start, p.insist, cancel)))
	body := container.New(spacer{top: 6 * z, side: 10 * z}, container.NewBorder(p.above, p.below, nil, nil, container.NewVScroll(p.list)))
	h.panel = p
	p.update()
	p.over = v.overlay(body, func(window fyne.Size) (fyne.Position, fyne.Size) {
		z := v.look.zoom
		need := p.above.MinSize().Height + p.list.MinSize().Height + p.below.MinSize().Height
		w, most := min(heatWidth*z, window.Width-32), min(need+2*theme.Padding()+46*z, window.Height-32)
		return fyne.NewPos((window.Width-w)/2, (window.Height-most)/2), fyne.NewSize(w, most)
	})
	if p.start.disabled {
		v.canvas().Focus(cancel) // never on what heats all the same
	} else {
		v.canvas().Focus(p.start)
	}
}

func (p *heatPanel) row(name string, choices []heatChoice) fyne.CanvasObject {
	label := newWords(draw.Muted, 0.96, true, 1)
	label.least = 46 * p.h.v.look.zoom
	label.set(name)
	row := container.NewHBox(label)
	for _, c := range choices {
		row.Add(c.b)
	}
	p.choices = append(p.choices, choices...)
	return row
}

func (p *heatPanel) choice(label string, chosen func() bool, choose func(*heat.Options)) heatChoice {
	b := newButton(label, func() {
		choose(&p.h.options)
		p.update()
	}, p.h.v.tips, p.h.v)
	return heatChoice{b: b, chosen: chosen}
}

func (p *heatPanel) cpuChoices() []heatChoice {
	o, all := &p.h.options, heat.Threads()
	threads := func(n int, label string) heatChoice {
		return p.choice(label, func() bool { return o.CPU == n }, func(o *heat.Options) { o.CPU = n })
	}
	list := []heatChoice{threads(0, "idle")}
	if all > 1 {
		list = append(list, threads(all/2, frame.Count(uint64(all/2))+" of "+frame.Count(uint64(all))+" threads"))
	}
	return append(list, threads(all, "all threads"))
}

func (p *heatPanel) gpuChoices() []heatChoice {
	o := &p.h.options
	off := p.choice("idle", func() bool { return !o.GPU }, func(o *heat.Options) { o.GPU = false })
	on := p.choice("loaded", func() bool { return o.GPU }, func(o *heat.Options) { o.GPU = true })
	on.off = func() string {
		if st, err := p.h.look(); err == nil && st.Now.GPU == nil {
			return st.Now.NoGPU
		}
		return ""
	}
	return []heatChoice{off, on}
}

func (p *heatPanel) timeChoices() []heatChoice {
	o := &p.h.options
	var list []heatChoice
	for _, d := range []time.Duration{15 * time.Second, time.Minute, 3 * time.Minute, heat.MaxFor} {
		label := frame.Count(uint64(d.Minutes())) + " min"
		if d < time.Minute {
			label = frame.Count(uint64(d.Seconds())) + " s"
		}
		list = append(list, p.choice(label, func() bool { return o.For == d }, func(o *heat.Options) { o.For = d }))
	}
	return list
}

// update says what the present moment and choices make possible.
func (p *heatPanel) update() {
	st, err := p.h.look()
	for _, c := range p.choices {
		c.b.set(c.b.label, "", c.chosen())
		if c.off != nil {
			why := c.off()
			c.b.setDisabled(why != "" && !c.chosen())
			c.b.tip = why
		}
	}
	possible := err == nil && st.Possible
	switch {
	case err != nil:
		say(p.verdict, "Choose something to load.", p.width())
		say(p.advice, "", p.width())
	case possible && p.h.options.CPU > 0 && strings.Contains(st.Command, "--cpu 0"):
		possible = false
		say(p.verdict, "Only the GPU alone can be heated here: leave the CPU idle.", p.width())
		say(p.advice, "", p.width())
	case possible:
		say(p.verdict, "Possible: "+st.Words+".", p.width())
		say(p.advice, "The same in a terminal: "+st.Command, p.width())
	default:
		say(p.verdict, "Not possible: "+st.Words+".", p.width())
		say(p.advice, "Any machine shows it as a scenario: headroom --scenario "+st.Scenario, p.width())
	}
	p.start.setDisabled(!possible)
	if show := err == nil && !possible; show != p.insist.Visible() {
		p.insist.Hidden = !show
		p.insist.Refresh()
	}
	columns := showWidths(p.shows[0].can)
	for i, r := range p.shows {
		if i >= len(st.Shows) {
			r.line.Hide()
			continue
		}
		r.line.Show()
		s := st.Shows[i]
		r.can.set(map[bool]string{true: "yes", false: "no"}[s.Can])
		r.can.setRole(map[bool]draw.Role{true: draw.Text, false: draw.Muted}[s.Can])
		r.what.set(s.What)
		say(r.words, strings.TrimSuffix(s.Words, " with --gpu"), p.width()-columns[0]-columns[1]-8)
	}
	if p.over != nil {
		p.over.Refresh()
	}
}

// begin closes the panel and starts the load.
func (p *heatPanel) begin(insist bool) {
	p.over.close()
	p.h.start(insist)
}

// showColumns lay out yes or no, what it is of, and the words.
type showColumns struct{}

// showWidths are the widths of the first two columns.
func showWidths(can fyne.CanvasObject) [2]float32 {
	z := can.MinSize().Height / 16
	return [2]float32{34 * z, 128 * z}
}

func (showColumns) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, max(o[0].MinSize().Height*1.15, o[2].MinSize().Height))
}

func (showColumns) Layout(o []fyne.CanvasObject, s fyne.Size) {
	w, line := showWidths(o[0]), o[0].MinSize().Height*1.15
	o[0].Resize(fyne.NewSize(w[0], line))
	o[1].Move(fyne.NewPos(w[0], 0))
	o[1].Resize(fyne.NewSize(w[1], line))
	o[2].Move(fyne.NewPos(w[0]+w[1], 0))
	o[2].Resize(fyne.NewSize(max(s.Width-w[0]-w[1]-8, 0), max(line, o[2].MinSize().Height)))
}
