//go:build cgo || !darwin

package window

import (
	"context"
	"image"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/draw"
)

// The pages' names, as the settings file keeps them. Picture takes all but PageProve.
const (
	PageLive    = "live"
	PageModels  = "models"
	PageProve   = "prove"
	PageSensors = "sensors"
)

var pageNames = []string{PageLive, PageModels, PageProve, PageSensors}

// view is the window's content and state. All of it belongs to Fyne's goroutine.
type view struct {
	o    Options
	win  fyne.Window
	app  fyne.App
	look *look
	eng  *engine
	ctx  context.Context

	state  remembered // what is kept for the next run
	keeper *keeper    // nil where nothing is kept
	set    budget.Settings
	base   *budget.Settings // the recorded settings that set follows, save what is own; nil for none
	own    own
	choice modelChoice
	// openLater is a remembered model file, to be read once the window runs.
	openLater modelChoice
	again     chan struct{} // starts an ended feed again
	// beside runs work beside Fyne's goroutine, after has something done on it after a while.
	beside func(func())
	after  func(time.Duration, func())

	last    shown
	asked   ask
	figures map[int]*figure
	demo    bool
	closed  atomic.Bool
	hidden  bool // the window is iconified
	native  bool // a real window, whose iconifying is not watched yet
	still   bool // pictured as a scene: figures are made, but not painted
	unseen  atomic.Bool
	telling sync.Mutex // held while Watched is told
	// provenFor are the adapters that proofs were looked up for; measuring is whether RAM is being measured.
	provenFor string
	measuring bool
	ramBasis  string // how RAM was measured, and when
	ramLooked bool   // an earlier measurement was looked for

	actions []*action
	tips    *tipLayer
	header  *header
	notices *noticeBar
	whatIf  *whatIf
	settled *settledBar
	player  *playerBar
	record  *record
	heating *heating
	live    *livePage
	sensors *sensorsPage
	models  *modelsPage
	// found are the models that programs keep on this machine, opened those whose files were given by hand, the latest first.
	found, opened []Offer
	prove         *provePage
	pickEntry     *pickEntry               // nil until the first picker
	pickBox       *container.ThemeOverride // holds pickEntry
	shell         *fyne.Container
	pages         *fyne.Container
	focusedFigure *figure
	tray          *tray
}

// newView builds the window's content for an app; the engine starts with the settings that it chose.
func newView(ctx context.Context, app fyne.App, o Options, state remembered) *view {
	v := &view{
		o: o, app: app, ctx: ctx, state: state, set: o.Settings, look: &look{scheme: state.Theme, zoom: 1},
		figures: map[int]*figure{}, again: make(chan struct{}, 1),
		beside: func(work func()) { go work() },
		after:  func(d time.Duration, do func()) { time.AfterFunc(d, func() { later(do) }) },
	}
	v.startSettings()
	if o.Recorded != nil {
		base := v.set
		v.base = &base
	}
	app.Settings().SetTheme(v.look)
	v.win = app.NewWindow("Headroom") // X11 takes the window's class from this first title
	v.win.SetPadded(false)
	v.win.SetMaster()
	v.eng = newEngine(o, v.set, func(s shown) { later(func() { v.apply(s) }) })

	v.record, v.heating = newRecord(v), newHeating(v)
	v.tips = newTipLayer()
	v.actions = v.listActions()
	v.notices = newNoticeBar(v)
	v.header = newHeader(v)
	v.whatIf = newWhatIf(v)
	v.settled = newSettledBar(v)
	v.player = newPlayerBar(v)
	v.live = newLivePage(v)
	v.sensors = newSensorsPage(v)
	v.models = newModelsPage(v)
	v.prove = newProvePage(v)
	v.pages = container.New(onePage{}, v.live.root, v.models.root, v.prove.root, v.sensors.root)
	for _, page := range v.pages.Objects {
		page.Hide() // until it is turned to
	}
	v.shell = container.New(&shellLayout{v}, v.pages, v.header.root, v.notices.root, v.settled.root, v.player.root, v.whatIf.root)
	v.win.SetContent(container.New(fill{least: fyne.NewSize(minWidth, minHeight)}, v.shell, v.tips))
	v.win.Resize(fyne.NewSize(state.Width, state.Height))
	v.bindKeys()
	v.win.SetOnDropped(v.dropped)
	v.turnTo(state.Page)
	v.header.update()
	v.whatIf.update()
	return v
}

