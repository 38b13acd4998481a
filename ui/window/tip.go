//go:build cgo || !darwin

package window

import (
	"image/color"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"headroom/ui/draw"
)

// tipLayer lies over the whole window and shows one tooltip. It takes no pointer events: it has no handler.
type tipLayer struct {
	widget.BaseWidget
	lines  []string
	near   fyne.Position // the tip's upper left corner, where it fits
	above  float32       // the upper edge of what it explains: the tip goes above it when there is no room below
	ground *canvas.Rectangle
	texts  []*canvas.Text
}

const (
	tipLines = 8
	tipWidth = 340
)

func newTipLayer() *tipLayer {
	t := &tipLayer{ground: canvas.NewRectangle(color.Transparent)}
	for range tipLines {
		t.texts = append(t.texts, canvas.NewText("", nil))
		setFont(t.texts[len(t.texts)-1], false)
	}
	t.ExtendBaseWidget(t)
	return t
}

// under shows a text below an object.
func (t *tipLayer) under(o fyne.CanvasObject, text string) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	t.show(text, at.AddXY(0, o.Size().Height+6), at.Y)
}

// show shows a text at a place, or above an edge when there is no room below.
func (t *tipLayer) show(text string, at fyne.Position, above float32) {
	lines := wrap(text, tipWidth*max(theme.TextSize()/13, 1), theme.TextSize()-1, tipLines)
	if at == t.near && strings.Join(lines, "\n") == strings.Join(t.lines, "\n") {
		return
	}
	t.lines, t.near, t.above = lines, at, above
	t.Refresh()
}

func (t *tipLayer) hide() {
	if len(t.lines) > 0 {
		t.lines = nil
		t.Refresh()
	}
}

func (t *tipLayer) CreateRenderer() fyne.WidgetRenderer {
	r := &tipRenderer{t}
	r.Refresh()
	return r
}

type tipRenderer struct{ t *tipLayer }

func (r *tipRenderer) Destroy()           {}
func (r *tipRenderer) MinSize() fyne.Size { return fyne.Size{} }
func (r *tipRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.t.ground}
	for _, l := range r.t.texts {
		o = append(o, l)
	}
	return o
}

func (r *tipRenderer) Layout(size fyne.Size) {
	t := r.t
	if len(t.lines) == 0 {
		return
	}
	pad, lineHeight, width := theme.InnerPadding()+2, float32(0), float32(0)
	for i := range t.lines {
		m := t.texts[i].MinSize()
		width, lineHeight = max(width, m.Width), max(lineHeight, m.Height)
	}
	box := fyne.NewSize(width+2*pad, lineHeight*float32(len(t.lines))+2*pad)
	x := max(min(t.near.X, size.Width-box.Width-6), 6)
	y := t.near.Y
	if y+box.Height > size.Height-6 {
		y = max(t.above-box.Height-6, 6)
	}
	t.ground.Move(fyne.NewPos(x, y))
	t.ground.Resize(box)
	for i, l := range t.texts {
		l.Move(fyne.NewPos(x+pad, y+pad+float32(i)*lineHeight))
		l.Resize(l.MinSize())
	}
}

func (r *tipRenderer) Refresh() {
	t := r.t
	t.ground.Hidden = len(t.lines) == 0
	t.ground.FillColor, t.ground.StrokeColor, t.ground.StrokeWidth = roleColor(draw.Well), roleColor(draw.Grid), 1
	t.ground.CornerRadius = theme.Size(theme.SizeNameInputRadius)
	for i, l := range t.texts {
		l.Hidden = i >= len(t.lines)
		if l.Hidden {
			continue
		}
		l.Text, l.TextSize, l.Color = t.lines[i], theme.TextSize()-1, roleColor(draw.Text)
	}
	r.Layout(t.Size())
	canvas.Refresh(t)
}

// wrap breaks a text into at most limit lines no wider than width; the last one ends in … when there was more.
func wrap(text string, width, size float32, limit int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			for ; word != "" && textWidth(word, size, false) > width; word = strings.TrimPrefix(word, lines[len(lines)-1]) {
				if line != "" {
					lines = append(lines, line)
					line = ""
				}
				lines = append(lines, word[:fitting(word, width, size)])
			}
			next := word
			if line != "" {
				next = line + " " + word
			}
			if line != "" && textWidth(next, size, false) > width {
				lines = append(lines, line)
				next = word
			}
			line = next
		}
		lines = append(lines, line)
	}
	if len(lines) > limit {
		lines = lines[:limit]
		lines[limit-1] += " …"
	}
	return lines
}

// fitting is how many bytes of a word fit into a width, at least its first character's; a path is broken after a folder.
func fitting(word string, width, size float32) int {
	_, first := utf8.DecodeRuneInString(word)
	n := first
	for i := range word {
		if i > n && textWidth(word[:i], size, false) <= width {
			n = i
		}
	}
	if slash := strings.LastIndexAny(word[:n], `/\`); slash > 0 {
		return slash + 1
	}
	return n
}

// longestLine is what of one line is laid out at most, in bytes: no screen is wider, and a recording may hold any text.
const longestLine = 1024

// cutText shortens a text to a width with an ellipsis.
func cutText(text string, width, size float32, bold bool) string {
	if width <= 0 {
		return ""
	}
	if len(text) > longestLine {
		text = strings.ToValidUTF8(text[:longestLine], "")
	}
	if textWidth(text, size, bold) <= width {
		return text
	}
	runes := []rune(text)
	lo, hi := 0, len(runes)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if textWidth(strings.TrimRight(string(runes[:mid]), " ")+"…", size, bold) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 {
		return ""
	}
	return strings.TrimRight(string(runes[:lo]), " ") + "…"
}

// cutFront shortens a text to a width from its start.
func cutFront(text string, width, size float32, bold bool) string {
	if len(text) > longestLine {
		text = "…" + strings.ToValidUTF8(text[len(text)-longestLine:], "")
	}
	runes := []rune(text)
	if width <= 0 || textWidth(text, size, bold) <= width {
		return cutText(text, width, size, bold)
	}
	lo, hi := 1, len(runes)
	for lo < hi {
		mid := (lo + hi) / 2
		if textWidth("…"+string(runes[mid:]), size, bold) <= width {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return "…" + string(runes[lo:])
}
