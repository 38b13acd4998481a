//go:build cgo && !nogui

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/trace"
)

// maxUnwritten bounds the samples and events that wait for a slow disk, in number.
const maxUnwritten = 600

// recorder writes what the window is fed, beside it: its own goroutine alone waits for the disk. The last ten minutes are
// always kept.
type recorder struct {
	dir    string
	origin string
	jobs   chan func()
	done   sync.WaitGroup
	ring   *trace.Ring

	mu     sync.Mutex
	closed bool
	// behind is set when the disk took too long.
	behind bool

	// All below belongs to the recorder's goroutine.
	writer *trace.Writer
	lost   func(error)
}

var errBehind = errors.New("the disk does not keep up")

func newRecorder(dir, origin string) *recorder {
	r := &recorder{dir: dir, origin: origin, jobs: make(chan func(), maxUnwritten), ring: trace.NewRing()}
	r.done.Go(func() {
		for job := range r.jobs {
			job()
		}
		if r.writer != nil {
			r.writer.Close()
		}
	})
	return r
}

// push leaves a job to the recorder's goroutine; where too many wait it is dropped.
func (r *recorder) push(job func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	select {
	case r.jobs <- job:
	default:
		r.behind = true
	}
}

// wait runs a job on the recorder's goroutine and waits for it.
func (r *recorder) wait(job func()) error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return errors.New("the recorder is closed")
	}
	ran := make(chan struct{})
	select {
	case r.jobs <- func() { defer close(ran); job() }:
		r.mu.Unlock()
	default:
		r.mu.Unlock()
		return errBehind
	}
	<-ran
	return nil
}

// Add keeps a sample and, while recording, writes it. It never waits for the disk.
func (r *recorder) Add(s sensors.Sample) {
	r.push(func() {
		// A sample too large to be written is no reason to end the recording; the ring leaves it out, too.
		_ = r.ring.Add(s)
		if r.writer != nil {
			r.check(r.writer.Write(s))
		}
	})
}

// Settings keeps the settings for the samples to come and, while recording, writes them.
func (r *recorder) Settings(at time.Time, set budget.Settings) {
	r.push(func() {
		_ = r.ring.Settings(at, set) // those too large to be written are left out of a recording, too
		if r.writer != nil {
			r.check(r.writer.Settings(at, set))
		}
	})
}

// Mark keeps an event and, while recording, writes it.
func (r *recorder) Mark(at time.Time, text string) {
	r.push(func() {
		_ = r.ring.Mark(at, text) // a mark of one short line can be encoded
		if r.writer != nil {
			r.check(r.writer.Mark(at, text))
		}
	})
}

// check ends the recording at its first error and tells it once.
func (r *recorder) check(err error) {
	r.mu.Lock()
	if err == nil && r.behind {
		err = fmt.Errorf("record: %w: samples were lost", errBehind)
	}
	r.behind = false
	r.mu.Unlock()
	if err == nil {
		return
	}
	r.writer.Close()
	r.writer = nil
	r.lost(err)
}

// Start begins a recording in a file of its own and gives its path. lost is called once where it ends by itself.
func (r *recorder) Start(set budget.Settings, lost func(error)) (path string, err error) {
	waited := r.wait(func() {
		if r.writer != nil {
			err = errors.New("a recording is running already")
			return
		}
		path, err = r.create("headroom", func(path string) (err error) {
			r.writer, err = trace.Create(path, r.header(set))
			return err
		})
		if err != nil {
			r.writer = nil
			return
		}
		r.lost = lost
		r.mu.Lock()
		r.behind = false
		r.mu.Unlock()
	})
	return path, errors.Join(waited, err)
}

// Stop ends the recording and says how many samples and bytes were written.
func (r *recorder) Stop() (samples int, bytes int64, err error) {
	waited := r.wait(func() {
		if r.writer == nil {
			err = errors.New("nothing is being recorded")
			return
		}
		err = r.writer.Close()
		samples, bytes = r.writer.Written()
		r.writer = nil
	})
	return samples, bytes, errors.Join(waited, err)
}

// Save writes the last ten minutes to a file of their own and gives its path.
func (r *recorder) Save(set budget.Settings) (path string, err error) {
	waited := r.wait(func() {
		path, err = r.create("headroom-just-now", func(path string) error { return r.ring.Save(path, r.header(set)) })
	})
	return path, errors.Join(waited, err)
}

func (r *recorder) header(set budget.Settings) trace.Header {
	return trace.Header{By: "headroom " + version, Created: time.Now(), Origin: r.origin, Settings: set}
}

// create finds a name that no file has yet and makes the file.
func (r *recorder) create(stem string, make func(path string) error) (string, error) {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	stem = filepath.Join(r.dir, stem+"-"+time.Now().Format("20060102-150405"))
	path := stem + ".jsonl"
	for n := 2; ; n++ {
		_, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, make(path)
		}
		if err != nil || n > 99 {
			return "", fmt.Errorf("record to %s: choose another name: %w", path, errors.Join(err, fs.ErrExist))
		}
		path = fmt.Sprintf("%s-%d.jsonl", stem, n)
	}
}

// Close ends what is being recorded, with all that was fed until now.
func (r *recorder) Close() {
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		close(r.jobs)
	}
	r.mu.Unlock()
	r.done.Wait()
}

// recordingsDir is where the window records to: the user's documents, else the folder for state.
func recordingsDir() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return "."
	}
	for _, dir := range []string{os.Getenv("XDG_DOCUMENTS_DIR"), filepath.Join(home, "Documents")} {
		if info, err := os.Stat(dir); err == nil && dir != "" && info.IsDir() {
			return dir
		}
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "headroom")
	}
	if runtime.GOOS == "linux" || runtime.GOOS == "freebsd" {
		return filepath.Join(home, ".local", "state", "headroom")
	}
	return home
}