func (v *view) title() string {
	if v.o.Origin != "" {
		return "Headroom: " + v.o.Origin
	}
	if v.o.Host != "" {
		return "Headroom: " + v.o.Host
	}
	return "Headroom"
}

func (v *view) canvas() fyne.Canvas { return v.win.Canvas() }

// remembers reports whether this window's choices are kept: what is played is not this machine.
func (v *view) remembers() bool { return v.o.Origin == "" }

// changedState keeps the present state for the next run.
func (v *view) changedState() {
	if v.keeper != nil {
		v.keeper.set(v.state)
	}
}

// shownPages are the pages that this window has, in order.
func (v *view) shownPages() []string {
	if v.o.Prove != nil {
		return pageNames
	}
	return []string{PageLive, PageModels, PageSensors}
}

// turnTo shows a page.
func (v *view) turnTo(page string) {
	if !slices.Contains(v.shownPages(), page) {
		page = PageLive
	}
	v.tips.hide()
	v.canvas().Unfocus()
	v.state.Page = page
	for i, root := range v.pages.Objects {
		if show := pageNames[i] == page; show != root.Visible() {
			if show {
				root.Show()
				onePage{}.Layout([]fyne.CanvasObject{root}, v.pages.Size())
			} else {
				root.Hide()
			}
		}
	}
	v.header.update()
	v.settled.update()
	v.changedState()
	v.sendAsk()
}

func (v *view) holdTime() time.Duration { return time.Duration(v.state.HoldMS) * time.Millisecond }

// pixelScale is the number of pixels in one of Fyne's units.
func (v *view) pixelScale() float32 {
	x, _ := v.canvas().PixelCoordinateForPosition(fyne.NewPos(1000, 0))
	if x <= 0 {
		return 1
	}
	return float32(x) / 1000
}

// sendAsk tells the engine what is to be seen, where that has changed. A window that cannot be seen asks for nothing.
func (v *view) sendAsk() {
	a := ask{
		scale: float64(v.pixelScale() * v.look.zoom), theme: v.look.drawTheme(v.app.Settings().ThemeVariant()), whole: v.state.Whole,
	}
	if v.still {
		a.scale = 0
	}
	if v.state.Prefill {
		a.phase = draw.Prefill
	}
	if !v.hidden {
		switch v.state.Page {
		case PageLive:
			a.slots = v.live.slots()
		case PageProve:
			a.slots = v.prove.slots()
		case PageSensors:
			a.sensors = true
		case PageModels:
			a.models = true
		}
	}
	if a.scale == v.asked.scale && a.theme == v.asked.theme && a.phase == v.asked.phase && a.whole == v.asked.whole &&
		a.sensors == v.asked.sensors && a.models == v.asked.models && slices.Equal(a.slots, v.asked.slots) {
		return
	}
	v.asked = a
	v.eng.do(func() { v.eng.setAsk(a) })
}

