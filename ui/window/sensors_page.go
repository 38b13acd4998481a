//go:build cgo || !darwin

package window

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/sensors"
	"headroom/ui/draw"
)

// sensorsPage lists every reading, and beside the list the chosen one with what can be held of it.
type sensorsPage struct {
	v      *view
	root   *fyne.Container
	ground *ground
	search *fieldEntry
	box    *container.ThemeOverride // holds the search
	table  *table
	empty  *words
	rows   []sensorRow // as the engine gave them
	seen   []sensorRow // those that the search leaves
	chosen string      // the ID of the reading beside the list
	want   string      // the ID to choose once rows have come
	detail *sensorDetail
}

var sensorColumns = []column{
	{title: "Reading", share: 1.35},
	{title: "Value", share: 0.9, right: true},
	{title: "State", fixed: 104, lead: 8},
	{title: "Age", fixed: 46},
	{title: "Decides", share: 1.05},
	{title: "Source", share: 1.2, drop: 700},
}

func newSensorsPage(v *view) *sensorsPage {
	p := &sensorsPage{v: v, ground: newGround(draw.Card, draw.Edge), empty: newWords(draw.Muted, 1, false, 2)}
	p.search = newFieldEntry(v, "Search readings, sources, states (/)", nil)
	p.box = v.withoutBar(p.search)
	p.search.OnChanged = func(string) { p.filter() }
	p.table = newTable(v, sensorColumns, p.picked, nil)
	p.search.finds = p.table.list
	p.detail = newSensorDetail(v)
	p.empty.set("Reading the sensors…")
	p.root = container.New(p, p.ground, p.box, p.table, p.empty, p.detail.root)
	p.root.Hide()
	return p
}

// show takes the rows of another Frame.
func (p *sensorsPage) show(rows []sensorRow) {
	p.rows = rows
	p.filter()
	if p.want != "" {
		p.find(p.want)
	}
	p.detail.show(p.row(p.chosen))
}

func (p *sensorsPage) filter() {
	p.seen = searchRows(p.rows, p.search.Text)
	lines := make([]tableRow, len(p.seen))
	for i, r := range p.seen {
		lines[i] = sensorLine(r)
	}
	p.table.set(lines)
	switch {
	case len(p.rows) == 0:
		p.empty.set("Reading the sensors…")
	case len(p.seen) == 0:
		p.empty.set("No reading holds “" + p.search.Text + "”.")
	default:
		p.empty.set("")
	}
}

func sensorLine(r sensorRow) tableRow {
	if r.Heading {
		t := tableRow{heading: true}
		t.cells[0] = cell{text: join(r.Name, r.Value), bold: true, role: draw.Muted}
		return t
	}
	t := tableRow{marked: r.Drives != "" || r.Chosen}
	t.cells[0] = cell{text: r.Name, indent: r.Indent}
	t.cells[1] = cell{text: r.Value, bold: r.Drives != ""}
	t.cells[2] = cell{text: r.stateWords(), role: draw.Muted}
	if r.Pinned {
		t.cells[2] = cell{text: "pinned", bold: true}
	}
	switch r.State {
	case sensors.StateError, sensors.StateImplausible:
		t.cells[2].role, t.cells[2].text = draw.Alert, "▲ "+t.cells[2].text
	case sensors.StateAssumed, sensors.StateStale, sensors.StateNeedsPermission:
		t.cells[2].role = draw.Text
	}
	if r.wasRead() {
		t.cells[3] = cell{text: ageText(r.Age), role: draw.Muted}
	}
	t.cells[4] = cell{text: r.Drives, bold: true}
	if r.Holds {
		t.cells[4].text = markFits + r.Drives
	}
	t.cells[5] = cell{text: r.Source, role: draw.Muted, tail: strings.HasPrefix(r.Source, "/")}
	if r.Indent {
		t.cells[0].role, t.cells[1].role = draw.Muted, draw.Muted
	}
	return t
}

// row is the reading of an ID; until one is chosen, the input that decides the present answer.
func (p *sensorsPage) row(id string) (sensorRow, bool) {
	if id == "" {
		if i := slices.IndexFunc(p.rows, func(r sensorRow) bool { return r.Holds }); i >= 0 {
			return p.rows[i], true
		}
	}
	i := slices.IndexFunc(p.rows, func(r sensorRow) bool { return r.ID == id && !r.Heading })
	if i < 0 || id == "" {
		return sensorRow{}, false
	}
	return p.rows[i], true
}

func (p *sensorsPage) picked(i int) {
	if i >= len(p.seen) || p.seen[i].Heading {
		return
	}
	p.chosen = p.seen[i].ID
	p.detail.show(p.row(p.chosen))
}

// find chooses a reading and scrolls to it, now or once the rows have come.
func (p *sensorsPage) find(id string) {
	p.want = id
	if len(p.rows) == 0 || id == "" {
		return
	}
	p.want = ""
	p.search.SetText("")
	i := slices.IndexFunc(p.seen, func(r sensorRow) bool { return r.ID == id })
	if i < 0 {
		return
	}
	p.table.list.UnselectAll()
	p.table.list.Select(i)
}

func (p *sensorsPage) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (p *sensorsPage) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	margin, gap, control := 16*z, 10*z, controlHeight()
	side := min(max(s.Width*0.27, 250*z), 360*z)
	w := max(s.Width-2*margin-side-gap, 100)
	h := max(s.Height-4*z-margin, 50)
	p.ground.Move(fyne.NewPos(margin, 4*z))
	p.ground.Resize(fyne.NewSize(w, h))
	p.box.Move(fyne.NewPos(margin+gap, 4*z+gap))
	p.box.Resize(fyne.NewSize(min(w-2*gap, 420*z), control))
	p.table.Move(fyne.NewPos(margin+2, 4*z+2*gap+control))
	p.table.Resize(fyne.NewSize(w-4, max(h-2*gap-control-6*z, 20)))
	p.empty.Move(fyne.NewPos(margin+2*gap, 4*z+6*gap+2*control))
	p.empty.Resize(fyne.NewSize(w-4*gap, 60*z))
	p.detail.root.Move(fyne.NewPos(margin+w+gap, 4*z))
	p.detail.root.Resize(fyne.NewSize(side, h))
}
