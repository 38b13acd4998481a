//go:build cgo || !darwin

package window

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/sensors"
	"headroom/sensors/gpu/prove"
	"headroom/ui/draw"
	"headroom/ui/frame"
)

// Prover measures on the real adapter what the plan says. Both are called off the window's goroutine.
type Prover interface {
	// Kept gives the adapter that would be proven and what was proven of it with its driver.
	Kept(f frame.Frame) Proven
	// Run runs the proofs one after another, keeps each outcome and tells of it and of each step.
	Run(ctx context.Context, f frame.Frame, effort prove.Effort, tell func(ProofStep)) error
}

// Proven is what is known of an adapter.
type Proven struct {
	Adapter sensors.Adapter
	// None says why there is no adapter; empty where there is one.
	None string
	// Result is empty where nothing was proven; Err says why what is kept cannot be read.
	Result prove.Result
	Err    error
}

// ProofStep is a step under way, or the outcome of a proof.
type ProofStep struct {
	Proof, Step string
	// Done is the share of this proof that is over.
	Done    float64
	Outcome *prove.Proof // nil while it runs
}

// The figure of the Prove page, and its identity among the Live page's.
const (
	proofsFigure = "proofs"
	proofsID     = 1 << 20
)

// provePage shows what was measured on the adapter beside what the plan predicts, and measures it.
type provePage struct {
	v       *view
	root    *fyne.Container
	adapter *words
	about   *words
	note    *words
	efforts []*button
	run     *button
	figure  *figure
	empty   *words

	effort  prove.Effort
	known   bool // kept was looked up
	looking string
	kept    Proven
	// cancel is nil while nothing is run; step is the newest, queue are the proofs to come.
	cancel    context.CancelFunc
	cancelled bool
	step      ProofStep
	queue     []string
	slot      slot
}

func newProvePage(v *view) *provePage {
	p := &provePage{
		v: v, adapter: newWords(draw.Text, 1.05, true, 1), about: newWords(draw.Muted, 0.92, false, 1), note: newWords(draw.Text, 0.96, false, 1),
		empty: newWords(draw.Muted, 1, false, 3), effort: prove.Quick,
	}
	for _, e := range []struct {
		effort     prove.Effort
		label, tip string
	}{
		{prove.Quick, "Quick", "At most 20 seconds of measuring on a slow adapter"},
		{prove.Standard, "Standard", "Some minutes, with data of a model's size"},
		{prove.Full, "Full", "Many minutes and gigabytes"},
	} {
		p.efforts = append(p.efforts, newButton(e.label, func() { p.choose(e.effort) }, v.tips, v).setTip(e.tip))
	}
	p.run = newButton("Prove", p.toggle, v.tips, v)
	p.figure = newFigure(v, proofsID, proofsFigure, false)
	p.figure.Hide()
	v.figures[proofsID] = p.figure
	objects := []fyne.CanvasObject{p.adapter, p.about, p.note, p.run, p.figure, p.empty}
	for _, b := range p.efforts {
		objects = append(objects, b)
	}
	p.root = container.New(p, objects...)
	p.root.Hide()
	p.update()
	return p
}

func (p *provePage) running() bool { return p.cancel != nil }

func (p *provePage) choose(e prove.Effort) {
	if !p.running() {
		p.effort = e
		p.update()
	}
}

// off says why nothing can be proven now.
func (p *provePage) off() string {
	switch {
	case p.v.o.Prove == nil && (p.v.o.Origin != "" || p.v.o.Host != ""):
		return "what is shown is not this machine"
	case p.v.o.Prove == nil:
		return "this build has no WebGPU"
	case !p.known:
		return "the adapters are being listed"
	case p.kept.None != "":
		return "there is no adapter"
	}
	return ""
}

// follow looks up what is kept when other adapters are there than before, or another one is in use.
func (p *provePage) follow() {
	if p.v.o.Prove == nil || !p.v.last.ready || p.v.last.moment >= 0 || p.running() {
		return
	}
	f := p.v.last.frame
	key := fmt.Sprint(f.Budget.InUse, " ", f.Sample.AdaptersState.Detail)
	for _, a := range f.Sample.Adapters {
		key += fmt.Sprintf("\n%s %s %s %s", a.PCI, a.Name, a.Backend, a.Driver)
	}
	if key != p.looking {
		p.looking = key
		p.lookUp()
	}
}

