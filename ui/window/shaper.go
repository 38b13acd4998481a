//go:build cgo || !darwin

package window

import (
	_ "unsafe" // for linkname

	"github.com/go-text/typesetting/shaping"
)

// fyneShaper is what Fyne measures and paints texts with. For each font it keeps plans that it never lets go of, and Fyne
// parses all fonts anew whenever a theme is applied: without forgetFonts each change of theme or size of type would keep the
// former fonts in memory, several megabytes, for as long as the window is open.
//
//go:linkname fyneShaper fyne.io/fyne/v2/internal/painter.shaper
var fyneShaper *shaping.HarfbuzzShaper

// forgetFonts lets go of the fonts of former themes. It is for the window's goroutine, which alone shapes texts.
func forgetFonts() { *fyneShaper = shaping.HarfbuzzShaper{} }
