//go:build cgo || !darwin

package window

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// modelsPage lists the models that are here and the catalogue's, how each fits this machine now, and one of them in detail.
type modelsPage struct {
	v             *view
	root          *fyne.Container
	ground        *ground
	search        *fieldEntry
	box           *container.ThemeOverride // holds the search
	fitting, here *button
	measure       *button
	note          *words
	table         *table
	empty         *words
	detail        *modelDetail
	rows          []modelRow
	seen          []modelRow
	// at is the row of seen on each line of the table; −1 for a heading.
	at []int
	// lit names the row that the detail shows; empty follows the chosen one. wanted is the file whose row is to be shown once
	// it is there.
	lit    rowName
	wanted string
	order  modelOrder
	down   bool
}

// modelColumns stand in the order of the modelOrders.
var modelColumns = []column{
	{title: "Model", share: 1},
	{title: "Weights", fixed: 70, right: true, drop: 590},
	{title: "Format", fixed: 76, lead: 6, drop: 510},
	{title: "Needs, of free", fixed: 116, right: true},
	{title: "Fit", fixed: 142, lead: 6},
	{title: "Longest context", fixed: 124, right: true, drop: 700},
	{title: "Tokens/s", fixed: 96, right: true, drop: 620},
}

func newModelsPage(v *view) *modelsPage {
	p := &modelsPage{
		v: v, ground: newGround(draw.Card, draw.Edge), note: newWords(draw.Muted, 0.92, false, 1), empty: newWords(draw.Muted, 1, false, 2),
		detail: newModelDetail(), order: byParams,
	}
	p.search = newFieldEntry(v, "Search models (/)", nil)
	p.box = v.withoutBar(p.search)
	p.search.OnChanged = func(string) { p.arrange() }
	p.fitting = newButton("Fits", p.toggleFitting, v.tips, v).setTip("Only what runs on this machine now")
	p.here = newButton("Here", p.toggleHere, v.tips, v).setTip("Only what is on this machine already: of Ollama, LM Studio, llama.cpp and the Hugging Face cache")
	p.measure = newButton("Measure memory speed", v.measureRAM, v.tips, v)
	p.table = newTable(v, modelColumns, p.picked, p.sort)
	p.table.list.OnHighlighted = p.light
	p.search.finds = p.table.list
	p.note.right = true
	p.root = container.New(p, p.ground, p.box, p.fitting, p.here, p.note, p.measure, p.table, p.empty, p.detail.root)
	p.root.Hide()
	p.update()
	p.arrange()
	return p
}

func (p *modelsPage) toggleFitting() {
	p.fitting.set(p.fitting.label, "", !p.fitting.checked)
	p.arrange()
}

func (p *modelsPage) toggleHere() {
	p.here.set(p.here.label, "", !p.here.checked)
	p.arrange()
}

func (p *modelsPage) sort(column int) {
	order := modelOrder(column)
	p.down = order == p.order && !p.down
	p.order = order
	p.arrange()
}

// update shows what was measured of RAM, and whether it can be.
func (p *modelsPage) update() {
	ram := p.v.set.Measured.RAM
	label, detail, tip := "Measure memory speed", "", "Read RAM for a tenth of a second: speeds on the CPU, and on a GPU that shares RAM, are made from it (Y)"
	switch {
	case p.v.measuring:
		label = "Measuring…"
	case ram.Known():
		label, detail = "RAM "+ramWords(ram), "measure again"
		if p.v.ramBasis != "" {
			tip = "Measured: " + p.v.ramBasis + ". " + tip
		}
	}
	why := p.v.cannotMeasure()
	if why != "" {
		tip = "Not now: " + why + "."
	}
	p.measure.tip = tip
	p.measure.setDisabled(why != "")
	if hide := p.v.o.MeasureRAM == nil || p.v.o.Origin != ""; hide == p.measure.Visible() {
		p.measure.Hidden = hide
	}
	was := p.measure.MinSize()
	if p.measure.set(label, detail, false); p.measure.MinSize() != was {
		p.Layout(nil, p.root.Size())
	}
}

