package trace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
)

// flushEvery is how often what was written is made safe against a loss of power. A kill of the program loses nothing
// that was written: each line goes to the operating system at once.
const flushEvery = time.Second

// Writer appends samples to a recording. It is safe for concurrent use. Its first error is its last: all further calls
// return it, and what was written until then can be read.
type Writer struct {
	mu      sync.Mutex
	file    io.Writer
	name    string
	encoder encoder
	err     error
	samples int
	bytes   int64
	dirty   bool

	disk    *os.File // nil where there is nothing to close
	regular bool     // whether it can be flushed
	stop    chan struct{}
	done    sync.WaitGroup
	closing sync.Once
	running announcement
}

// Create begins a recording in a file. A file that is a recording already is continued, any other one is left alone and an
// error. While it is written, Running lists it.
func Create(path string, h Header) (*Writer, error) {
	if err := continuable(path); err != nil {
		return nil, fmt.Errorf("record to %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	w := &Writer{file: f, name: path, disk: f, stop: make(chan struct{})}
	if err := w.begin(f, h); err != nil {
		f.Close()
		return nil, err
	}
	if path, err = filepath.Abs(path); err == nil && w.regular {
		w.running = announce(path)
	}
	w.done.Go(w.flushing)
	return w, nil
}

// NewWriter begins a recording in out, without flushes.
func NewWriter(out io.Writer, h Header) (*Writer, error) {
	w := &Writer{file: out, name: "the recording", stop: make(chan struct{})}
	if err := w.put(appendHeader(nil, h)); err != nil {
		return nil, err
	}
	return w, nil
}

// continuable refuses a file that holds something else than a recording. An empty file, a device or a pipe is taken as it is.
func continuable(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return err
	}
	if err := isRecording(path); err != nil {
		return fmt.Errorf("the file exists, choose another name: %w", err)
	}
	return nil
}

// isRecording looks for a header at the start of the file.
func isRecording(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	ix, err := scan(io.LimitReader(f, giveUpAfter))
	if err == nil && !ix.headed {
		err = errNotTrace
	}
	return err
}

// begin ends a line that a kill cut off, and writes the header.
func (w *Writer) begin(f *os.File, h Header) error {
	info, err := f.Stat()
	if err != nil {
		return w.fail(err)
	}
	w.regular = info.Mode().IsRegular()
	line, err := endOfCutOff(f)
	if err != nil {
		return w.fail(err)
	}
	return w.put(appendHeader(line, h))
}

// endOfCutOff is a newline where the file's last line lacks its own.
func endOfCutOff(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], info.Size()-1); err != nil {
		return nil, err
	}
	if last[0] == '\n' {
		return nil, nil
	}
	return []byte{'\n'}, nil
}

// Write appends one sample.
func (w *Writer) Write(s sensors.Sample) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	line, _, err := w.encoder.encode(s)
	if err := w.put(line, err); err != nil {
		return err
	}
	w.samples++
	return nil
}

// Settings appends a change of settings, which holds for the samples after it.
func (w *Writer) Settings(at time.Time, s budget.Settings) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	return w.put(appendObject(nil, settingsLine{Settings: save(s), At: at}))
}

// Mark appends an event; long texts are cut.
func (w *Writer) Mark(at time.Time, text string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	return w.put(appendObject(nil, markLine{Text: clip(text), At: at}))
}

// Written says how many samples and bytes were written by this Writer.
func (w *Writer) Written() (samples int, bytes int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.samples, w.bytes
}

// put writes whole lines, or keeps the error that came with them.
func (w *Writer) put(lines []byte, err error) error {
	if err != nil {
		return w.fail(err)
	}
	n, err := w.file.Write(lines)
	w.bytes += int64(n)
	if err != nil {
		return w.fail(err)
	}
	w.dirty = true
	return nil
}

// reason is an error without the path that is named beside it already.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func (w *Writer) fail(err error) error {
	switch {
	case w.err != nil:
	case w.samples == 0:
		w.err = fmt.Errorf("record to %s: nothing could be written: %w", w.name, reason(err))
	default:
		w.err = fmt.Errorf("record to %s: %w; stopped after %d samples, which are kept", w.name, reason(err), w.samples)
	}
	return w.err
}

// flushing flushes once a second until the Writer is closed.
func (w *Writer) flushing() {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-tick.C:
			w.running.touch()
			w.flush()
		}
	}
}

// flush makes what was written safe. It waits for the disk without holding up Write.
func (w *Writer) flush() {
	w.mu.Lock()
	dirty := w.dirty && w.regular && w.err == nil
	w.dirty = false
	w.mu.Unlock()
	if !dirty {
		return
	}
	if err := w.disk.Sync(); err != nil {
		w.mu.Lock()
		w.fail(err)
		w.mu.Unlock()
	}
}

// Close flushes and closes the file. It returns the Writer's error, if there was one. Closing again does nothing more.
func (w *Writer) Close() error {
	w.closing.Do(w.close)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *Writer) close() {
	close(w.stop)
	w.done.Wait()
	w.running.withdraw()
	if w.disk == nil {
		return
	}
	w.flush()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.disk.Close(); err != nil {
		w.fail(err)
	}
}
