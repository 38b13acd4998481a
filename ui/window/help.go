//go:build cgo || !darwin

package window

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
)

// showHelp opens the one sheet of keys: what the action list holds, by group.
func (v *view) showHelp() {
	v.closeOverlays()
	z := theme.TextSize() / 13
	left, right := container.NewVBox(), container.NewVBox()
	group, side := "", left
	for _, a := range v.actions {
		if a.group != group {
			group = a.group
			if group == "What is played" {
				side = right
			}
			head := newWords(draw.Muted, 0.92, true, 1)
			head.set(group)
			side.Add(container.New(spacer{top: 8 * z}, head))
		}
		side.Add(helpRow(a))
	}
	title := newWords(draw.Text, 1.25, true, 1)
	title.set("Keys")
	when := newWords(draw.Muted, 0.92, false, 1)
	when.set("Letters work while no text is being typed.")
	body := container.New(spacer{top: 4 * z, side: 10 * z}, container.NewBorder(
		container.NewVBox(title, when), nil, nil, nil,
		container.NewVScroll(container.NewGridWithColumns(2, left, right)),
	))
	v.overlay(body, func(window fyne.Size) (fyne.Position, fyne.Size) {
		w, h := min(940*z, window.Width-32), min(title.MinSize().Height+when.MinSize().Height+max(left.MinSize().Height, right.MinSize().Height)+40*z, window.Height-32)
		return fyne.NewPos((window.Width-w)/2, (window.Height-h)/2), fyne.NewSize(w, h)
	})
}

func helpRow(a *action) fyne.CanvasObject {
	key, name := newWords(draw.Text, 0.96, true, 1), newWords(draw.Text, 0.96, false, 1)
	key.set(a.key)
	name.set(a.name)
	key.least, name.least = 1, 1
	return container.New(helpColumns{}, key, name)
}

// helpColumns lays a key and its meaning beside one another.
type helpColumns struct{}

func (helpColumns) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, max(o[0].MinSize().Height, o[1].MinSize().Height))
}

func (helpColumns) Layout(o []fyne.CanvasObject, s fyne.Size) {
	key := 62 * theme.TextSize() / 13
	o[0].Resize(fyne.NewSize(key, s.Height))
	o[1].Move(fyne.NewPos(key, 0))
	o[1].Resize(fyne.NewSize(max(s.Width-key-8, 0), s.Height))
}

// spacer keeps room around what it holds.
type spacer struct{ top, side float32 }

func (p spacer) MinSize(o []fyne.CanvasObject) fyne.Size {
	var m fyne.Size
	for _, x := range o {
		m = m.Max(x.MinSize())
	}
	return m.AddWidthHeight(2*p.side, p.top)
}

func (p spacer) Layout(o []fyne.CanvasObject, s fyne.Size) {
	for _, x := range o {
		x.Move(fyne.NewPos(p.side, p.top))
		x.Resize(fyne.NewSize(max(s.Width-2*p.side, 0), max(s.Height-p.top, 0)))
	}
}
