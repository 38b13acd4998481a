//go:build cgo || !darwin

package window

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"headroom/ui/draw"
)

// livePage shows the figures: the whole page, one figure enlarged, or two Frames side by side.
type livePage struct {
	v    *view
	root *container.Scroll // scrolls only where the window is too low for the figures' least sizes
	area *fyne.Container
	// byName are the figures of the page, left those of the kept Frame in a comparison, right those beside them.
	byName, left, right map[string]*figure
	places              []place
	placing             bool
	compare             *compareHead
	enlarged            string // the figure that fills the page; empty for all
	powerMap            bool   // the map's second axis is power, not heat
	next                int
}

// place is where a figure stands now.
type place struct {
	f    *figure
	slot slot
}

func newLivePage(v *view) *livePage {
	p := &livePage{v: v, byName: map[string]*figure{}, left: map[string]*figure{}, right: map[string]*figure{}}
	p.compare = newCompareHead(v)
	p.compare.root.Hide()
	p.area = container.New(p, p.compare.root)
	p.root = container.NewVScroll(p.area)
	return p
}

// figure is the figure of a name, made at its first use and kept.
func (p *livePage) figure(of map[string]*figure, name string, kept bool) *figure {
	f := of[name]
	if f == nil {
		p.next++
		f = newFigure(p.v, p.next, name, kept)
		of[name] = f
		p.v.figures[f.id] = f
		p.area.Add(f)
	}
	return f
}

func (p *livePage) slots() []slot {
	s := make([]slot, len(p.places))
	for i, pl := range p.places {
		s[i] = pl.slot
	}
	return s
}

// MinSize is the least height of the figures, for the scroll that they stand in.
func (p *livePage) MinSize([]fyne.CanvasObject) fyne.Size {
	if p.enlarged != "" {
		return fyne.Size{}
	}
	if !p.v.last.keptAt.IsZero() {
		return fyne.NewSize(0, leastComparison*p.v.look.zoom)
	}
	bottom := 0.0
	for _, sl := range draw.LiveLayout(float64(p.root.Size().Width/p.v.look.zoom), 0) {
		bottom = max(bottom, sl.Y+sl.H)
	}
	return fyne.NewSize(0, float32(bottom+leastMargin)*p.v.look.zoom)
}

const (
	leastMargin     = 12
	leastComparison = 620
)

// Layout places the figures on whole pixels, so that they stay sharp at any scale.
func (p *livePage) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	if s.Width < 1 || s.Height < 1 || p.placing {
		return
	}
	p.placing = true // a figure that is added has the page laid out anew
	defer func() { p.placing = false }()
	p.places = p.places[:0]
	z := p.v.look.zoom
	w, h := float64(s.Width/z), float64(s.Height/z)
	comparing := !p.v.last.keptAt.IsZero()
	switch {
	case comparing:
		p.layoutComparison(w, h)
	case p.enlarged != "":
		const margin = 16
		p.put(p.figure(p.byName, p.enlarged, false), draw.Slot{Figure: p.enlarged, X: margin, Y: 4, W: w - 2*margin, H: h - 4 - margin})
	default:
		for _, sl := range draw.LiveLayout(w, h) {
			if sl.Figure == "map" && p.powerMap {
				sl.Figure = "powermap"
			}
			p.put(p.figure(p.byName, sl.Figure, false), sl)
		}
	}
	if p.compare.root.Visible() != comparing {
		p.compare.root.Hidden = !comparing
	}
	used := make(map[*figure]bool, len(p.places))
	for _, pl := range p.places {
		used[pl.f] = true
	}
	for _, f := range p.v.figures {
		if f.id == proofsID {
			continue // it stands on a page of its own
		}
		if used[f] != f.Visible() {
			f.Hidden = !used[f]
		}
	}
}

// put gives a figure its place, snapped to pixels.
func (p *livePage) put(f *figure, sl draw.Slot) {
	z, scale := float64(p.v.look.zoom), float64(p.v.pixelScale())
	snap := func(v float64) float64 { return float64(int(v*z*scale+0.5)) / scale }
	x, y, right, bottom := snap(sl.X), snap(sl.Y), snap(sl.X+sl.W), snap(sl.Y+sl.H)
	f.Move(fyne.NewPos(float32(x), float32(y)))
	f.Resize(fyne.NewSize(float32(right-x), float32(bottom-y)))
	p.places = append(p.places, place{f, slot{id: f.id, figure: sl.Figure, w: (right - x) / z, h: (bottom - y) / z, kept: f.kept}})
}

// comparison are the rows of figures that each side shows, with each row's share of the height and its figures' shares of
// the width.
var comparison = []struct {
	share float64
	names []string
}{
	{0.17, []string{"verdict"}},
	{0.19, []string{"thermal", "power", "memory"}},
	{0.34, []string{"ladder", "tiles"}},
	{0.30, []string{"map"}},
}

const compareHeadHeight = 48

func (p *livePage) layoutComparison(w, h float64) {
	const margin, gap = 16, 10
	z := float64(p.v.look.zoom)
	p.compare.root.Move(fyne.NewPos(float32(margin*z), 0))
	p.compare.root.Resize(fyne.NewSize(float32((w-2*margin)*z), float32(compareHeadHeight*z)))
	half := (w - 2*margin - gap) / 2
	free := h - compareHeadHeight - margin - gap*float64(len(comparison)-1)
	for side, of := range []map[string]*figure{p.left, p.right} {
		y := float64(compareHeadHeight)
		x0 := margin + float64(side)*(half+gap)
		for _, row := range comparison {
			rh := free * row.share
			fw := (half - gap*float64(len(row.names)-1)) / float64(len(row.names))
			for i, name := range row.names {
				p.put(p.figure(of, name, side == 0), draw.Slot{Figure: name, X: x0 + float64(i)*(fw+gap), Y: y, W: fw, H: rh})
			}
			y += rh + gap
		}
	}
}

// relayout lays the page out anew after a change of what it shows.
func (p *livePage) relayout() {
	p.area.Refresh()
	p.root.Refresh()
	p.Layout(nil, p.area.Size())
	p.v.sendAsk()
}

// scroll moves the page by most of its height, where it is higher than the window.
func (p *livePage) scroll(down bool) {
	step := p.root.Size().Height * 0.8
	if !down {
		step = -step
	}
	most := max(p.area.Size().Height-p.root.Size().Height, 0)
	p.root.ScrollToOffset(fyne.NewPos(0, min(max(p.root.Offset.Y+step, 0), most)))
}

// enlarge fills the page with one figure, or shows all again where it already does.
func (p *livePage) enlarge(name string) {
	if p.enlarged == name {
		name = ""
	}
	if p.enlarged != name {
		p.enlarged = name
		p.v.tips.hide()
		p.relayout()
	}
}

func (p *livePage) update() {
	comparing := !p.v.last.keptAt.IsZero()
	if comparing != p.compare.root.Visible() {
		p.relayout()
	}
	if comparing {
		p.compare.update()
	}
}
