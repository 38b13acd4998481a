//go:build cgo || !darwin

package window

import (
	"sync"
	"time"
)

// keeper writes the settings file off the window's goroutine, once after a burst of changes.
type keeper struct {
	path   string
	failed func(error) // told the first failure only: a read-only home says so once
	quiet  time.Duration

	mu      sync.Mutex
	base    remembered // as the file was last read or written
	now     remembered
	wake    chan struct{}
	stop    chan struct{}
	stopped chan struct{}
}

func newKeeper(path string, base remembered, failed func(error)) *keeper {
	k := &keeper{
		path: path, failed: failed, quiet: time.Second, base: base, now: base,
		wake: make(chan struct{}, 1), stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	go k.run()
	return k
}

// set takes a new state to keep; it never waits.
func (k *keeper) set(r remembered) {
	k.mu.Lock()
	k.now = r
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// close writes what is outstanding and ends the goroutine.
func (k *keeper) close() {
	close(k.stop)
	<-k.stopped
}

func (k *keeper) run() {
	defer close(k.stopped)
	for {
		select {
		case <-k.stop:
			k.write()
			return
		case <-k.wake:
		}
		select {
		case <-k.stop:
		case <-time.After(k.quiet):
		}
		k.write()
	}
}

func (k *keeper) write() {
	k.mu.Lock()
	base, now := k.base, k.now
	k.mu.Unlock()
	if err := keep(k.path, base, now); err != nil {
		if k.failed != nil {
			k.failed(err)
			k.failed = nil
		}
		return
	}
	k.mu.Lock()
	k.base = now
	k.mu.Unlock()
}
