//go:build cgo || !darwin

package window

import (
	"bytes"
	"log"
	"testing"
)

func TestOnlyHarmlessComplaintsAreKeptQuiet(t *testing.T) {
	var got bytes.Buffer
	q := &quiet{to: &got}
	l := log.New(q, "", 0)
	for _, line := range []string{
		"Fyne error:  failed to watch theme settings", "  Cause: no bus", "  At: app.go:1",
		"Fyne error:  something else", "  Cause: x", "  At: y.go:3",
		"Fyne error:  window creation error", "  Cause: no GL", "  At: window.go:2",
		"Fyne error:  Settings watch error: x", "another word",
	} {
		l.Print(line)
	}
	want := "Fyne error:  something else\n  Cause: x\n  At: y.go:3\nanother word\n"
	if got.String() != want {
		t.Errorf("passed on %q, want %q", got.String(), want)
	}
	if q.whyNoWindow() != "no GL" {
		t.Errorf("why there is no window: %q", q.whyNoWindow())
	}
}