// show takes the rows of another Frame.
func (p *modelsPage) show(rows []modelRow) {
	first, found := len(p.rows) == 0, len(p.rows) > 0 && p.rows[0].Path != ""
	p.rows = rows
	p.update()
	p.arrange()
	switch i := slices.IndexFunc(p.at, func(i int) bool { return i >= 0 && p.wanted != "" && p.seen[i].Path == p.wanted }); {
	case i >= 0:
		p.lit, p.wanted = p.seen[p.at[i]].name(), ""
		p.table.list.ScrollTo(i)
		p.showDetail()
	case len(rows) > 0 && rows[0].Path != "" && !found:
		// What is on this machine stands on top, and is seen first.
		p.table.list.ScrollToTop()
	case first:
		const above = 8 // lines in view above the chosen one
		if i := slices.IndexFunc(p.at, func(i int) bool { return i >= 0 && p.chosen(&p.seen[i]) }); i > above {
			p.table.scrollTop(i - above)
		}
	}
}

// chosen reports whether a row is what is run: the found file itself, where one was chosen.
func (p *modelsPage) chosen(r *modelRow) bool { return r.Chosen && r.Path == p.v.choice.Path }

func (p *modelsPage) arrange() {
	p.seen = arrange(p.rows, modelFilter{p.search.Text, p.fitting.checked, p.here.checked}, p.order, p.down)
	found := 0
	for found < len(p.seen) && p.seen[found].Path != "" {
		found++
	}
	lines := make([]tableRow, 0, len(p.seen)+2)
	p.at = p.at[:0]
	for i := range p.seen {
		if found > 0 && (i == 0 || i == found) {
			title := map[bool]string{true: "On this machine", false: "Known models, to download"}[i < found]
			p.at = append(p.at, -1)
			lines = append(lines, tableRow{heading: true, cells: [maxColumns]cell{{text: title, bold: true, role: draw.Muted}}})
		}
		p.at = append(p.at, i)
		lines = append(lines, modelLine(&p.seen[i], p.chosen(&p.seen[i])))
	}
	p.table.leaveOut(int(bySpeed), !slices.ContainsFunc(p.rows, func(r modelRow) bool { return r.Speed.High.Known() }))
	p.table.set(lines)
	p.table.sortedBy(int(p.order), p.down)
	w := p.v.set.Workload
	note := fmt.Sprintf("%d of %d", len(p.seen), len(p.rows))
	if !w.Bare {
		note = join(note, "at "+frame.Count(w.Context)+" tokens, KV "+string(w.KVType))
	}
	p.note.set(note)
	switch {
	case len(p.v.o.Models) == 0 && len(p.rows) == 0 && p.v.last.ready:
		p.empty.set("No catalogue of models is built in. Type a number of weights in the chooser above, or drop a model file on the window.")
	case len(p.rows) == 0:
		p.empty.set("Reading the sensors…")
	case len(p.seen) == 0 && p.here.checked && p.search.Text == "" && !p.fitting.checked:
		p.empty.set("No model of Ollama, LM Studio, llama.cpp or the Hugging Face cache was found. Drop a model file or folder on the window to size it.")
	case len(p.seen) == 0:
		p.empty.set("No model is left by this search.")
	default:
		p.empty.set("")
	}
	p.showDetail()
}

// rowName tells a row from all others.
type rowName struct{ path, id, name string }

func (r *modelRow) name() rowName { return rowName{r.Path, r.Model.ID, r.Model.Name} }

// light shows the row under the pointer or the arrow keys in detail.
func (p *modelsPage) light(line int) {
	if line < len(p.at) && p.at[line] >= 0 {
		p.lit = p.seen[p.at[line]].name()
		p.showDetail()
	}
}

// showDetail shows the row that is lit, else the chosen one, else the first.
func (p *modelsPage) showDetail() {
	best := -1
	for i := range p.seen {
		if r := &p.seen[i]; r.name() == p.lit {
			best = i
			break
		} else if best < 0 && p.chosen(r) {
			best = i
		}
	}
	if best < 0 && len(p.seen) > 0 {
		best = 0
	}
	if best < 0 {
		p.detail.show(nil, false)
		return
	}
	p.detail.show(&p.seen[best], p.chosen(&p.seen[best]))
}

// The marks of a fit; they stand before its words, so that colour is never all that tells.
const (
	markFits  = "● "
	markTiled = "○ "
	markNone  = "▲ "
)

