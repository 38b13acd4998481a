//go:build cgo && !nogui

package window

import (
	"context"
	"log"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"headroom/assets"
)

// AppID names the application to the desktop: Wayland matches it with the name of the .desktop file.
const AppID = "dev.headroom.Headroom"

// Run opens the window and returns when it is closed, when ctx ends or on SIGINT. It must be called from the main
// goroutine. Without a display it returns ErrNoDisplay at once.
func Run(ctx context.Context, o Options) error {
	if err := HasDisplay(); err != nil {
		return err
	}
	defer log.SetOutput(log.Writer())
	log.SetOutput(&quiet{to: log.Writer()})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	path, state, recalled := o.SettingsFile, defaults(), error(nil)
	if path == "" {
		path, recalled = settingsPath()
	}
	if path != "" {
		state, recalled = recall(path)
	}
	a := app.NewWithID(AppID)
	a.SetIcon(fyne.NewStaticResource("headroom.png", assets.IconPNG))
	v := newView(ctx, a, o, state)
	if recalled != nil {
		v.notices.fault("settings", recalled.Error())
	}
	if path != "" {
		v.keeper = newKeeper(path, state, func(err error) {
			fyne.Do(func() { v.notices.fault("settings", err.Error()+"; nothing is remembered") })
		})
	}
	v.tray = newTray(v)

	var running sync.WaitGroup
	a.Lifecycle().SetOnStarted(func() {
		releaseDisplay()
		running.Go(func() { v.eng.run(ctx) })
		running.Go(func() { v.eng.feed(ctx, o.Feed, v.again) })
		go func() {
			<-ctx.Done()
			fyne.Do(a.Driver().Quit)
		}()
		v.started()
	})
	v.win.ShowAndRun()

	v.closed.Store(true)
	cancel()
	running.Wait()
	v.finish()
	return nil
}

// started does what can only be done once the window runs.
func (v *view) started() {
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
func (v *view) finish() {
	if v.keeper == nil {
		return
	}
	if s := v.canvas().Size(); !v.demo && s.Width >= minWidth && s.Height >= minHeight {
		v.state.Width, v.state.Height = s.Width, s.Height
	}
	v.changedState()
	v.keeper.close()
}
