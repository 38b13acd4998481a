package gpu

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"headroom/sensors/sysfs"
)

// One driver that crashes or hangs ends the listing of all. It is found by trying each alone: of no more than maxAlone,
// aloneAtOnce at a time, in two fifths of a probe's time each and four fifths together.
const (
	maxAlone    = 32
	aloneAtOnce = 4
)

// notStarted is the error of a child that did not even start, which is no driver's doing.
type notStarted struct{ error }

func (e notStarted) Unwrap() error { return e.error }

// leftOut are the driver files that ended the newest listing: this process's other children are kept from them.
var leftOut struct {
	sync.Mutex
	files []string
}

func leaveOut(files []string) {
	leftOut.Lock()
	defer leftOut.Unlock()
	leftOut.files = files
}

// withoutLeftOut narrows an environment to the drivers that did not end the newest listing.
func withoutLeftOut(o Options, environ []string) []string {
	leftOut.Lock()
	bad := leftOut.files
	leftOut.Unlock()
	if len(bad) == 0 {
		return environ
	}
	var keep []string
	for _, f := range driverFiles(sysfs.New(o.Sysroot, nil), environ) {
		if !slices.Contains(bad, f.file) {
			keep = append(keep, f.file)
		}
	}
	return onlyDrivers(environ, keep)
}

// listEachAlone lists the adapters of each driver in a child of its own, after all of them in one ended with an error. Drivers
// that fail alone, too, are left out, and a note says so; where nothing is left the error names them.
func listEachAlone(ctx context.Context, o Options, seen view, timeout time.Duration, together error) (answer, error) {
	files := driverFiles(sysfs.New(o.Sysroot, nil), seen.env)
	switch {
	case len(files) == 0 || len(files) > maxAlone:
		return answer{}, together
	case len(files) == 1:
		return answer{}, fmt.Errorf("%w; its only Vulkan driver is %s", together, files[0])
	}
	answers, errs := askEach(ctx, o, seen, files, timeout)
	if ctx.Err() != nil {
		return answer{}, together
	}
	out := answer{Adapters: []adapter{}}
	var bad []string
	for i, f := range files {
		if errs[i] != nil {
			bad = append(bad, f.file)
			out.Notes = append(out.Notes, fmt.Sprintf("Vulkan driver %s is left out: %s", f, errs[i]))
			continue
		}
		out.Adapters = append(out.Adapters, answers[i].Adapters...)
		for _, n := range answers[i].Notes {
			if !slices.Contains(out.Notes, n) {
				out.Notes = append(out.Notes, n)
			}
		}
	}
	out.Adapters = out.Adapters[:min(len(out.Adapters), maxAdapters)]
	out.incomplete = len(bad) > 0
	switch {
	case len(bad) == len(files):
		return answer{}, fmt.Errorf("%w; no Vulkan driver does better alone", together)
	case len(out.Adapters) == 0 && len(bad) > 0:
		return answer{}, errors.New(strings.Join(out.Notes, "; "))
	case len(out.Adapters) == 0:
		return answer{}, together
	case len(bad) == 0:
		out.Notes = append(out.Notes, fmt.Sprintf("each Vulkan driver was asked alone, as with all of them %s", together))
	}
	leaveOut(bad)
	return out, nil
}

// askEach asks one child for each driver.
func askEach(ctx context.Context, o Options, seen view, files []driverFile, timeout time.Duration) ([]answer, []error) {
	ctx, cancel := context.WithTimeout(ctx, timeout*4/5)
	defer cancel()
	answers, errs := make([]answer, len(files)), make([]error, len(files))
	slots := make(chan struct{}, aloneAtOnce)
	var all sync.WaitGroup
	for i, f := range files {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				errs[i] = errors.New("others took the time in which to try it")
				return
			}
			ctx, cancel := context.WithTimeout(ctx, timeout*2/5)
			defer cancel()
			answers[i], errs[i] = ask(ctx, o, seen.only(f), jobAdapters)
		})
	}
	all.Wait()
	return answers, errs
}

// only is the view of one driver of those that may be seen.
func (v view) only(f driverFile) view {
	v.env = onlyDrivers(v.env, []string{f.file})
	return v
}

// String names a driver by its file and library, without their folders: one in a home would name its user.
func (d driverFile) String() string {
	if d.library == "" {
		return filepath.Base(d.file)
	}
	return filepath.Base(d.file) + " (" + filepath.Base(d.library) + ")"
}
