//go:build cgo && !nogui

package window

import (
	"bytes"
	"log"
	"testing"
)

func TestOnlyHarmlessComplaintsAreKeptQuiet(t *testing.T) {
	var got bytes.Buffer
	l := log.New(&quiet{to: &got}, "", 0)
	for _, line := range []string{
		"Fyne error:  failed to watch theme settings", "  Cause: no bus", "  At: app.go:1",
		"Fyne error:  window creation error", "  Cause: no GL", "  At: window.go:2",
		"Fyne error:  Settings watch error: x", "another word", "  At: elsewhere",
	} {
		l.Print(line)
	}
	want := "Fyne error:  window creation error\n  Cause: no GL\n  At: window.go:2\nanother word\n  At: elsewhere\n"
	if got.String() != want {
		t.Errorf("passed on %q, want %q", got.String(), want)
	}
}