// fitCell is the fit with its mark and words.
func fitCell(r *modelRow) cell {
	switch {
	case r.Fit == frame.FitUnknown:
		return cell{text: r.FitWords(), role: draw.Muted}
	case r.Fit == frame.FitTiled:
		return cell{text: markTiled + r.FitWords(), role: draw.Curve}
	case r.Fit.Runs():
		return cell{text: markFits + r.FitWords()}
	}
	return cell{text: markNone + r.FitWords(), role: draw.Alert}
}

func modelLine(r *modelRow, chosen bool) tableRow {
	t := tableRow{marked: chosen}
	t.cells[byName] = cell{text: r.Model.Name, bold: chosen}
	t.cells[byParams] = cell{text: frame.Params(r.Model.Params)}
	t.cells[byFormat] = cell{text: r.Format, role: draw.Muted}
	l := r.Ledger()
	t.cells[byNeed] = cell{text: l.Need.Text + " of " + l.FreeTotal.Text + " " + l.Unit}
	if r.Fit == frame.FitUnknown {
		t.cells[byNeed].text = l.Need.Text + " " + l.Unit
	}
	t.cells[byFit] = fitCell(r)
	if t.cells[byFit].role == draw.Alert {
		t.cells[byNeed].role = draw.Alert
	}
	t.cells[byContext] = cell{text: contextWords(r), role: draw.Muted}
	t.cells[bySpeed] = cell{text: strings.TrimSuffix(r.Speed.Words(), " tokens/s"), role: draw.Muted}
	return t
}

// contextWords is the longest context that fits, or a dash.
func contextWords(r *modelRow) string {
	if r.MaxContext == 0 {
		return unknownText
	}
	return frame.Count(r.MaxContext)
}

func (p *modelsPage) picked(line int) {
	if line < len(p.at) && p.at[line] >= 0 {
		r := p.seen[p.at[line]]
		p.lit = r.name()
		p.v.chooseRow(r)
	}
	p.table.list.UnselectAll()
}

func (p *modelsPage) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// detailBeside is the page's width from which on the detail stands beside the table; below it, it stands under it.
const detailBeside = 1080

func (p *modelsPage) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	margin, gap, control := 16*z, 10*z, controlHeight()
	w, h := max(s.Width-2*margin, 100), max(s.Height-4*z-margin, 50)
	top, tableHeight := 4*z, h
	if p.detail.beside = s.Width >= detailBeside*z; p.detail.beside {
		d := min(max(w*0.27, 300*z), 460*z)
		p.detail.root.Move(fyne.NewPos(margin+w-d, top))
		p.detail.root.Resize(fyne.NewSize(d, h))
		w -= d + gap
	} else {
		d := min(168*z, h*0.36)
		tableHeight = h - d - gap
		p.detail.root.Move(fyne.NewPos(margin, top+tableHeight+gap))
		p.detail.root.Resize(fyne.NewSize(w, d))
	}
	p.ground.Move(fyne.NewPos(margin, top))
	p.ground.Resize(fyne.NewSize(w, tableHeight))
	y := top + gap
	x, right := margin+gap, margin+w-gap
	search := min(w*0.28, 340*z)
	p.box.Move(fyne.NewPos(x, y))
	p.box.Resize(fyne.NewSize(search, control))
	x += search + gap
	for _, b := range []*button{p.fitting, p.here} {
		m := b.MinSize().Width
		b.Move(fyne.NewPos(x, y))
		b.Resize(fyne.NewSize(m, control))
		x += m + 6*z
	}
	if p.measure.Visible() {
		m := min(p.measure.MinSize().Width, max(right-x, 0))
		right -= m
		p.measure.Move(fyne.NewPos(right, y))
		p.measure.Resize(fyne.NewSize(m, control))
		right -= gap
	}
	p.note.Move(fyne.NewPos(x, y))
	p.note.Resize(fyne.NewSize(max(right-x, 0), control))
	p.table.Move(fyne.NewPos(margin+2, y+control+gap))
	p.table.Resize(fyne.NewSize(w-4, max(tableHeight-2*gap-control-6*z, 20)))
	p.empty.Move(fyne.NewPos(margin+2*gap, y+2*control+4*gap))
	p.empty.Resize(fyne.NewSize(w-4*gap, 60*z))
}
