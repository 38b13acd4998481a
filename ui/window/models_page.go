//go:build cgo && !nogui

package window

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// modelsPage lists the models that are offered and what this machine would run each at now.
type modelsPage struct {
	v       *view
	root    *fyne.Container
	ground  *ground
	search  *fieldEntry
	fitting *button
	note    *words
	table   *table
	empty   *words
	rows    []modelRow
	seen    []modelRow
	order   modelOrder
	down    bool
}

var (
	modelColumns = []column{
		{title: "Model", share: 1.7},
		{title: "Weights", fixed: 84, right: true},
		{title: "Trained context", fixed: 112, right: true},
		{title: "Runs at", fixed: 62},
		{title: "Needs here", fixed: 96, right: true},
		{title: "Of free", fixed: 128, right: true},
		{title: "Fit", share: 1},
	}
	modelOrders = map[int]modelOrder{0: byName, 1: byParams, 2: byContext, 3: byFit, 4: byNeed, 6: byFit}
)

func newModelsPage(v *view) *modelsPage {
	p := &modelsPage{
		v: v, ground: newGround(draw.Card, draw.Edge), note: newWords(draw.Muted, 0.92, false, 1), empty: newWords(draw.Muted, 1, false, 2),
		order: byParams,
	}
	p.search = newFieldEntry(v, "Search models (/)", nil)
	p.search.OnChanged = func(string) { p.arrange() }
	p.fitting = newButton("Only what fits", p.toggleFitting, v.tips, v)
	p.table = newTable(v, modelColumns, p.picked, p.sort)
	p.note.right = true
	p.root = container.New(p, p.ground, p.search, p.fitting, p.note, p.table, p.empty)
	p.root.Hide()
	p.arrange()
	return p
}

func (p *modelsPage) toggleFitting() {
	p.fitting.set(p.fitting.label, "", !p.fitting.checked)
	p.arrange()
}

func (p *modelsPage) sort(column int) {
	order, ok := modelOrders[column]
	if !ok {
		return
	}
	p.down = order == p.order && !p.down
	p.order = order
	p.arrange()
}

// show takes the rows of another Frame.
func (p *modelsPage) show(rows []modelRow) {
	p.rows = rows
	p.arrange()
}

func (p *modelsPage) arrange() {
	p.seen = arrange(p.rows, p.search.Text, p.fitting.checked, p.order, p.down)
	lines := make([]tableRow, len(p.seen))
	for i, r := range p.seen {
		lines[i] = modelLine(r)
	}
	p.table.set(lines)
	for column, order := range modelOrders {
		if order == p.order && column != 6 {
			p.table.sortedBy(column, p.down)
		}
	}
	w := p.v.set.Workload
	p.note.set(fmt.Sprintf("%d of %d models · at %s tokens, KV %s, or what each was trained for", len(p.seen), len(p.v.o.Models), frame.Count(w.Context), w.KVType))
	if w.Bare {
		p.note.set(fmt.Sprintf("%d of %d models", len(p.seen), len(p.v.o.Models)))
	}
	switch {
	case len(p.v.o.Models) == 0:
		p.empty.set("No catalogue of models is built in. Type a number of weights in the chooser above, or drop a model file on the window.")
	case len(p.rows) == 0:
		p.empty.set("Reading the sensors…")
	case len(p.seen) == 0:
		p.empty.set("No model is left by this search.")
	default:
		p.empty.set("")
	}
}

func modelLine(r modelRow) tableRow {
	t := tableRow{marked: r.Chosen}
	t.cells[0] = cell{text: r.Model.Name, bold: r.Chosen}
	t.cells[1] = cell{text: frame.Params(r.Model.Params)}
	if r.Model.MaxContext > 0 {
		t.cells[2] = cell{text: frame.Count(r.Model.MaxContext), role: draw.Muted}
	} else {
		t.cells[2] = cell{text: unknownText, role: draw.Muted}
	}
	t.cells[3] = cell{text: r.Plan.Precision.String(), chip: true, chipFits: r.Plan.Fits, of: r.Plan.Precision}
	t.cells[4] = cell{text: frame.Bytes(r.Need)}
	t.cells[5] = cell{text: "of " + frame.Bytes(r.Budget), role: draw.Muted}
	t.cells[6] = cell{text: r.word()}
	if !r.Plan.Fits {
		t.cells[6] = cell{text: "▲ " + r.word(), role: draw.Alert}
	}
	if r.Chosen {
		t.cells[6].text += " · chosen"
	}
	return t
}

func (p *modelsPage) picked(i int) {
	if i < len(p.seen) {
		p.v.chooseCatalogue(p.seen[i].Model)
	}
	p.table.list.UnselectAll()
}

func (p *modelsPage) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (p *modelsPage) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	margin, gap, control := 16*z, 10*z, controlHeight()
	w, h := max(s.Width-2*margin, 100), max(s.Height-4*z-margin, 50)
	p.ground.Move(fyne.NewPos(margin, 4*z))
	p.ground.Resize(fyne.NewSize(w, h))
	y := 4*z + gap
	search := min(w*0.34, 340*z)
	p.search.Move(fyne.NewPos(margin+gap, y))
	p.search.Resize(fyne.NewSize(search, control))
	p.fitting.Move(fyne.NewPos(margin+2*gap+search, y))
	fit := p.fitting.MinSize().Width
	p.fitting.Resize(fyne.NewSize(fit, control))
	p.note.Move(fyne.NewPos(margin+3*gap+search+fit, y))
	p.note.Resize(fyne.NewSize(max(w-search-fit-5*gap, 0), control))
	p.table.Move(fyne.NewPos(margin+2, y+control+gap))
	p.table.Resize(fyne.NewSize(w-4, max(h-2*gap-control-6*z, 20)))
	p.empty.Move(fyne.NewPos(margin+2*gap, y+2*control+4*gap))
	p.empty.Resize(fyne.NewSize(w-4*gap, 60*z))
}