func (p *provePage) lookUp() {
	f := p.v.last.frame
	p.v.beside(func() {
		kept := p.v.o.Prove.Kept(f)
		later(func() {
			if !p.running() && !p.v.closed.Load() {
				p.kept, p.known = kept, true
				p.update()
			}
		})
	})
}

// toggle runs the proofs, or cancels them.
func (p *provePage) toggle() {
	if p.running() {
		p.cancelled = true
		p.cancel()
		p.update()
		return
	}
	if p.off() != "" {
		return
	}
	ctx, cancel := context.WithCancel(p.v.ctx)
	p.cancel, p.cancelled, p.queue, p.step = cancel, false, prove.Names(), ProofStep{}
	p.kept.Result.Effort = p.effort
	f, effort := p.v.last.frame, p.effort
	p.v.notices.remove("prove")
	p.update()
	p.v.beside(func() {
		err := p.v.o.Prove.Run(ctx, f, effort, func(s ProofStep) { later(func() { p.take(s) }) })
		cancel()
		later(func() { p.ended(err) })
	})
}

// proveNow turns to the page and runs the proofs, or cancels them.
func (v *view) proveNow() {
	v.turnTo(PageProve)
	v.prove.toggle()
}

// take shows a step, or a proof's outcome at once: what was measured stays, whatever becomes of the rest.
func (p *provePage) take(s ProofStep) {
	if p.v.closed.Load() {
		return
	}
	p.step = s
	if s.Outcome != nil {
		p.kept.Result.Proofs = append(slices.DeleteFunc(slices.Clone(p.kept.Result.Proofs), func(o prove.Proof) bool { return o.Name == s.Proof }), *s.Outcome)
		p.queue = slices.DeleteFunc(p.queue, func(name string) bool { return name == s.Proof })
		p.step = ProofStep{}
	}
	p.update()
}

func (p *provePage) ended(err error) {
	cancelled := p.cancelled
	p.cancel, p.cancelled, p.queue, p.step = nil, false, nil, ProofStep{}
	if p.v.closed.Load() {
		return
	}
	switch {
	case cancelled || errors.Is(err, context.Canceled):
		p.v.notices.tell("prove", "Cancelled. What was proven until then is kept.")
	case err != nil:
		p.v.notices.fault("prove", "Prove: "+err.Error())
	}
	p.update()
	p.lookUp()
	p.v.readProofs()
}

// effortTakes is about how long all proofs take.
var effortTakes = map[prove.Effort]string{
	prove.Quick: "quick, some 20 seconds", prove.Standard: "standard, some minutes", prove.Full: "full, many minutes and gigabytes",
}

// cards are the proofs in their order, in the state that each is in now.
func (p *provePage) cards() []draw.Proof {
	var out []draw.Proof
	for _, name := range prove.Names() {
		c := draw.Proof{Title: proofTitles[name][0], About: proofTitles[name][1], Bars: toMeasure(name)}
		if p.off() == "" && !p.running() {
			c.Meaning = "Not measured yet. D runs all five proofs: " + effortTakes[p.effort] + "."
		}
		if done, ok := p.kept.Result.Find(name); ok {
			c = proofCard(done)
		}
		switch {
		case p.step.Proof == name:
			c = draw.Proof{Title: c.Title, About: c.About, State: draw.ProofRunning, Step: p.step.Step, Done: p.step.Done, Bars: toMeasure(name)}
		case slices.Contains(p.queue, name):
			c = draw.Proof{Title: c.Title, About: c.About, State: draw.ProofWaiting, Bars: toMeasure(name)}
		}
		out = append(out, c)
	}
	return out
}

