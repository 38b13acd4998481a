//go:build cgo || !darwin

package window

import (
	"os"
	"runtime"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"github.com/godbus/dbus/v5"

	"headroom/ui/frame"
)

// tray shows the verdict in the system tray. A nil tray does nothing: there is none here.
type tray struct {
	v       *view
	app     desktop.App
	verdict *fyne.MenuItem
	menu    *fyne.Menu
	now     frame.Decided
	at      time.Time // of the Frame whose words are shown; zero for none
}

// trayPace is the least time between two changes of the tray's words: desktops make the menu anew each time.
const trayPace = 5 * time.Second

// newTray makes the tray's menu where the desktop has a tray.
func newTray(v *view) *tray {
	app, ok := v.app.(desktop.App)
	if !ok || !hasTray() {
		return nil
	}
	t := &tray{v: v, app: app, verdict: fyne.NewMenuItem("Reading the sensors…", v.win.Show)}
	quit := fyne.NewMenuItem("Quit", v.quit)
	quit.IsQuit = true
	t.menu = fyne.NewMenu("Headroom", t.verdict, fyne.NewMenuItem("Show the window", func() {
		v.win.Show()
		v.win.RequestFocus()
	}), fyne.NewMenuItemSeparator(), quit)
	app.SetSystemTrayMenu(t.menu)
	return t
}

// update changes the tray's words when the decision changes, not with every number in it.
func (t *tray) update(s shown) {
	if t == nil || !s.ready || s.moment >= 0 {
		return
	}
	d, at := s.frame.Decided(), s.frame.Sample.Time
	if age := at.Sub(t.at); d == t.now && !t.at.IsZero() || age >= 0 && age < trayPace {
		return
	}
	t.now, t.at = d, at
	if words := decidedWords(d); d.Fits {
		t.verdict.Label = "Runs at " + words
	} else {
		t.verdict.Label = strings.ToUpper(words[:1]) + words[1:]
	}
	t.menu.Refresh()
}

// hasTray asks whether something shows tray icons. On Linux that is who owns the watcher's name on the session bus; to
// ask Fyne for a tray without one only leaves complaints on standard error.
func hasTray() bool {
	switch runtime.GOOS {
	case "windows", "darwin":
		return true
	}
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" {
		return false
	}
	found := make(chan bool, 1)
	go func() {
		conn, err := dbus.ConnectSessionBus()
		if err != nil {
			found <- false
			return
		}
		defer conn.Close()
		var owned bool
		err = conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.kde.StatusNotifierWatcher").Store(&owned)
		found <- err == nil && owned
	}()
	select {
	case owned := <-found:
		return owned
	case <-time.After(time.Second):
		return false
	}
}
