//go:build xvfb && cgo && !nogui && linux

package window

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/trace"
)

// TestMain runs the soak in place of the tests where HEADROOM_SOAK gives its length, such as 10m: Fyne's loop needs the
// main goroutine. The real window shows a scenario at ten frames a second, on the display that DISPLAY names.
func TestMain(m *testing.M) {
	length := os.Getenv("HEADROOM_SOAK")
	if length == "" {
		os.Exit(m.Run())
	}
	d, err := time.ParseDuration(length)
	if err == nil {
		err = soak(d)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// counted counts what a feed emits.
type counted struct {
	Feed
	n atomic.Int64
}

func (c *counted) Run(ctx context.Context, emit func(sensors.Sample)) error {
	return c.Feed.Run(ctx, func(s sensors.Sample) {
		c.n.Add(1)
		emit(s)
	})
}

// use is what the process holds and has taken.
type use struct {
	heap       uint64
	goroutines int
	cpu        time.Duration
	frames     int64
}

func (c *counted) use() use {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	cpu := time.Duration(r.Utime.Nano() + r.Stime.Nano())
	return use{m.HeapAlloc, runtime.NumGoroutine(), cpu, c.n.Load()}
}

// soak fails where memory or goroutines have grown between a tenth of the time, when all that is kept has been kept once,
// and the end.
func soak(length time.Duration) error {
	s, err := trace.Scenario("thin-laptop")
	if err != nil {
		return err
	}
	player := trace.NewPlayer(s.Every(time.Second))
	player.SetSpeed(10)
	feed := &counted{Feed: player}
	dir, err := os.MkdirTemp("", "headroom-soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	var warm, end use
	measured := make(chan struct{})
	go func() {
		defer close(measured)
		time.Sleep(max(length/10, 5*time.Second))
		warm = feed.use()
		time.Sleep(length - max(length/10, 5*time.Second) - 2*time.Second)
		end = feed.use()
	}()
	err = Run(ctx, Options{Feed: feed, Origin: "scenario " + s.Name, SettingsFile: filepath.Join(dir, "window.json"), FramesFile: filepath.Join(dir, "frames.jsonl")})
	if err != nil {
		return err
	}
	<-measured
	frames := max(end.frames-warm.frames, 1)
	fmt.Printf("%d frames; heap %.1f → %.1f MiB; goroutines %d → %d; CPU %.1f ms a frame, %.1f %% of one core\n",
		frames, float64(warm.heap)/(1<<20), float64(end.heap)/(1<<20), warm.goroutines, end.goroutines,
		float64((end.cpu-warm.cpu).Milliseconds())/float64(frames), 100*(end.cpu-warm.cpu).Seconds()/(float64(frames)/10))
	if end.heap > warm.heap+warm.heap/5+4<<20 {
		return fmt.Errorf("the heap grew from %d to %d bytes", warm.heap, end.heap)
	}
	if end.goroutines > warm.goroutines+3 {
		return fmt.Errorf("goroutines grew from %d to %d", warm.goroutines, end.goroutines)
	}
	return nil
}