// update shows the present state.
func (p *provePage) update() {
	off := p.off()
	for i, e := range []prove.Effort{prove.Quick, prove.Standard, prove.Full} {
		p.efforts[i].set(p.efforts[i].label, "", p.effort == e)
		p.efforts[i].setDisabled(off != "" || p.running())
	}
	switch {
	case p.cancelled:
		p.run.set("Cancelling", "", true)
	case p.running():
		p.run.set("Cancel", "", true)
	case len(p.kept.Result.Proofs) > 0:
		p.run.set("Prove again", "", false)
	default:
		p.run.set("Prove", "", false)
	}
	p.run.setDisabled(off != "" || p.cancelled)
	a := p.kept.Adapter
	p.adapter.set(a.Name)
	p.about.set(join(a.Backend, a.Driver))
	p.note.set(p.noteWords())
	p.note.setRole(draw.Text)
	p.empty.set("")
	switch {
	case !p.known:
		p.empty.set("The adapters are being listed…")
	case p.kept.None != "":
		p.adapter.set("No adapter")
		p.empty.set("There is nothing to prove the plan on: " + strings.TrimSuffix(p.kept.None, ".") + ". Press R to look again once a driver is there.")
	}
	if show := p.empty.text == ""; show != p.figure.Visible() {
		p.figure.Hidden = !show
		p.v.sendAsk()
	}
	cards := p.cards()
	p.v.eng.do(func() { p.v.eng.setProofs(cards) })
	p.Layout(nil, p.root.Size())
}

// noteWords sum up what was proven, and warn where it says nothing of a GPU.
func (p *provePage) noteWords() string {
	r := p.kept.Result
	switch {
	case p.off() != "":
		return ""
	case p.running():
		return fmt.Sprintf("Proving: %d of %d to go. The window stays usable; other load spoils the figures.", len(p.queue), len(prove.Names()))
	case p.kept.Err != nil:
		return "What was kept cannot be read: " + p.kept.Err.Error()
	}
	good := 0
	for _, o := range r.Proofs {
		if o.Verified && o.Error == "" {
			good++
		}
	}
	text := "Nothing was proven on this adapter with this driver yet. Press D (" + effortTakes[p.effort] + ")."
	if len(r.Proofs) > 0 {
		text = fmt.Sprintf("%d of %d proofs verified against the CPU", good, len(prove.Names()))
		if !r.Date.IsZero() {
			text = join(text, r.Date.Local().Format("2 Jan 2006 15:04"))
		}
		text = join(text, string(r.Effort))
	}
	if a := p.kept.Adapter; a.Type == "cpu" {
		text = join(strings.TrimSuffix(text, "."), "a software adapter, whose figures say nothing of a GPU")
	}
	return text
}

// setProofs changes what the Prove page's figure shows.
func (e *engine) setProofs(cards []draw.Proof) { e.proofs, e.dirty = cards, true }

func (p *provePage) slots() []slot {
	if p.slot.w < 1 || !p.figure.Visible() {
		return nil
	}
	return []slot{p.slot}
}

func (p *provePage) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (p *provePage) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	if s.Width < 1 || s.Height < 1 {
		return
	}
	z := theme.TextSize() / 13
	margin, gap, control := 16*z, 6*z, controlHeight()
	y := 4 * z
	right := s.Width - margin
	put := func(o fyne.CanvasObject, w float32) {
		right -= w
		o.Move(fyne.NewPos(right, y))
		o.Resize(fyne.NewSize(w, control))
		right -= gap
	}
	put(p.run, p.run.MinSize().Width)
	right -= gap
	for _, b := range slices.Backward(p.efforts) {
		put(b, b.MinSize().Width)
	}
	room := max(right-margin-gap, 0)
	name := min(p.adapter.MinSize().Width, room)
	p.adapter.Move(fyne.NewPos(margin, y))
	p.adapter.Resize(fyne.NewSize(name, control))
	p.about.Move(fyne.NewPos(margin+name+2*gap, y))
	p.about.Resize(fyne.NewSize(max(room-name-2*gap, 0), control))
	y += control + 2*z
	line := p.note.MinSize().Height
	p.note.Move(fyne.NewPos(margin, y))
	p.note.Resize(fyne.NewSize(max(s.Width-2*margin, 0), line))
	y += line + 8*z
	p.empty.Move(fyne.NewPos(margin, y))
	p.empty.Resize(fyne.NewSize(max(s.Width-2*margin, 0), 4*line))
	size := fyne.NewSize(max(s.Width-2*margin, 1), max(s.Height-y-margin, 1))
	p.figure.Move(fyne.NewPos(margin, y))
	p.figure.Resize(size)
	u := float64(p.v.look.zoom)
	p.slot = slot{id: proofsID, figure: proofsFigure, w: float64(size.Width) / u, h: float64(size.Height) / u}
	p.v.sendAsk()
}
