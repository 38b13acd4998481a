//go:build cgo || !darwin

package window

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// setFont sets a text in one of the embedded fonts itself. Left to the theme, Fyne reads every fallback font and searches
// the system's before it measures the first text; so it asks only for runes that the embedded font lacks.
func setFont(t *canvas.Text, bold bool) {
	t.TextStyle.Bold, t.FontSource = bold, fontOf(bold)
}

func fontOf(bold bool) fyne.Resource {
	if bold {
		return fontSemiBold
	}
	return fontRegular
}

// measure is the room that a text takes in the window's font.
func measure(text string, size float32, bold bool) fyne.Size {
	room, _ := fyne.CurrentApp().Driver().RenderedTextSize(text, size, fyne.TextStyle{Bold: bold}, fontOf(bold))
	return room
}

func textWidth(text string, size float32, bold bool) float32 { return measure(text, size, bold).Width }
