//go:build cgo || !darwin

package window

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
	"headroom/ui/frame"
)

// decidedWords says a decision shortly: "q8 on the GPU", "nothing fits: q4 in 9 tiles on the GPU".
func decidedWords(d frame.Decided) string {
	where := " on the " + strings.ToUpper(d.Backend.String())
	switch {
	case d.Fits:
		return d.Precision.String() + where
	case d.Tiles > 1:
		return fmt.Sprintf("nothing fits: %s in %s tiles%s", d.Precision, frame.Count(uint64(d.Tiles)), where)
	}
	return "nothing fits: " + d.Precision.String() + where
}

// settledWords says the settled answer and whether the raw one agrees.
func (s shown) settledWords() string {
	if !s.ready {
		return "Nothing was read yet."
	}
	text := "Settled: " + decidedWords(s.settled) + " since " + clock(s.settledSince) + "."
	if raw := s.frame.Decided(); raw != s.settled {
		return text + " The raw answer, " + decidedWords(raw) + ", has not held long enough."
	}
	return text + " The raw answer is the same."
}

// settledBar is the line above the page that shows the settled answer beside the raw one.
type settledBar struct {
	v     *view
	root  *fyne.Container
	label *words
	chip  *chip
	text  *words
}

func newSettledBar(v *view) *settledBar {
	b := &settledBar{v: v, label: newWords(draw.Muted, 0.96, true, 1), chip: newChip(), text: newWords(draw.Text, 0.96, false, 1)}
	b.label.set("Settled")
	b.root = container.New(b, b.label, b.chip, b.text)
	b.root.Hide()
	return b
}

func (b *settledBar) update() {
	s := b.v.last
	if show := b.v.state.Settled && s.ready && s.moment < 0 && b.v.state.Page == PageLive; show != b.root.Visible() {
		b.root.Hidden = !show
		b.v.shell.Refresh()
	}
	if !b.root.Visible() {
		return
	}
	b.chip.set(s.settled.Precision, s.settled.Fits)
	text := "on the " + strings.ToUpper(s.settled.Backend.String())
	if !s.settled.Fits {
		text = "does not fit, " + text
	}
	text += " since " + clock(s.settledSince)
	if raw := s.frame.Decided(); raw != s.settled {
		text = join(text, "the raw answer, "+decidedWords(raw)+", has not held for "+paceText(b.v.holdTime()))
	} else {
		text = join(text, "the raw answer is the same")
	}
	b.text.set(text)
}

func (b *settledBar) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (b *settledBar) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	z := theme.TextSize() / 13
	x, h := 20*z, s.Height-4*z
	put := func(o fyne.CanvasObject, w, height float32) {
		o.Move(fyne.NewPos(x, (h-height)/2))
		o.Resize(fyne.NewSize(w, height))
		x += w + 8*z
	}
	put(b.label, b.label.MinSize().Width, h)
	put(b.chip, b.chip.MinSize().Width, b.chip.MinSize().Height)
	put(b.text, max(s.Width-x-20*z, 0), h)
}
