//go:build cgo && !nogui

package window

import (
	"context"
	"fmt"
	"os"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/driver"

	"headroom/assets"
	"headroom/ui/fynelog"
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
	fynelog.Tell()
	defer fynelog.Mute()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	path, state, recalled := recallFor(o)
	icon := fyne.NewStaticResource("headroom.png", assets.IconPNG)
	makeNoFolders()
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
	show(v.win, &opened)

	v.closed.Store(true)
	cancel()
	running.Wait()
	v.finish(opened)
	if !opened {
		return fmt.Errorf("%w: %s", ErrNoDisplay, fynelog.WhyNoWindow())
	}
	return nil
}

// makeNoFolders has Fyne make no folder for its settings and icons where the user has none: it would make one where Headroom was
// started, and makes one that was lent to it anew once it is removed.
func makeNoFolders() {
	if _, err := os.UserConfigDir(); err != nil {
		os.Setenv("XDG_CONFIG_HOME", os.DevNull)
	}
	if _, err := os.UserCacheDir(); err != nil {
		os.Setenv("XDG_CACHE_HOME", os.DevNull)
		os.Setenv("MESA_SHADER_CACHE_DISABLE", "true") // Mesa would say that it cannot write there
	}
}

// show runs the window. Fyne panics where GLFW does not start; before the window has opened that is no fault of ours.
func show(w fyne.Window, opened *bool) {
	defer func() {
		if *opened {
			return
		}
		if fault := recover(); fault != nil {
			fynelog.Blame(fmt.Sprint(fault))
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
