//go:build cgo && !nogui

package window

import "github.com/go-gl/glfw/v3.4/glfw"

// watchIconified has the window ask for no figures while it is iconified. Fyne does not tell, so GLFW is asked: this runs
// while Fyne paints, when the window's GL context is the current one.
func (v *view) watchIconified() {
	if !v.native {
		return
	}
	v.native = false
	if w := glfw.GetCurrentContext(); w != nil {
		w.SetIconifyCallback(func(_ *glfw.Window, iconified bool) {
			v.hidden = iconified
			v.sendAsk()
			v.tellWatched()
		})
	}
}

// tellWatched tells whether anybody sees the readings: in the window, the tray, the frames file or a recording. Whatever order
// the calls come to run in, the last one tells the latest.
func (v *view) tellWatched() {
	if v.o.Watched == nil || v.o.FramesFile != "" || v.tray != nil || v.record.running() {
		return
	}
	v.unseen.Store(v.hidden)
	v.beside(func() {
		v.telling.Lock()
		defer v.telling.Unlock()
		v.o.Watched(!v.unseen.Load())
	})
}
