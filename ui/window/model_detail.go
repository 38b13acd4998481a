//go:build cgo || !darwin

package window

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// modelDetail shows one row of the Models page in full: the answer, what would make it fit, the parts that it adds up from,
// and what its speed rests on.
type modelDetail struct {
	root            *fyne.Container
	ground          *ground
	name, state     *words
	verdict, change *words
	sums            []sum
	speed, basis    *words
	where           *words
	beside          bool
	rule            *ground
	shown           detailText
}

// sum is one line of the sum: what it is, and how much. A rule stands above a total.
type sum struct{ name, value *words }

const sumLines = 6

// detailText is all that the detail says.
type detailText struct {
	name, state, verdict, change string
	role                         draw.Role
	sums                         [sumLines][2]string
	short                        bool
	speed, basis, where          string
}

func newModelDetail() *modelDetail {
	d := &modelDetail{
		ground: newGround(draw.Card, draw.Edge), name: newWords(draw.Text, 1.15, true, 2), state: newWords(draw.Muted, 0.92, false, 1),
		verdict: newWords(draw.Text, 1, false, 4), change: newWords(draw.Muted, 1, false, 5), rule: newGround(draw.Grid, draw.None),
		speed: newWords(draw.Text, 1, true, 1), basis: newWords(draw.Muted, 0.92, false, 6), where: newWords(draw.Muted, 0.92, false, 8),
	}
	objects := []fyne.CanvasObject{d.ground, d.name, d.state, d.verdict, d.change, d.rule, d.speed, d.basis, d.where}
	for i := range sumLines {
		s := sum{newWords(draw.Muted, 1, false, 1), newWords(draw.Text, 1, i == 3, 1)}
		s.value.right = true
		if i == 3 {
			s.name.role = draw.Text
		}
		d.sums = append(d.sums, s)
		objects = append(objects, s.name, s.value)
	}
	d.root = container.New(d, objects...)
	return d
}

// detailOf puts a row into the detail's words.
func detailOf(r *modelRow, chosen bool) detailText {
	l := r.Ledger()
	mark := fitCell(r)
	t := detailText{
		name: r.Model.Name, state: "A click makes it what is run", verdict: strings.TrimSuffix(mark.text, r.FitWords()) + r.Verdict() + ".", role: mark.role, change: r.Change(), short: r.Total > r.Free,
		speed: r.Speed.Words(), basis: strings.ToUpper(r.Speed.Basis[:1]) + r.Speed.Basis[1:] + ".",
	}
	if t.role == draw.None {
		t.role = draw.Text
	}
	if chosen {
		t.state = "This is what is run"
	}
	kv := "KV cache"
	if r.Context > 0 {
		kv += ", " + frame.Count(r.Context) + " at " + string(r.KVType)
	}
	of := func(x frame.Line) string { return x.Text + " " + l.Unit }
	t.sums = [sumLines][2]string{
		{"Weights, " + r.Format, of(l.Weights)},
		{kv, "+ " + l.Words(l.KV)},
		{"Compute buffers", "+ " + l.Words(l.Compute)},
		{"Needed", of(l.Need)},
		{"Free now", of(l.FreeTotal)},
		{"Left free", of(l.Left)},
	}
	switch {
	case r.Fit == frame.FitUnknown:
		t.short, t.sums[4][1], t.sums[5][1] = false, unknownText, unknownText
	case t.short:
		t.sums[5] = [2]string{"Missing", of(l.Short)}
	}
	if r.MaxContext > 0 {
		t.where = "Longest context that fits: " + frame.Count(r.MaxContext) + " tokens."
	}
	if r.Path != "" {
		by := "Opened from"
		if r.From != "" {
			by = "Kept by " + r.From
		}
		t.where = sentences(t.where, by+":\n"+r.Path)
	}
	if r.Missing > 0 {
		t.where = sentences(t.where, "The file lacks "+frame.Bytes(r.Missing)+": its download broke off.")
	}
	if r.Types != "" {
		t.where = sentences(t.where, "Stored as "+r.Types+".")
	}
	if chosen {
		t.basis = sentences(t.basis, r.Live)
	}
	if r.Model.Note != "" {
		t.where = sentences(t.where, r.Model.Note)
	}
	return t
}

// sentences puts one under the other.
func sentences(parts ...string) string { return strings.TrimSpace(strings.Join(parts, "\n")) }

// show shows a row; nil shows nothing. Only what differs is drawn.
func (d *modelDetail) show(r *modelRow, chosen bool) {
	var t detailText
	if r != nil {
		t = detailOf(r, chosen)
	}
	if t == d.shown {
		return
	}
	d.shown = t
	d.name.set(t.name)
	d.state.set(t.state)
	d.verdict.set(t.verdict)
	d.verdict.setRole(t.role)
	d.change.set(t.change)
	for i, s := range d.sums {
		s.name.set(t.sums[i][0])
		s.value.set(t.sums[i][1])
	}
	last := d.sums[sumLines-1]
	if t.short {
		last.value.setRole(draw.Alert)
	} else {
		last.value.setRole(draw.Text)
	}
	d.speed.set("")
	if r != nil {
		d.speed.set("Speed " + t.speed)
	}
	d.basis.set(t.basis)
	d.where.set(t.where)
	d.Layout(nil, d.root.Size())
}

func (d *modelDetail) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Layout stacks the groups beside the table, or sets them side by side under it.
func (d *modelDetail) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	pad := 14 * z
	d.ground.Resize(s)
	width, gap := s.Width-2*pad, 8*z
	columns := 1
	if !d.beside {
		columns = 3
		gap = 4 * z
		width = (s.Width - 4*pad) / 3
	}
	x, y := pad, pad
	next := func(space float32) {
		if columns == 3 {
			x, y = x+width+pad, pad
			return
		}
		y += space
	}
	put := func(w *words) {
		w.Move(fyne.NewPos(x, y))
		if w.text == "" {
			w.Resize(fyne.Size{Width: width})
			return
		}
		line := measure("Ag", w.textSize(), w.bold).Height
		n := 1
		if w.lines > 1 {
			n = len(wrap(w.text, width, w.textSize(), w.lines))
		}
		w.Resize(fyne.NewSize(width, line*float32(n)))
		y += line*float32(n) + gap*0.5
	}
	put(d.name)
	put(d.state)
	y += gap * 0.5
	put(d.verdict)
	put(d.change)
	next(2 * gap)
	for i, l := range d.sums {
		if i == 3 {
			d.rule.Move(fyne.NewPos(x, y))
			d.rule.Resize(fyne.NewSize(width, 1))
			y += gap * 0.5
		}
		at := y
		put(l.value)
		y = at
		put(l.name)
		figure := textWidth(l.value.text, l.value.textSize(), l.value.bold)
		l.name.Resize(fyne.NewSize(max(width-figure-gap, 0), l.name.Size().Height))
	}
	next(2 * gap)
	put(d.speed)
	put(d.basis)
	y += gap * 0.5
	put(d.where)
}
