//go:build (cgo || !darwin) && (!cgo || nogui)

package window

// watchIconified does nothing: what is only pictured is never iconified.
func (v *view) watchIconified() {}
