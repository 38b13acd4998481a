//go:build cgo || !darwin

package window

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"headroom/ui/draw"
)

// aboutWidth is the width of the sheet in the theme's normal type.
const aboutWidth = 640

// showAbout opens the sheet that says which Headroom this is, what it keeps and where: what a report of a fault begins with.
func (v *view) showAbout() {
	v.closeOverlays()
	z := theme.TextSize() / 13
	title := newWords(draw.Text, 1.25, true, 1)
	title.set("Headroom")
	lines := container.NewVBox(title)
	for _, text := range []string{
		v.o.Version,
		"What this machine can run right now, and why.",
		v.keptWhere(),
		"It sends nothing anywhere, and listens only for headroom export.",
		"Licence: Apache-2.0. The font Inter: SIL Open Font License.",
	} {
		w := newWords(draw.Muted, 0.96, false, 1)
		w.set(text)
		lines.Add(w)
	}
	done := newButton("Copy the version", nil, v.tips, v)
	var sheet *overlay
	done.onTap = func() {
		v.app.Clipboard().SetContent("headroom " + v.o.Version)
		sheet.close()
		v.notices.tell("about", "The version is in the clipboard.")
	}
	lines.Add(container.New(spacer{top: 8 * z}, container.NewHBox(done)))
	body := container.New(spacer{top: 4 * z, side: 10 * z}, lines)
	sheet = v.overlay(body, func(window fyne.Size) (fyne.Position, fyne.Size) {
		w, h := min(aboutWidth*z, window.Width-32), min(body.MinSize().Height+24*z, window.Height-32)
		return fyne.NewPos((window.Width-w)/2, (window.Height-h)/3), fyne.NewSize(w, h)
	})
	v.canvas().Focus(done)
}

// keptWhere says where the window's settings are, or that they are not kept.
func (v *view) keptWhere() string {
	if v.keeper == nil {
		return "Settings are not kept for the next run."
	}
	return "Settings: " + shortDir(v.keeper.path)
}
