//go:build cgo || !darwin

package window

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

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
	told    int // how many things the Stage tells of
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

// mostShows is how many things a Stage tells of at most.
const mostShows = 10

func (h *heating) open() {
	v := h.v
	v.closeOverlays()
	if !v.last.ready {
		v.notices.tell("heat", "What this machine can show is not known yet: the sensors are being read.")
		return
	}
	p := &heatPanel{h: h, verdict: newWords(draw.Text, 1, true, 2), advice: newWords(draw.Muted, 0.92, false, 1)}
	title := newWords(draw.Text, 1.25, true, 1)
	title.set("Heat this machine")
	list := container.NewVBox()
	for range mostShows {
		r := showRow{newWords(draw.Text, 0.96, true, 1), newWords(draw.Text, 0.96, true, 1), newWords(draw.Muted, 0.96, false, 1), nil}
		r.line = container.New(showColumns{}, r.can, r.what, r.words)
		p.shows = append(p.shows, r)
		list.Add(r.line)
	}
	p.start = newButton("Heat", func() { p.begin(false) }, v.tips, v)
	p.insist = newButton("Heat all the same", func() { p.begin(true) }, v.tips, v).
		setTip("Load also where no temperature is known. It still ends at its time, and at a limit that is known.")
	cancel := newButton("Cancel", func() { p.over.close() }, v.tips, v)
	cancel.plain = true
	body := container.New(spacer{top: 6, side: 10}, container.NewBorder(
		container.NewVBox(title, p.verdict, p.advice), container.NewVBox(
			p.row("CPU", p.cpuChoices()), p.row("GPU", p.gpuChoices()), p.row("For", p.timeChoices()),
			container.New(spacer{top: 8}, container.NewHBox(p.start, p.insist, cancel))),
		nil, nil, container.New(spacer{top: 4}, container.NewVScroll(list)),
	))
	h.panel = p
	p.update()
	p.over = v.overlay(body, func(window fyne.Size) (fyne.Position, fyne.Size) {
		z := v.look.zoom
		rows := float32(p.told) * p.shows[0].can.MinSize().Height * 1.4
		w, most := min(760*z, window.Width-32), min(310*z+rows, window.Height-32)
		return fyne.NewPos((window.Width-w)/2, (window.Height-most)/2), fyne.NewSize(w, most)
	})
	v.canvas().Focus(p.start)
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
		p.verdict.set("Choose something to load.")
		p.advice.set("")
	case possible && p.h.options.CPU > 0 && strings.Contains(st.Command, "--cpu 0"):
		possible = false
		p.verdict.set("Only the GPU alone can be heated here: leave the CPU idle.")
		p.advice.set("")
	case possible:
		p.verdict.set("Possible: " + st.Words + ".")
		p.advice.set("The same in a terminal: " + st.Command)
	default:
		p.verdict.set("Not possible: " + st.Words + ".")
		p.advice.set("Any machine shows it as a scenario: headroom --scenario " + st.Scenario)
	}
	p.start.setDisabled(!possible)
	if show := err == nil && !possible; show != p.insist.Visible() {
		p.insist.Hidden = !show
		p.insist.Refresh()
	}
	p.told = len(st.Shows)
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
		r.words.set(s.Words)
	}
}

// begin closes the panel and starts the load.
func (p *heatPanel) begin(insist bool) {
	p.over.close()
	p.h.start(insist)
}

// showColumns lay out yes or no, what it is of, and the words.
type showColumns struct{}

func (showColumns) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, o[0].MinSize().Height*1.15)
}

func (showColumns) Layout(o []fyne.CanvasObject, s fyne.Size) {
	z := o[0].MinSize().Height / 16
	can, what := 34*z, 128*z
	o[0].Resize(fyne.NewSize(can, s.Height))
	o[1].Move(fyne.NewPos(can, 0))
	o[1].Resize(fyne.NewSize(what, s.Height))
	o[2].Move(fyne.NewPos(can+what, 0))
	o[2].Resize(fyne.NewSize(max(s.Width-can-what-8, 0), s.Height))
}
