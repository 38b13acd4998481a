//go:build cgo || !darwin

package window

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"headroom/ui/draw"
)

// action is one thing that the window can do, with its key: the keys, the command menu and the help sheet are this list.
type action struct {
	group, name string
	// key is how the key is written; typed is the character that asks for it while no text is being typed.
	key   string
	typed rune
	// name of a key, and its modifier, where no character stands for it.
	special fyne.KeyName
	with    fyne.KeyModifier
	do      func()
	// off says why it cannot be done now; nil or empty when it can.
	off func() string
}

// listActions are all actions in the help sheet's order.
func (v *view) listActions() []*action {
	ctrl := fyne.KeyModifierShortcutDefault
	onLive := func() string {
		if v.state.Page != PageLive {
			return "it works on the Live page"
		}
		return ""
	}
	played := func() string {
		if v.player.player == nil {
			return "nothing is played"
		}
		return ""
	}
	needs := func(ok bool, why string) func() string {
		return func() string {
			if ok {
				return ""
			}
			return why
		}
	}
	var pages []*action
	for i, name := range v.shownPages() {
		key := rune('1' + i)
		pages = append(pages, &action{group: "Pages", name: pageTitle(name), key: string(key), typed: key, do: func() { v.turnTo(name) }})
	}
	return append(pages, []*action{
		{group: "Pages", name: "Search the page's list", key: "/", typed: '/', do: v.search},
		{group: "Pages", name: "Enlarge the figure in focus, or show all again", key: "Z", typed: 'z', do: v.enlarge, off: onLive},
		{group: "Pages", name: "Demo: full screen, large type", key: "F11", special: fyne.KeyF11, do: v.toggleDemo},
		{group: "Pages", name: "Back: close what is open, return to now", key: "Esc", special: fyne.KeyEscape, do: v.back},

		{group: "What is run", name: "Choose the model", key: "M", typed: 'm', do: v.chooseModel},
		{group: "What is run", name: "Choose the context length", key: "C", typed: 'c', do: v.chooseContext},
		{group: "What is run", name: "Choose the KV cache's type", key: "K", typed: 'k', do: v.chooseKV},
		{group: "What is run", name: "Open a model file", key: "Ctrl+O", special: fyne.KeyO, with: ctrl, do: v.openFile, off: needs(v.o.OpenModel != nil, "this build opens none")},
		{group: "What is run", name: "Measure memory speed, for tokens a second", key: "Y", typed: 'y', do: v.measureRAM, off: v.cannotMeasure},

		{group: "What if", name: "Show or hide the panel", key: "P", typed: 'p', do: v.toggleWhatIf},
		{group: "What if", name: "Hold the thermal headroom", key: "H", typed: 'h', do: func() { v.focusPin(0) }},
		{group: "What if", name: "Hold the power budget", key: "W", typed: 'w', do: func() { v.focusPin(1) }},
		{group: "What if", name: "Hold the free memory", key: "V", typed: 'v', do: func() { v.focusPin(2) }},
		{group: "What if", name: "Release everything held", key: "U", typed: 'u', do: v.releasePins},
		{group: "What if", name: "Compare: keep this Frame beside what follows, or end", key: "X", typed: 'x', do: v.toggleCompare},
		{group: "What if", name: "Settled answer on or off", key: "S", typed: 's', do: v.toggleSettled},

		{group: "Figures", name: "Fusion: decoding or prefill", key: "G", typed: 'g', do: v.togglePhase},
		{group: "Figures", name: "Fusion: one layer or the whole model", key: "L", typed: 'l', do: v.toggleWhole},
		{group: "Figures", name: "Map: memory against heat or against power", key: "A", typed: 'a', do: v.toggleMap},
		{group: "Figures", name: "Previous change of decision", key: "[", typed: '[', do: func() { v.stepChange(-1) }},
		{group: "Figures", name: "Next change of decision", key: "]", typed: ']', do: func() { v.stepChange(1) }},
		{group: "Figures", name: "Next figure or control; arrows and Enter walk it", key: "Tab"},
		{group: "Figures", name: "Save or copy a figure or the page", key: "E", typed: 'e', do: v.exportMenu},

		{group: "What is played", name: "One sample back", key: ",", typed: ',', do: func() { v.step(-1) }, off: played},
		{group: "What is played", name: "One sample on", key: ".", typed: '.', do: func() { v.step(1) }, off: played},
		{group: "What is played", name: "Go to the next change of decision", key: "N", typed: 'n', do: v.nextDecision, off: played},

		{group: "On stage", name: "Begin or end a recording", key: "O", typed: 'o', do: v.record.toggle, off: v.record.off},
		{group: "On stage", name: "Save what just happened", key: "J", typed: 'j', do: v.record.save, off: needs(v.o.Recorder != nil, v.record.off())},
		{group: "On stage", name: "Mark an event", key: "B", typed: 'b', do: v.record.mark, off: needs(v.o.Recorder != nil, v.record.off())},
		{group: "On stage", name: "Ghost: a scenario or recording behind the charts", key: "Q", typed: 'q', do: v.chooseGhost, off: needs(v.o.OpenGhost != nil, "nothing to choose from")},
		{group: "On stage", name: "Prove the plan on the adapter, or cancel", key: "D", typed: 'd', do: v.proveNow, off: func() string { return v.prove.off() }},
		{group: "On stage", name: "Heat this machine with a real load, or stop it", key: "F", typed: 'f', do: v.heating.toggle, off: v.heating.off},

		{group: "Window", name: "Hold the picture, or go on", key: "Space", typed: ' ', do: v.hold},
		{group: "Window", name: "How often the sensors are read", key: "I", typed: 'i', do: v.chooseInterval, off: needs(v.o.SetInterval != nil && v.o.Origin == "", "what is played has its own pace")},
		{group: "Window", name: "Look for graphics devices again", key: "R", typed: 'r', do: v.refresh, off: needs(v.o.Refresh != nil, "nothing to look for")},
		{group: "Window", name: "Dark or light", key: "T", typed: 't', do: v.nextTheme},
		{group: "Window", name: "Follow the system's theme", key: "Ctrl+T", special: fyne.KeyT, with: ctrl, do: func() { v.setTheme("") }},
		{group: "Window", name: "Larger type", key: "Ctrl +", special: fyne.KeyEqual, with: ctrl, do: func() { v.setType(v.state.Type + 0.1) }},
		{group: "Window", name: "Smaller type", key: "Ctrl −", special: fyne.KeyMinus, with: ctrl, do: func() { v.setType(v.state.Type - 0.1) }},
		{group: "Window", name: "Type of normal size", key: "Ctrl 0", special: fyne.Key0, with: ctrl, do: func() { v.setType(1) }},
		{group: "Window", name: "Every command", key: "Ctrl+K", special: fyne.KeyK, with: ctrl, do: v.commandMenu},
		{group: "Window", name: "These keys", key: "?", typed: '?', do: v.showHelp},
		{group: "Window", name: "About Headroom: its version, what it keeps and where", key: "Ctrl+I", special: fyne.KeyI, with: ctrl, do: v.showAbout},
		{group: "Window", name: "Close the window", key: "Ctrl+Q", special: fyne.KeyQ, with: ctrl, do: v.quit},
	}...)
}

