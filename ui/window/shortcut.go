//go:build cgo || !darwin

package window

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// shortcut performs the window's own shortcuts and reports whether s is one. While a text is typed Fyne gives shortcuts to
// the entry alone: without this, the window would not close on Ctrl+Q then.
func (v *view) shortcut(s fyne.Shortcut) bool {
	c, ok := s.(*desktop.CustomShortcut)
	if !ok {
		return false
	}
	for _, a := range v.actions {
		if a.special != "" && a.with != 0 && a.special == c.KeyName && a.with == c.Modifier {
			v.perform(a)
			return true
		}
	}
	return false
}

func (e *pickEntry) TypedShortcut(s fyne.Shortcut) {
	if !e.p.v.shortcut(s) {
		e.Entry.TypedShortcut(s)
	}
}

func (e *fieldEntry) TypedShortcut(s fyne.Shortcut) {
	if !e.v.shortcut(s) {
		e.Entry.TypedShortcut(s)
	}
}
