//go:build cgo || !darwin

package window

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/ui/draw"
)

// pick is one line of a picker.
type pick struct {
	name, detail string
	marked       bool
	off          bool // shown, but not to be chosen now
	do           func()
}

// picker is a list that narrows while typing: the chooser of models, contexts and intervals, and the command menu.
type picker struct {
	v     *view
	over  *overlay
	entry *pickEntry
	table *table
	items func(query string) []pick
	now   []pick
}

// open shows a picker at a place; width is in the theme's normal type.
func (v *view) open(hint string, at fyne.Position, width float32, items func(query string) []pick) *picker {
	v.closeOverlays()
	if v.pickEntry == nil {
		v.pickEntry = newPickEntry()
		v.pickBox = v.withoutBar(v.pickEntry)
	}
	p := &picker{v: v, items: items, entry: v.pickEntry}
	p.entry.p = nil
	p.entry.SetText("")
	p.entry.SetPlaceHolder(hint)
	p.entry.p = p
	p.table = newTable(v, []column{{share: 1}, {share: 0.7, right: true}}, func(i int) { p.choose(i) }, nil)
	p.fill()
	p.over = v.overlay(container.NewBorder(v.pickBox, nil, nil, nil, p.table), func(window fyne.Size) (fyne.Position, fyne.Size) {
		w := min(width*v.look.zoom, window.Width-24)
		rows := float32(min(max(len(p.now), 1), 15))
		h := min(controlHeight()+rows*(rowHeight()+theme.Padding())+6*theme.Padding(), window.Height-at.Y-16)
		return fyne.NewPos(max(min(at.X, window.Width-w-12), 12), at.Y), fyne.NewSize(w, h)
	})
	v.canvas().Focus(p.entry)
	p.mark()
	return p
}

func (p *picker) fill() {
	p.now = p.items(strings.TrimSpace(p.entry.Text))
	rows := make([]tableRow, len(p.now))
	for i, it := range p.now {
		rows[i].cells[0] = cell{text: it.name, bold: it.marked}
		rows[i].cells[1] = cell{text: it.detail, role: draw.Muted}
		rows[i].marked = it.marked
		if it.off {
			rows[i].cells[0].role = draw.Muted
		}
	}
	p.table.set(rows)
	if p.over != nil {
		p.over.Refresh()
		p.mark()
	}
}

// mark sets the list's mark: on what is chosen now, while nothing is typed, else on the first that can be chosen.
func (p *picker) mark() {
	for i, it := range p.now {
		if it.marked && p.entry.Text == "" {
			p.table.light(i)
			return
		}
	}
	p.table.light(max(slices.IndexFunc(p.now, func(it pick) bool { return !it.off }), 0))
}

func (p *picker) choose(i int) {
	if i < 0 || i >= len(p.now) || p.now[i].off || p.now[i].do == nil {
		p.table.list.UnselectAll()
		return
	}
	p.over.close()
	p.now[i].do()
}

// matching keeps the items whose name or detail holds every word of the query.
func matching(items []pick, query string) []pick {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return items
	}
	var kept []pick
	for _, it := range items {
		if containsAll(strings.ToLower(it.name+" "+it.detail), words) {
			kept = append(kept, it)
		}
	}
	return kept
}

// pickEntry is the entry of all pickers: up and down move the list's mark, Enter takes it, Escape leaves. There is one for the
// window, as Fyne never forgets what was shown under a theme of its own (see withoutBar).
type pickEntry struct {
	widget.Entry
	p *picker // nil before the first, and between two
}

func newPickEntry() *pickEntry {
	e := &pickEntry{}
	e.OnChanged = func(string) {
		if e.p != nil {
			e.p.fill()
		}
	}
	e.ExtendBaseWidget(e)
	return e
}

func (e *pickEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyEscape:
		e.p.over.close()
	case fyne.KeyUp, fyne.KeyDown:
		e.p.table.light(e.p.table.lit + map[fyne.KeyName]int{fyne.KeyUp: -1, fyne.KeyDown: 1}[k.Name])
	case fyne.KeyPageDown, fyne.KeyPageUp:
		e.p.table.light(e.p.table.lit + map[fyne.KeyName]int{fyne.KeyPageUp: -8, fyne.KeyPageDown: 8}[k.Name])
	case fyne.KeyReturn, fyne.KeyEnter:
		e.p.choose(e.p.table.lit)
	default:
		e.Entry.TypedKey(k)
	}
}

// fieldEntry is an entry in a panel: Escape gives the focus back to the window.
type fieldEntry struct {
	widget.Entry
	v       *view
	focused bool
	// finds is the list that the field searches, where Enter and Down go; nil for none.
	finds *keyList
}

func newFieldEntry(v *view, hint string, submit func(string)) *fieldEntry {
	e := &fieldEntry{v: v}
	e.PlaceHolder = hint
	e.OnSubmitted = submit
	e.ExtendBaseWidget(e)
	return e
}

func (e *fieldEntry) FocusGained() { e.focused = true; e.Entry.FocusGained() }
func (e *fieldEntry) FocusLost()   { e.focused = false; e.Entry.FocusLost() }

func (e *fieldEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyEscape:
		e.v.canvas().Unfocus()
		return
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown:
		if e.finds != nil {
			if e.finds.Length() > 0 {
				e.v.canvas().Focus(e.finds)
			}
			return
		}
	}
	e.Entry.TypedKey(k)
}

// show writes a text unless the user is typing.
func (e *fieldEntry) show(text string) {
	if !e.focused && e.Text != text {
		e.SetText(text)
	}
}
