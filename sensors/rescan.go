package sensors

import (
	"context"
	"slices"
	"sync/atomic"
	"time"
)

// rescanner runs a scan only when the folders list other names, the last one is old, or someone asked for it. It is used by
// one goroutine at a time.
type rescanner struct {
	env   *env
	dirs  []string
	scan  func(context.Context) part
	names []string
	at    time.Time
	asked uint64
	last  part
}

// scanAgain counts the wishes for a new scan: a device that turned out to be another one, a machine back from sleep.
type scanAgain struct{ n atomic.Uint64 }

func (e *env) rescanned(scan func(context.Context) part, dirs ...string) func(context.Context) part {
	r := &rescanner{env: e, dirs: dirs, scan: scan}
	return r.read
}

func (r *rescanner) read(ctx context.Context) part {
	var names []string
	for _, d := range r.dirs {
		list, _ := r.env.fs.List(d)
		names = append(append(names, d), list...)
	}
	now, asked := r.env.clock.Now(), r.env.again.n.Load()
	age := now.Sub(r.at)
	if !r.at.IsZero() && age >= 0 && age < r.env.rescan && asked == r.asked && slices.Equal(names, r.names) {
		return r.last
	}
	r.last = r.scan(ctx)
	r.names, r.at, r.asked = names, now, asked
	return r.last
}
