//go:build cgo || !darwin

package window

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"headroom/ui/draw"
)

func TestEveryKeyIsOnTheSheetAndInTheMenuOnce(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	seen := map[string]string{}
	for _, a := range b.actions {
		if a.key == "" || a.name == "" || a.group == "" {
			t.Errorf("%+v lacks a key, a name or a group", a)
		}
		if other, twice := seen[a.key]; twice {
			t.Errorf("%s stands for %q and %q", a.key, other, a.name)
		}
		seen[a.key] = a.name
	}
	b.press('?')
	var sheet []string
	for o := range objects(b.canvas()) {
		if w, ok := o.(*words); ok {
			sheet = append(sheet, w.text)
		}
	}
	text := strings.Join(sheet, "\n")
	for _, a := range b.actions {
		if !strings.Contains(text, a.name) {
			t.Errorf("the sheet lacks %q", a.name)
		}
	}
	b.pressKey(fyne.KeyEscape)
	if len(b.canvas().Overlays().List()) != 0 {
		t.Error("Esc does not close the sheet")
	}
}

func TestTheThemeKeyAlwaysChangesWhatIsSeen(t *testing.T) {
	for _, start := range []string{"", themeDark, themeLight} {
		state := defaults()
		state.Theme = start
		b := newBench(t, Options{}, state)
		seen := func() string { return b.look.drawTheme(b.app.Settings().ThemeVariant()).Name }
		first := seen()
		b.press('t')
		second := seen()
		b.press('t')
		if second == first || seen() != first {
			t.Errorf("from %q, T shows %s, %s, then %s", start, first, second, seen())
		}
	}
}

func TestKeysTurnPagesAndWorkWhereverTheFocusIs(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	for r, page := range map[rune]string{'2': PageModels, '3': PageSensors, '1': PageLive} {
		b.press(r)
		if b.state.Page != page {
			t.Errorf("%c shows %s, want %s", r, b.state.Page, page)
		}
	}
	b.press('1')
	b.canvas().FocusNext()
	for range 40 {
		f := b.canvas().Focused()
		if f == nil {
			t.Fatal("Tab leaves the window")
		}
		if _, typing := f.(*fieldEntry); !typing {
			b.turnTo(PageLive)
			b.canvas().Focus(f)
			f.TypedRune('3')
			if b.state.Page != PageSensors {
				t.Fatalf("3 does nothing while the focus is on %T", f)
			}
			b.turnTo(PageLive)
			b.canvas().Focus(f)
		}
		b.canvas().FocusNext()
	}
}

func TestAFocusedFigureIsWalkedWithArrows(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	f := b.live.byName["thermal"]
	b.canvas().Focus(f)
	f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if f.spot < 0 || len(b.tips.lines) == 0 {
		t.Fatal("the arrow shows no explanation")
	}
	for range f.scene.Hotspots {
		if f.scene.Hotspots[f.spot].Action == draw.ShowReading {
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			break
		}
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	}
	b.settle()
	if b.state.Page != PageSensors || b.sensors.chosen != b.last.frame.Budget.Thermal.ReadingID {
		t.Errorf("Enter leads to page %s, reading %q; want the driving sensor %q", b.state.Page, b.sensors.chosen, b.last.frame.Budget.Thermal.ReadingID)
	}
}

func TestThePointerShowsTipsAndFollowsHotspots(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	f := b.live.byName["thermal"]
	f.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(40, 40)}})
	if len(b.tips.lines) == 0 {
		t.Error("no tip under the pointer")
	}
	f.MouseOut()
	if len(b.tips.lines) != 0 {
		t.Error("the tip stays when the pointer leaves")
	}
	f.Tapped(&fyne.PointEvent{Position: fyne.NewPos(40, 40)})
	b.settle()
	if b.state.Page != PageSensors {
		t.Error("a click on the thermal card does not lead to its reading")
	}
}

func TestAFigureCanBeEnlarged(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	cool, _ := coolAndHot(t)
	b.sample(cool)
	b.canvas().Focus(b.live.byName["map"])
	b.press('z')
	if len(b.live.places) != 1 || b.live.places[0].slot.figure != "map" || b.live.places[0].slot.w < 1000 {
		t.Errorf("enlarged: %+v", b.live.places)
	}
	b.pressKey(fyne.KeyEscape)
	b.pressKey(fyne.KeyEscape)
	if len(b.live.places) < 8 {
		t.Error("Esc does not bring the page back")
	}
}

func TestTheCommandMenuDoesWhatItSays(t *testing.T) {
	b := newBench(t, Options{}, defaults())
	b.commandMenu()
	e := b.canvas().Focused().(*pickEntry)
	e.SetText("sensors pages")
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.settle()
	if b.state.Page != PageSensors || len(b.canvas().Overlays().List()) != 0 {
		t.Errorf("page %s, overlays %d", b.state.Page, len(b.canvas().Overlays().List()))
	}
}
