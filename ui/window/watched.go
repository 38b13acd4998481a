//go:build cgo || !darwin

package window

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