// bindKeys makes the canvas follow the actions' keys.
func (v *view) bindKeys() {
	c := v.canvas()
	c.SetOnTypedRune(v.typedRune)
	c.SetOnTypedKey(v.typedKey)
	for _, a := range v.actions {
		if a.special != "" && a.with != 0 {
			c.AddShortcut(&desktop.CustomShortcut{KeyName: a.special, Modifier: a.with}, func(fyne.Shortcut) { v.perform(a) })
		}
	}
}

func (v *view) typedRune(r rune) {
	if r >= 'A' && r <= 'Z' {
		r += 'a' - 'A'
	}
	for _, a := range v.actions {
		if a.typed == r && a.typed != 0 {
			v.perform(a)
			return
		}
	}
}

func (v *view) typedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyF1:
		v.showHelp()
		return
	case fyne.KeyPageDown, fyne.KeyPageUp:
		v.live.scroll(e.Name == fyne.KeyPageDown)
		return
	}
	for _, a := range v.actions {
		if a.special == e.Name && a.with == 0 && a.special != "" {
			v.perform(a)
			return
		}
	}
}

func (v *view) perform(a *action) {
	if a.do == nil {
		return
	}
	v.tips.hide()
	if a.off != nil {
		if why := a.off(); why != "" {
			v.notices.tell("key", a.key+" does nothing now: "+why)
			return
		}
	}
	a.do()
}

