//go:build cgo || !darwin

package window

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

func TestTheWindowsShortcutsWorkWhileATextIsTyped(t *testing.T) {
	for name, focus := range map[string]func(*bench){
		"in a field": func(b *bench) { b.focusPin(0) },
		"in a menu":  func(b *bench) { b.press('c') },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, Options{}, defaults())
			closed := false
			b.win.SetOnClosed(func() { closed = true })
			focus(b)
			entry, ok := b.canvas().Focused().(fyne.Shortcutable)
			if !ok {
				t.Fatalf("%T has the focus", b.canvas().Focused())
			}
			before := b.state.Type
			entry.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyEqual, Modifier: fyne.KeyModifierShortcutDefault})
			if b.state.Type <= before {
				t.Error("Ctrl+= does not enlarge the type")
			}
			entry.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierShortcutDefault})
			if !closed {
				t.Error("Ctrl+Q does not close the window")
			}
		})
	}
}
