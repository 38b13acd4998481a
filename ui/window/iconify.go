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
