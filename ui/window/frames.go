//go:build cgo || !darwin

package window

import (
	"encoding/json"
	"fmt"
	"os"

	"headroom/ui/frame"
)

// framesFile appends the snapshot of each Frame shown as one JSON line. After a failure it writes no more.
type framesFile struct {
	path string
	f    *os.File
	done bool
}

func openFrames(path string) *framesFile { return &framesFile{path: path, done: path == ""} }

// add writes one line at once, unbuffered, so that a reader sees whole lines as they are shown. The error comes once.
func (w *framesFile) add(f frame.Frame) error {
	if w.done {
		return nil
	}
	err := w.write(f)
	if err != nil {
		w.close()
		return fmt.Errorf("write frames to %s: %w; no more are written", w.path, err)
	}
	return nil
}

func (w *framesFile) write(f frame.Frame) error {
	if w.f == nil {
		opened, err := os.OpenFile(w.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		w.f = opened
	}
	line, err := json.Marshal(f.Snapshot())
	if err != nil {
		return err
	}
	_, err = w.f.Write(append(line, '\n'))
	return err
}

func (w *framesFile) close() {
	w.done = true
	if w.f != nil {
		w.f.Close() //nolint:errcheck // every line was written unbuffered
		w.f = nil
	}
}
