//go:build cgo && !nogui

package window

import (
	"fmt"
	"slices"

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

// modelColumns stand in the order of the modelOrders.
var modelColumns = []column{
	{title: "Model", share: 1.5},
	{title: "Weights", fixed: 74, right: true},
	{title: "Decision", fixed: 66, lead: 10},
	{title: "File that fits", fixed: 92},
	{title: "Needs", fixed: 76, right: true},
	{title: "Left", fixed: 82, right: true},
	{title: "Longest context", fixed: 118, right: true, drop: 900},
	{title: "Speed", fixed: 138, right: true, drop: 1060},
	{title: "Fit", share: 0.9, lead: 12},
}

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
	order := modelOrder(column)
	p.down = order == p.order && !p.down
	p.order = order
	p.arrange()
}

// show takes the rows of another Frame.
func (p *modelsPage) show(rows []modelRow) {
	first := len(p.rows) == 0
	p.rows = rows
	p.arrange()
	if first {
		const below = 8 // lines in view under the chosen one
		if i := slices.IndexFunc(p.seen, func(r modelRow) bool { return r.Chosen }); i > below {
			p.table.list.ScrollTo(min(i+below, len(p.seen)-1))
		}
	}
}

func (p *modelsPage) arrange() {
	p.seen = arrange(p.rows, p.search.Text, p.fitting.checked, p.order, p.down)
	lines := make([]tableRow, len(p.seen))
	for i, r := range p.seen {
		lines[i] = modelLine(r)
	}
	p.table.leaveOut(int(bySpeed), !slices.ContainsFunc(p.rows, func(r modelRow) bool { return r.Speed.High.Known() }))
	p.table.set(lines)
	p.table.sortedBy(int(p.order), p.down)
	w := p.v.set.Workload
	note := fmt.Sprintf("%d of %d models", len(p.seen), len(p.rows))
	if !w.Bare {
		note = join(note, "at "+frame.Count(w.Context)+" tokens, KV "+string(w.KVType))
	}
	if len(p.rows) > 0 {
		note = join(note, frame.Bytes(p.rows[0].Free)+" free")
	}
	p.note.set(note)
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
	t.cells[byName] = cell{text: r.Model.Name, bold: r.Chosen}
	if r.Path != "" {
		t.cells[byName].text += " · here"
	}
	t.cells[byParams] = cell{text: frame.Params(r.Model.Params)}
	t.cells[byPlan] = cell{chip: true, chipFits: r.Plan.Fits, of: r.Plan.Precision}
	t.cells[byFormat] = cell{text: r.Format}
	l := r.Ledger()
	t.cells[byNeed] = cell{text: l.Need.Text + " " + l.Unit}
	t.cells[byLeft] = cell{text: l.Left.Text + " " + l.Unit, role: draw.Muted}
	if r.Total > r.Free {
		t.cells[byLeft].text = "−" + l.Short.Text + " " + l.Unit
	}
	if r.Fit == frame.FitUnknown {
		t.cells[byLeft].text = unknownText
	}
	t.cells[byContext] = cell{text: unknownText, role: draw.Muted}
	if r.Row.MaxContext > 0 {
		t.cells[byContext].text = frame.Count(r.Row.MaxContext)
	}
	t.cells[bySpeed] = cell{text: r.Speed.Words(), role: draw.Muted}
	t.cells[byFit] = cell{text: r.FitWords()}
	if !r.Fit.Runs() || r.Fit == frame.FitTiled {
		t.cells[byFit] = cell{text: "▲ " + r.FitWords(), role: draw.Alert}
		if r.Fit != frame.FitTiled {
			t.cells[byFormat].role = draw.Muted
		}
	}
	if r.Chosen {
		t.cells[byFit].text += " · chosen"
	}
	return t
}

func (p *modelsPage) picked(i int) {
	if i < len(p.seen) {
		p.v.chooseRow(p.seen[i])
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
