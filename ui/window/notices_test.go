//go:build cgo || !darwin

package window

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
)

// clockwork collects what is to be done later.
type clockwork []func()

func (c *clockwork) pass() {
	for _, do := range *c {
		do()
	}
	*c = nil
}

func TestNewsGoesByItselfAndFaultsStay(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	var c clockwork
	b.after = func(d time.Duration, do func()) {
		if d < 5*time.Second || d > 30*time.Second {
			t.Errorf("news is shown for %v", d)
		}
		c = append(c, do)
	}
	b.notices.tell("record", "Recorded 12 samples.")
	if !b.notices.root.Visible() {
		t.Fatal("news is not shown")
	}
	c.pass()
	if b.notices.root.Visible() {
		t.Errorf("after its time %q still stands", b.notices.text.text)
	}

	b.notices.fault("export", "the disk is full")
	b.notices.underWay("model", "Reading a file …")
	b.notices.tell("record", "Recorded 13 samples.")
	c.pass()
	if !strings.Contains(b.notices.text.text, "Reading a file") || len(b.notices.notices) != 2 {
		t.Errorf("of what is under way and what went wrong is left: %+v", b.notices.notices)
	}

	b.notices.tell("record", "first")
	b.notices.tell("record", "second")
	c[0]()
	if b.notices.top().text != "second" {
		t.Error("the time of an earlier notice takes a later one away")
	}
}

func TestOneEscapeClosesAnEnlargedFigure(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.win.Resize(fyne.NewSize(1280, 800))
	b.settle()
	b.canvas().Focus(b.live.byName["ladder"])
	b.press('z')
	if b.live.enlarged != "ladder" {
		t.Fatalf("Z enlarges %q", b.live.enlarged)
	}
	b.pressKey(fyne.KeyEscape)
	if b.live.enlarged != "" {
		t.Error("one Esc leaves the figure enlarged")
	}
}

func TestEscapePutsANoticeAway(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.notices.fault("export", "the disk is full")
	b.pressKey(fyne.KeyEscape)
	if b.notices.root.Visible() {
		t.Error("Esc leaves the notice")
	}
}

func TestWithoutAHomeTheNoticeSaysThatNothingIsKept(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData", "home"} {
		t.Setenv(name, "")
	}
	path, _, err := recallFor(Options{})
	if path != "" || err == nil || !strings.Contains(err.Error(), "not kept") {
		t.Errorf("without a home the settings lie in %q: %v", path, err)
	}
}
