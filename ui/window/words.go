//go:build cgo || !darwin

package window

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/ui/draw"
)

// words is text in a role's colour: one line cut to its width, or wrapped over at most so many lines.
type words struct {
	widget.BaseWidget
	text  string
	role  draw.Role
	size  float32 // a share of the theme's text size
	bold  bool
	lines int
	right bool
	// least is a width kept free, so that what stands beside it does not move as numbers change.
	least float32
	texts []*canvas.Text
}

func newWords(role draw.Role, size float32, bold bool, lines int) *words {
	w := &words{role: role, size: size, bold: bold, lines: lines}
	for range lines {
		w.texts = append(w.texts, canvas.NewText("", nil))
	}
	w.ExtendBaseWidget(w)
	return w
}

// set shows another text; it redraws only on a difference.
func (w *words) set(text string) {
	if w.text != text {
		w.text = text
		w.Refresh()
	}
}

func (w *words) setRole(r draw.Role) {
	if w.role != r {
		w.role = r
		w.Refresh()
	}
}

func (w *words) textSize() float32 { return theme.TextSize() * w.size }

func (w *words) CreateRenderer() fyne.WidgetRenderer {
	r := &wordsRenderer{w}
	r.Refresh()
	return r
}

type wordsRenderer struct{ w *words }

func (r *wordsRenderer) Destroy() {}
func (r *wordsRenderer) Objects() []fyne.CanvasObject {
	o := make([]fyne.CanvasObject, len(r.w.texts))
	for i, t := range r.w.texts {
		o[i] = t
	}
	return o
}

func (r *wordsRenderer) lineHeight() float32 {
	return measure("Ag", r.w.textSize(), r.w.bold).Height
}

func (r *wordsRenderer) MinSize() fyne.Size {
	w := r.w.least
	if r.w.lines == 1 && w == 0 {
		w = textWidth(r.w.text, r.w.textSize(), r.w.bold)
	}
	return fyne.NewSize(w, r.lineHeight()*float32(r.w.lines))
}

func (r *wordsRenderer) Layout(s fyne.Size) {
	w := r.w
	lines := []string{cutText(w.text, s.Width+0.5, w.textSize(), w.bold)}
	if w.lines > 1 {
		lines = wrap(w.text, s.Width, w.textSize(), w.lines)
	}
	h := r.lineHeight()
	top := float32(0)
	if w.lines == 1 {
		top = max((s.Height-h)/2, 0)
	}
	for i, t := range w.texts {
		t.Hidden = i >= len(lines) || lines[i] == ""
		if t.Hidden {
			continue
		}
		t.Text = lines[i]
		m := t.MinSize()
		x := float32(0)
		if w.right {
			x = s.Width - m.Width
		}
		t.Move(fyne.NewPos(x, top+float32(i)*h))
		t.Resize(m)
	}
}

func (r *wordsRenderer) Refresh() {
	for _, t := range r.w.texts {
		t.TextSize, t.Color = r.w.textSize(), roleColor(r.w.role)
		setFont(t, r.w.bold)
	}
	r.Layout(r.w.Size())
	canvas.Refresh(r.w)
}

// ground is a rounded ground in a role's colour with a hairline around it.
type ground struct {
	widget.BaseWidget
	fill, edge draw.Role
	rect       *canvas.Rectangle
}

func newGround(fill, edge draw.Role) *ground {
	g := &ground{fill: fill, edge: edge, rect: canvas.NewRectangle(color.Transparent)}
	g.ExtendBaseWidget(g)
	return g
}

func (g *ground) CreateRenderer() fyne.WidgetRenderer {
	r := &groundRenderer{g}
	r.Refresh()
	return r
}

type groundRenderer struct{ g *ground }

func (r *groundRenderer) Destroy()                     {}
func (r *groundRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.g.rect} }
func (r *groundRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *groundRenderer) Layout(s fyne.Size)           { r.g.rect.Resize(s) }
func (r *groundRenderer) Refresh() {
	r.g.rect.FillColor = roleColor(r.g.fill)
	if r.g.edge != draw.None {
		r.g.rect.StrokeColor, r.g.rect.StrokeWidth = roleColor(r.g.edge), 1
	}
	r.g.rect.CornerRadius = theme.Size(theme.SizeNameCardRadius)
	canvas.Refresh(r.g)
}

// stack lays objects over one another and asks for no room: the page gives it.
type fill struct{ least fyne.Size }

func (f fill) MinSize([]fyne.CanvasObject) fyne.Size { return f.least }
func (f fill) Layout(objects []fyne.CanvasObject, s fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(s)
	}
}