// commandMenu lists every action that can be done now, with its key.
func (v *view) commandMenu() {
	size := v.canvas().Size()
	v.open("Type a command", fyne.NewPos(size.Width/2-310*v.look.zoom, 56*v.look.zoom), 620, func(query string) []pick {
		var items []pick
		for _, a := range v.actions {
			if a.do == nil {
				continue
			}
			it := pick{name: a.name, detail: join(a.group, a.key), do: func() { v.perform(a) }}
			if a.off != nil && a.off() != "" {
				it.off, it.detail = true, a.off()
			}
			items = append(items, it)
		}
		return matching(items, query)
	})
}

// back closes what is open, from the top: menus, an enlarged figure, a past moment, a held picture, a notice, the demo.
func (v *view) back() {
	switch {
	case v.closeOverlays():
	case v.state.Page == PageLive && v.live.enlarged != "":
		v.live.enlarge("")
	case v.canvas().Focused() != nil:
		v.canvas().Unfocus()
	case v.player.giveUp != nil:
		v.player.giveUp()
	case v.last.moment >= 0:
		v.showChange(-1)
	case !v.last.keptAt.IsZero():
		v.toggleCompare()
	case v.last.paused:
		v.setPaused(false)
	case v.notices.top().text != "":
		v.notices.dismiss()
	case v.demo:
		v.toggleDemo()
	case v.state.Page != PageLive:
		v.turnTo(PageLive)
	}
}

func (v *view) search() {
	switch v.state.Page {
	case PageSensors:
		v.canvas().Focus(v.sensors.search)
	case PageModels:
		v.canvas().Focus(v.models.search)
	default:
		v.chooseModel()
	}
}

func (v *view) enlarge() {
	if v.live.enlarged != "" {
		v.live.enlarge("")
		return
	}
	if f := v.focusedFigure; f != nil && f.Visible() {
		v.live.enlarge(f.name)
	}
}

func (v *view) togglePhase() {
	v.state.Prefill = !v.state.Prefill
	v.changedState()
	v.sendAsk()
}

func (v *view) toggleWhole() {
	v.state.Whole = !v.state.Whole
	v.changedState()
	v.sendAsk()
}

// toggleMap changes the second axis of the decision map.
func (v *view) toggleMap() {
	v.live.powerMap = !v.live.powerMap
	v.live.relayout()
}

// nextTheme shows the other of dark and light than is seen now.
func (v *view) nextTheme() {
	if v.look.drawTheme(v.app.Settings().ThemeVariant()).Name == draw.Dark.Name {
		v.setTheme(themeLight)
	} else {
		v.setTheme(themeDark)
	}
}

func (v *view) refresh() {
	if v.o.Refresh != nil {
		v.o.Refresh()
	}
}

func (v *view) openFile() {
	v.chooseModel()
}

func (v *view) quit() { v.win.Close() }

// toggleDemo fills the screen with larger type, for an audience.
func (v *view) toggleDemo() {
	v.demo = !v.demo
	v.win.SetFullScreen(v.demo)
	v.fitType(v.canvas().Size())
}

// The page that the demo enlarges to fill the screen, and the one from which on everything grows with the window.
const (
	demoWidth, demoHeight = 1180, 740
	growWidth, growHeight = 1600, 1000
	mostZoom              = 4
)

// fitType sets the size of type and figures for a window of a size: the user's, larger on a large window, and so that the
// page fills the screen in the demo. It goes in steps, so that dragging the window's edge does not theme it anew each time.
func (v *view) fitType(s fyne.Size) {
	grow := min(s.Width/growWidth, s.Height/growHeight)
	if v.demo {
		grow = min(s.Width/demoWidth, s.Height/demoHeight)
	}
	zoom := float32(math.Floor(float64(min(max(grow, 1), mostZoom)*v.state.Type*20)) / 20)
	if zoom != v.look.zoom {
		v.look.zoom = zoom
		v.applyTheme()
	}
}

// setType sets the user's own size of type, 1 being normal.
func (v *view) setType(size float32) {
	v.state.Type = min(max(size, leastType), mostType)
	v.changedState()
	v.fitType(v.canvas().Size())
}