// apply shows one result of the engine: only what differs is touched, nothing is made anew.
func (v *view) apply(s shown) {
	spares := make(map[int]*image.RGBA, len(s.figures))
	if !v.closed.Load() {
		for _, p := range s.figures {
			if f := v.figures[p.id]; f != nil {
				spares[p.id] = f.swap(p)
			}
		}
		rows, models := s.sensors, s.models
		s.figures, s.sensors, s.models = nil, nil, nil
		if s.notice != nil {
			v.notices.fault("frames", s.notice.Error())
			s.notice = nil
		}
		v.last = s
		v.followRecording(s.base)
		v.header.update()
		v.whatIf.update()
		v.settled.update()
		v.player.update()
		v.live.update()
		if rows != nil {
			v.sensors.show(rows)
		}
		if models != nil {
			v.models.show(models)
		}
		v.prove.follow()
		v.feedNotice()
		v.followProofs()
		v.tray.update(s)
	}
	v.eng.do(func() { v.eng.taken(spares) })
}

func (v *view) feedNotice() {
	switch {
	case v.last.feedErr != nil:
		v.notices.add(notice{key: "feed", text: "The sensors stopped: " + v.last.feedErr.Error(), label: "Try again", fault: true, do: v.restartFeed})
	case v.last.ended && v.o.Origin != "":
		v.notices.add(notice{key: "feed", text: "The " + v.o.Origin + " has ended.", label: "Play again", stays: true, do: v.restartFeed})
	default:
		v.notices.remove("feed")
	}
}

func (v *view) restartFeed() {
	select {
	case v.again <- struct{}{}:
	default:
	}
}

// act does what a hotspot of a figure asks for.
func (v *view) act(h draw.Hotspot) {
	switch h.Action {
	case draw.ShowReading:
		v.turnTo(PageSensors)
		v.sensors.find(h.ID)
	case draw.ShowChange:
		v.showChange(h.Index)
	}
}

// showChange shows the Frame of one change of decision; −1 returns to now.
func (v *view) showChange(i int) {
	v.eng.do(func() { v.eng.showChange(i) })
}

func (v *view) stepChange(by int) {
	i := v.last.moment
	switch {
	case i < 0 && by < 0:
		i = v.last.changes - 1
	case i < 0:
		return
	default:
		i += by
	}
	if i >= v.last.changes || i < 0 && by > 0 {
		i = -1
	}
	v.showChange(max(i, -1))
}

func (v *view) setPaused(p bool) { v.eng.do(func() { v.eng.setPaused(p) }) }

func (v *view) interval() time.Duration { return time.Duration(v.state.IntervalMS) * time.Millisecond }

func (v *view) setInterval(d time.Duration) {
	if v.o.SetInterval == nil {
		return
	}
	v.state.IntervalMS = d.Milliseconds()
	v.o.SetInterval(d)
	v.header.update()
	v.changedState()
}

// setTheme chooses dark, light or, where empty, the system's.
func (v *view) setTheme(scheme string) {
	v.look.scheme, v.state.Theme = scheme, scheme
	v.changedState()
	v.applyTheme()
}

// applyTheme makes every widget take the theme anew, and the figures with them.
func (v *view) applyTheme() {
	v.app.Settings().SetTheme(v.look)
	forgetFonts()
	v.shell.Refresh()
	v.sendAsk()
}

// closeOverlays closes menus, pickers and sheets; it reports whether there was one.
func (v *view) closeOverlays() bool {
	list := v.canvas().Overlays().List()
	for i := len(list) - 1; i >= 0; i-- {
		v.closeOverlay(list[i])
	}
	return len(list) > 0
}

// closeOverlay takes the focus from what is closed. Fyne does not: an entry's cursor would go on blinking unseen, for a minute
// or more, with the window redrawn for each step of it.
func (v *view) closeOverlay(o fyne.CanvasObject) {
	v.canvas().Unfocus()
	v.canvas().Overlays().Remove(o)
}

// pinned names the inputs that the user holds, shortly.
func pinned(p budget.Pins) []string {
	var names []string
	for _, n := range []struct {
		pin  sensors.Number
		name string
	}{{p.ThermalC, "heat"}, {p.PowerMW, "power"}, {p.VRAMBytes, "memory"}} {
		if n.pin.Known() {
			names = append(names, n.name)
		}
	}
	return names
}

// join puts the parts that are not empty in one line.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}
