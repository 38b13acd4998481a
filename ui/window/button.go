//go:build cgo || !darwin

package window

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/ui/draw"
)

// keys takes what a focused widget does not use itself, so that the window's keys work wherever the focus is.
type keys interface {
	typedRune(rune)
	typedKey(*fyne.KeyEvent)
}

// button is a labelled key with an optional second, quieter text: the header's and the panels' one control.
type button struct {
	widget.BaseWidget
	label, detail string
	// checked marks the chosen one of several, or a switch that is on; plain leaves out the border while not checked.
	checked, plain bool
	// mark is the colour of a dot before the label; None for none.
	mark  draw.Role
	tip   string
	onTap func()
	tips  *tipLayer
	keys  keys

	hovered, focused, disabled bool
}

func newButton(label string, onTap func(), tips *tipLayer, k keys) *button {
	b := &button{label: label, onTap: onTap, tips: tips, keys: k}
	b.ExtendBaseWidget(b)
	return b
}

// set changes the texts and the mark, and redraws only on a difference.
func (b *button) set(label, detail string, checked bool) {
	if b.label == label && b.detail == detail && b.checked == checked {
		return
	}
	b.label, b.detail, b.checked = label, detail, checked
	b.Refresh()
}

func (b *button) setMark(r draw.Role) {
	if b.mark != r {
		b.mark = r
		b.Refresh()
	}
}

func (b *button) setTip(tip string) *button { b.tip = tip; return b }

func (b *button) setDisabled(d bool) {
	if b.disabled != d {
		b.disabled = d
		b.Refresh()
	}
}

func (b *button) Disabled() bool { return b.disabled }
func (b *button) Enable()        { b.setDisabled(false) }
func (b *button) Disable()       { b.setDisabled(true) }

func (b *button) Tapped(*fyne.PointEvent) {
	if b.onTap != nil && !b.disabled {
		b.tips.hide()
		b.onTap()
	}
}

func (b *button) Cursor() desktop.Cursor {
	if b.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

func (b *button) MouseIn(*desktop.MouseEvent) {
	b.hovered = true
	b.Refresh()
	if b.tip != "" {
		b.tips.under(b, b.tip)
	}
}
func (b *button) MouseMoved(*desktop.MouseEvent) {}
func (b *button) MouseOut() {
	b.hovered = false
	b.Refresh()
	b.tips.hide()
}

func (b *button) FocusGained() { b.focused = true; b.Refresh() }
func (b *button) FocusLost()   { b.focused = false; b.Refresh() }

func (b *button) TypedRune(r rune) {
	if r != ' ' && b.keys != nil {
		b.keys.typedRune(r)
	}
}

func (b *button) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	default:
		if b.keys != nil {
			b.keys.typedKey(e)
		}
	}
}

func (b *button) CreateRenderer() fyne.WidgetRenderer {
	r := &buttonRenderer{b: b, ground: canvas.NewRectangle(color.Transparent), dot: canvas.NewCircle(color.Transparent), label: canvas.NewText("", nil), detail: canvas.NewText("", nil)}
	setFont(r.label, true)
	setFont(r.detail, false)
	r.Refresh()
	return r
}

type buttonRenderer struct {
	b             *button
	ground        *canvas.Rectangle
	dot           *canvas.Circle
	label, detail *canvas.Text
}

func (r *buttonRenderer) Destroy() {}
func (r *buttonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.dot, r.label, r.detail}
}

func buttonPad() float32 { return theme.InnerPadding() * 1.5 }

func (r *buttonRenderer) MinSize() fyne.Size {
	// By the theme in force: a change of it reaches layouts before it reaches the texts.
	w := 2*buttonPad() + textWidth(r.b.label, theme.TextSize()-0.5, true) + r.dotRoom()
	if r.b.detail != "" {
		w += theme.InnerPadding() + textWidth(r.b.detail, theme.TextSize()-1, false)
	}
	return fyne.NewSize(w, controlHeight())
}

func (r *buttonRenderer) dotRoom() float32 {
	if r.b.mark == draw.None {
		return 0
	}
	return theme.TextSize()
}

// controlHeight is the height of buttons and entries in a row: an entry's own.
func controlHeight() float32 {
	return measure("Ag", theme.TextSize(), false).Height + 2*theme.InnerPadding()
}

// Layout centres the texts; where there is too little room the detail is cut first, then the label.
func (r *buttonRenderer) Layout(s fyne.Size) {
	r.ground.Resize(s)
	room := s.Width - 2*buttonPad() - r.dotRoom()
	// Here, by the theme in force: at the start none may tell a button of another one.
	r.label.TextSize, r.detail.TextSize = theme.TextSize()-0.5, theme.TextSize()-1
	r.label.Text = cutText(r.b.label, room+0.5, r.label.TextSize, true)
	lw := r.label.MinSize().Width
	r.detail.Text = cutText(r.b.detail, room-lw-theme.InnerPadding()+0.5, r.detail.TextSize, false)
	if len(r.detail.Text) < len(r.b.detail)/2 {
		r.detail.Text = "" // less than half of it says nothing
	}
	total := lw
	r.detail.Hidden = r.detail.Text == "" // Fyne would draw it all the same
	if !r.detail.Hidden {
		total += theme.InnerPadding() + r.detail.MinSize().Width
	}
	d := theme.TextSize() * 0.6
	x := max((s.Width-total-r.dotRoom())/2, buttonPad())
	r.dot.Resize(fyne.NewSize(d, d))
	r.dot.Move(fyne.NewPos(x, (s.Height-d)/2))
	x += r.dotRoom()
	centreAt(r.label, x, s.Height)
	centreAt(r.detail, x+lw+theme.InnerPadding(), s.Height)
}

// centreAt centres a text upright at x.
func centreAt(t *canvas.Text, x, height float32) {
	m := t.MinSize()
	t.Resize(m)
	t.Move(fyne.NewPos(x, (height-m.Height)/2))
}

func (r *buttonRenderer) Refresh() {
	b := r.b
	r.label.Color, r.detail.Color = roleColor(draw.Text), roleColor(draw.Muted)
	r.dot.Hidden = b.mark == draw.None
	if b.mark != draw.None {
		r.dot.FillColor = roleColor(b.mark)
	}
	r.ground.CornerRadius = theme.Size(theme.SizeNameButtonRadius)
	r.ground.FillColor, r.ground.StrokeColor, r.ground.StrokeWidth = roleColor(draw.Card), roleColor(draw.Edge), 1
	if b.plain {
		r.ground.FillColor, r.ground.StrokeColor = color.Transparent, color.Transparent
		r.label.Color = roleColor(draw.Muted)
	}
	if b.hovered && !b.disabled {
		r.ground.FillColor = roleColor(draw.Well)
	}
	if b.checked {
		r.ground.FillColor, r.ground.StrokeColor = roleColor(draw.Grid), roleColor(draw.Grid)
		r.label.Color = roleColor(draw.Text)
	}
	if b.disabled {
		r.label.Color = roleColor(draw.Muted)
	}
	if b.focused {
		r.ground.StrokeColor, r.ground.StrokeWidth = roleColor(draw.Curve), 2
	}
	r.Layout(b.Size())
	canvas.Refresh(b)
}
