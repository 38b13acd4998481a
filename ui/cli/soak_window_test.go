//go:build soak && cgo && !nogui && linux

package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu"
	"headroom/ui/window"
)

// soakCommand makes this test program a window whose sources fail: SEED and the folder that stands for the machine follow.
const soakCommand = "__soak-window"

// soakInterval is the shortest there is: 20 samples a second.
const soakInterval = 50 * time.Millisecond

// init lets this test program be what the soak needs beside it. A window takes the main goroutine, and a child process that
// Headroom starts is the running program again, whichever that is.
func init() {
	switch args := os.Args[1:]; {
	case len(args) == 0 || strings.HasPrefix(args[0], "-test."):
	case args[0] == soakCommand:
		if err := soakWindow(args[1], args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "headroom:", err)
			os.Exit(exitFailed)
		}
		os.Exit(exitOK)
	default:
		os.Exit(Main(args, os.Stdin, os.Stdout, os.Stderr))
	}
}

// soakWindow is openWindow with faults in its sources, until it is told to close. It answers to lines on standard input:
// "calm" and "wild" end and begin the faults, "measure" prints an inner use as JSON, "stacks" all goroutines, and "heap" writes a
// profile of the heap to the file that HEADROOM_SOAK_HEAP names.
func soakWindow(seed, sysroot string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	f := &inner{rand: rand.New(rand.NewPCG(n, 0)), sysroot: sysroot, wild: make(chan struct{})}
	m := &machine{adapters: gpu.NewWatcher(gpu.Options{})}
	m.Poller = sensors.NewPoller(sensors.Options{
		Sysroot: sysroot, Interval: soakInterval, ProbeEvery: figuresEvery, Observe: f.read, Probe: f.probe(m.adapters.Probe),
	})
	defer m.Close()
	rec := newRecorder(recordingsDir(), "")
	defer rec.Close()
	go f.obey(os.Stdin, os.Stdout)
	return runWindow(ctx, window.Options{
		Feed: counting{m, &f.samples}, Interval: soakInterval, Refresh: m.Refresh, FramesFile: os.DevNull,
		Recorder: rec, Prove: windowProver(), Proven: provenRates, Watched: m.setWatched,
	}, os.Stderr)
}

// counting counts the samples of a feed.
type counting struct {
	*machine
	n *atomic.Int64
}

func (c counting) Run(ctx context.Context, emit func(sensors.Sample)) error {
	return c.machine.Run(ctx, func(s sensors.Sample) {
		c.n.Add(1)
		emit(s)
	})
}

// inner are the faults inside the window's process, drawn from a seed.
type inner struct {
	sysroot string
	samples atomic.Int64
	counts  struct{ Panics, Hangs, Probes atomic.Int64 }

	mu   sync.Mutex
	rand *rand.Rand
	// wild is closed while there are no faults, which ends those that last.
	wild chan struct{}
	calm bool
}

// draw is a number below n, and what ends a lasting fault; -1 while it is calm.
func (f *inner) draw(n int) (int, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calm {
		return -1, f.wild
	}
	return f.rand.IntN(n), f.wild
}

// read is told of each file that a source reads, in the source's own goroutine: there it panics or hangs for a while.
func (f *inner) read(name string, _ []byte, _ error) {
	switch n, calm := f.draw(20_000); {
	case n >= 0 && n < 8:
		f.counts.Panics.Add(1)
		panic("soak: the source of " + name)
	case n == 8:
		f.counts.Hangs.Add(1)
		hang(calm)
	}
}

func hang(calm <-chan struct{}) {
	select {
	case <-calm:
	case <-time.After(15 * time.Second):
	}
}

// probe lists the adapters: mostly the real ones by the child process, else a file's, nonsense, or nothing for a while.
func (f *inner) probe(real sensors.ProbeFunc) sensors.ProbeFunc {
	return func(ctx context.Context) ([]sensors.Adapter, sensors.Reading) {
		n, calm := f.draw(20)
		f.counts.Probes.Add(1)
		switch n {
		case 0:
			panic("soak: the probe")
		case 1:
			hang(calm)
			return real(ctx)
		case 2:
			return []sensors.Adapter{{Name: strings.Repeat("\x00\xff", 128), Type: "discrete", Backend: "vulkan", PCI: "not an address"}}, sensors.Reading{}
		case 3, 4, 5, 6:
			return gpu.FromFile(filepath.Join(f.sysroot, "gpu.json"))
		}
		return real(ctx)
	}
}

// innerUse is what only the process itself knows of what it holds.
type innerUse struct {
	Heap       uint64
	Goroutines int
	Samples    int64
	Panics     int64
	Hangs      int64
	Probes     int64
}

func (f *inner) measure() innerUse {
	runtime.GC()
	runtime.GC() // what finalizers let go of
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return innerUse{
		Heap: m.HeapAlloc, Goroutines: runtime.NumGoroutine(), Samples: f.samples.Load(),
		Panics: f.counts.Panics.Load(), Hangs: f.counts.Hangs.Load(), Probes: f.counts.Probes.Load(),
	}
}

func (f *inner) set(calm bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if calm == f.calm {
		return
	}
	if f.calm = calm; calm {
		close(f.wild)
	} else {
		f.wild = make(chan struct{})
	}
}

// writeHeap writes a profile of the heap, to be looked at where it has grown; an empty path is none.
func writeHeap(path string) error {
	if path == "" {
		return nil
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(pprof.WriteHeapProfile(out), out.Close())
}

func (f *inner) obey(in io.Reader, out io.Writer) {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var err error
		switch what := lines.Text(); what {
		case "calm", "wild":
			f.set(what == "calm")
		case "measure":
			err = json.NewEncoder(out).Encode(f.measure())
		case "stacks":
			err = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		case "heap":
			err = writeHeap(os.Getenv("HEADROOM_SOAK_HEAP"))
		default:
			err = errors.New("soak: unknown word " + what)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(exitFailed)
		}
	}
}
