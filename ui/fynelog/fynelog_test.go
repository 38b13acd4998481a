package fynelog

import (
	"bytes"
	"log"
	"testing"
)

func logged(f *filter, lines ...string) string {
	var got bytes.Buffer
	f.to = &got
	l := log.New(f, "", log.LstdFlags)
	l.SetFlags(0)
	for _, line := range lines {
		l.Print(line)
	}
	return got.String()
}

var entries = []string{
	"Fyne error:  failed to watch theme settings", "  Cause: no bus", "  At: app.go:1",
	"Fyne error:  Settings watch error:", "  At: app.go:2", "a word of another",
	"Fyne error:  something\telse:", "  Cause: x\ny", "  At: y.go:3",
	"Fyne error:  window creation error", "  Cause: no GL", "  At: window.go:2",
	"Fyne error:  one more", "  At: y.go:4",
}

// A window tells the first complaint that may matter in one line; a command tells none, and others' words are always told.
func TestFynesComplaintsAreOneLineAtMost(t *testing.T) {
	window := &filter{telling: true}
	if got, want := logged(window, entries...), "a word of another\nheadroom: the window goes on, but Fyne complains: something else: x y\n"; got != want {
		t.Errorf("a window says %q, want %q", got, want)
	}
	if window.fatal != "no GL" {
		t.Errorf("why there is no window: %q", window.fatal)
	}
	if got, want := logged(&filter{}, entries...), "a word of another\n"; got != want {
		t.Errorf("a command says %q, want %q", got, want)
	}
}
