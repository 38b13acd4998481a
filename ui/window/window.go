//go:build cgo && !nogui

package window

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/driver"

	"headroom/assets"
)

// AppID names the application to the desktop: Wayland matches it with the name of the .desktop file.
const AppID = "dev.headroom.Headroom"

// Run opens the window and returns when it is closed, when ctx ends or on SIGINT. It must be called from the main
// goroutine. Where no window can be opened, for want of a display or of OpenGL, it returns ErrNoDisplay with the reason.
func Run(ctx context.Context, o Options) error {
	if err := HasDisplay(); err != nil {
		return err
	}
	preferX11()
	complaints := &quiet{to: log.Writer()}
	log.SetOutput(complaints) // for good: Fyne's goroutines outlive the window
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	path, state, recalled := recallFor(o)
	icon := fyne.NewStaticResource("headroom.png", assets.IconPNG)
	defer lendConfigDir()()
	app.SetMetadata(fyne.AppMetadata{ID: AppID, Name: "Headroom", Version: o.Version, Icon: icon})
	a := app.NewWithID(AppID)
	a.SetIcon(icon)
	v := newView(ctx, a, o, state)
	if recalled != nil {
		v.notices.fault("settings", recalled.Error())
	}
	if path != "" {
		v.keeper = newKeeper(path, state, func(err error) {
			later(func() { v.notices.fault("settings", err.Error()+"; nothing is remembered") })
		})
	}
	v.tray = newTray(v)

	var running sync.WaitGroup
	opened := false
	a.Lifecycle().SetOnStarted(func() {
		releaseDisplay()
		if opened = isOpen(v.win); !opened {
			a.Driver().Quit()
			return
		}
		running.Go(func() { v.eng.run(ctx) })
		running.Go(func() { v.eng.feed(ctx, o.Feed, v.again) })
		go func() {
			<-ctx.Done()
			later(a.Driver().Quit)
		}()
		v.started()
	})
	show(v.win, complaints, &opened)

	v.closed.Store(true)
	cancel()
	running.Wait()
	v.finish(opened)
	if !opened {
		return fmt.Errorf("%w: %s", ErrNoDisplay, complaints.whyNoWindow())
	}
	return nil
}

// lendConfigDir gives Fyne a folder for its settings and icons where the user has none, until the function it returns is called: Fyne
// would make its own in the folder that Headroom was started in.
func lendConfigDir() (giveBack func()) {
	if _, err := os.UserConfigDir(); err == nil {
		return func() {}
	}
	dir, err := os.MkdirTemp("", "headroom-fyne-*")
	if err != nil {
		return func() {}
	}
	os.Setenv("XDG_CONFIG_HOME", dir)
	if _, err := os.UserCacheDir(); err != nil {
		os.Setenv("XDG_CACHE_HOME", dir)
	}
	return func() {
		log.SetOutput(io.Discard) // Fyne would say that the folder which it watches has gone
		os.RemoveAll(dir)
	}
}

// show runs the window. Fyne panics where GLFW does not start; before the window has opened that is no fault of ours.
func show(w fyne.Window, complaints *quiet, opened *bool) {
	defer func() {
		if *opened {
			return
		}
		if fault := recover(); fault != nil {
			complaints.blame(fmt.Sprint(fault))
		}
	}()
	wantNoDepth()
	w.ShowAndRun()
}

// isOpen reports whether the desktop has given the window a place: Fyne goes on without one.
func isOpen(w fyne.Window) bool {
	open := true
	if native, ok := w.(driver.NativeWindow); ok {
		native.RunNative(func(context any) {
			switch c := context.(type) {
			case driver.X11WindowContext:
				open = c.WindowHandle != 0
			case driver.WaylandWindowContext:
				open = c.WaylandSurface != 0
			}
		})
	}
	return open
}

// started does what can only be done once the window runs.
func (v *view) started() {
	v.win.SetTitle(v.title())
	if v.o.SetInterval != nil && v.o.Origin == "" {
		v.o.SetInterval(v.interval())
	}
	hold := v.holdTime()
	v.eng.do(func() { v.eng.setHold(hold) })
	if v.openLater.Path != "" {
		v.openModel(v.openLater.Path)
	}
	v.findHere()
	v.native = true
	v.sendAsk()
}

// finish keeps the window's size and writes what is outstanding.
func (v *view) finish(opened bool) {
	if v.keeper == nil {
		return
	}
	if s := v.canvas().Size(); opened && !v.demo && s.Width >= minWidth && s.Height >= minHeight {
		v.state.Width, v.state.Height = s.Width, s.Height
	}
	v.changedState()
	v.keeper.close()
}
