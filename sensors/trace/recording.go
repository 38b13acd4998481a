package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"headroom/sensors"
	"headroom/sensors/budget"
)

// Recording is a recording opened for reading. Opening reads the file once and keeps a small index; samples are read from
// the file when they are asked for. It is safe for concurrent use.
type Recording struct {
	file  io.ReaderAt
	close func() error
	index *index

	mu     sync.Mutex
	recent []*page // the last few blocks that were read, latest first
	// settings are the ones read last; their number in the index is settingsN − 1.
	settings  budget.Settings
	settingsN int
}

// maxPages bounds the blocks kept in memory.
const maxPages = 8

// page is a block in memory.
type page struct {
	number int
	first  int // the number of its first sample
	lines  []pageLine
	keys   map[span]*keyed
}

// pageLine is one sample's line.
type pageLine struct {
	at     span
	key    span
	kind   kind
	body   []byte
	offset time.Duration
}

// Open opens a recording. Damage in it is no error: see Problems. A file that is no recording is.
func Open(path string) (*Recording, error) {
	// Looked at first: to open a named pipe would wait for its other end.
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open recording %s: it is not a regular file, and a recording is read out of order", path)
	}
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, fmt.Errorf("open recording %s: %w", path, err)
	}
	r, err := newRecording(f, info.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open recording %s: %w", path, err)
	}
	r.close = f.Close
	return r, nil
}

// newRecording indexes the first size bytes of the file.
func newRecording(file io.ReaderAt, size int64) (*Recording, error) {
	ix, err := scan(io.NewSectionReader(file, 0, size))
	if err != nil {
		return nil, err
	}
	return &Recording{file: file, close: func() error { return nil }, index: ix}, nil
}

// Close closes the file.
func (r *Recording) Close() error { return r.close() }

// Header is the first header; a zero one where it is damaged.
func (r *Recording) Header() Header { return r.index.header }

// Problems are what was found amiss on opening, gravest first.
func (r *Recording) Problems() []Problem { return r.index.problems.list() }

// Marks are the events marked while recording, in order.
func (r *Recording) Marks() []Mark { return slices.Clone(r.index.marks) }

// Len is the number of samples.
func (r *Recording) Len() int { return r.index.end.sample }

// Length is the offset of the last sample. Pauses count as one ordinary distance.
func (r *Recording) Length() time.Duration { return r.index.end.offset }

// SettingsNumber counts the changes of settings up to sample i: samples of one number were taken under the same settings.
// It is −1 where none were written before it.
func (r *Recording) SettingsNumber(i int) int {
	n, found := slices.BinarySearchFunc(r.index.settings, i, func(f settingsFrom, i int) int { return f.sample - i })
	if !found {
		n--
	}
	return n
}

// SettingsAt are the settings that were in force at sample i; zero ones where none were written before it.
func (r *Recording) SettingsAt(i int) (budget.Settings, error) {
	n := r.SettingsNumber(i)
	if n < 0 {
		return budget.Settings{}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.settingsN != n+1 {
		set, err := r.readSettings(r.index.settings[n].at)
		if err != nil {
			return budget.Settings{}, err
		}
		r.settings, r.settingsN = set, n+1
	}
	return r.settings, nil
}

// readSettings reads the settings that a line holds.
func (r *Recording) readSettings(at span) (budget.Settings, error) {
	kind, body, err := r.line(at)
	if err != nil {
		return budget.Settings{}, err
	}
	if kind == kindHeader {
		h, _, err := parseHeader(body)
		return h.Settings, err
	}
	var l settingsLine
	if err := decode(body, &l); err != nil {
		return budget.Settings{}, fmt.Errorf("read settings: %w", err)
	}
	return l.Settings.restore(), nil
}

// Index is the number of the last sample at or before the offset; 0 where there is none.
func (r *Recording) Index(offset time.Duration) (int, error) {
	if r.Len() == 0 {
		return 0, nil
	}
	// The block's cursor stands before its first sample: the block sought is the last one whose own samples begin early enough.
	n, _ := slices.BinarySearchFunc(r.index.blocks, offset, func(b block, offset time.Duration) int {
		if b.start.offset <= offset {
			return -1
		}
		return 1
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	for n--; n >= 0; n-- {
		p, err := r.page(n)
		if err != nil {
			return 0, err
		}
		i, _ := slices.BinarySearchFunc(p.lines, offset, func(l pageLine, offset time.Duration) int {
			if l.offset <= offset {
				return -1
			}
			return 1
		})
		if i > 0 {
			return p.first + i - 1, nil
		}
	}
	return 0, nil
}

// Loops is false: a recording ends.
func (r *Recording) Loops() bool { return false }

// At is sample i with its offset. An error concerns this sample alone.
func (r *Recording) At(i int) (sensors.Sample, time.Duration, error) {
	if i < 0 || i >= r.Len() {
		return sensors.Sample{}, 0, fmt.Errorf("read sample %d: the recording has %d", i, r.Len())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p, err := r.page(r.blockOf(i))
	if err != nil {
		return sensors.Sample{}, 0, err
	}
	if i-p.first >= len(p.lines) {
		return sensors.Sample{}, 0, errChanged
	}
	l := p.lines[i-p.first]
	s, err := r.sample(p, l)
	if err != nil {
		return sensors.Sample{}, l.offset, fmt.Errorf("sample %d: %w", i, err)
	}
	return s, l.offset, nil
}

// blockOf is the number of the block that holds sample i.
func (r *Recording) blockOf(i int) int {
	n, found := slices.BinarySearchFunc(r.index.blocks, i, func(b block, i int) int { return b.start.sample - i })
	if !found {
		n--
	}
	// Blocks without samples of their own begin at the same number as the next one.
	for n+1 < len(r.index.blocks) && r.index.blocks[n+1].start.sample <= i {
		n++
	}
	return n
}

var errChanged = errors.New("read the recording: the file has changed since it was opened")

// sample decodes a line of a page.
func (r *Recording) sample(p *page, l pageLine) (sensors.Sample, error) {
	k, ok := p.keys[l.key]
	if !ok {
		body := l.body
		if l.kind == kindDelta {
			var kind kind
			var err error
			if kind, body, err = r.line(l.key); err != nil {
				return sensors.Sample{}, err
			}
			if kind != kindKey {
				return sensors.Sample{}, errChanged
			}
		}
		_, sample, err := parseKey(body)
		if err != nil {
			return sensors.Sample{}, err
		}
		apart, err := takeApart(sample)
		if err != nil {
			return sensors.Sample{}, err
		}
		k = &keyed{keySample: apart}
		p.keys[l.key] = k
	}
	if l.kind == kindKey {
		return k.sample()
	}
	d, err := parseDelta(l.body)
	if err != nil {
		return sensors.Sample{}, err
	}
	return k.apply(d)
}

// line reads one line again.
func (r *Recording) line(at span) (kind, []byte, error) {
	b := make([]byte, at.n)
	if _, err := r.file.ReadAt(b, at.at); err != nil {
		return 0, nil, fmt.Errorf("read the recording at byte %d: %w", at.at, err)
	}
	k, body := classify(b)
	return k, body, nil
}

// page is a block in memory, read where it is not there yet.
func (r *Recording) page(n int) (*page, error) {
	if i := slices.IndexFunc(r.recent, func(p *page) bool { return p.number == n }); i >= 0 {
		p := r.recent[i]
		copy(r.recent[1:i+1], r.recent[:i])
		r.recent[0] = p
		return p, nil
	}
	p, err := r.read(n)
	if err != nil {
		return nil, err
	}
	if len(r.recent) == maxPages {
		r.recent = r.recent[:maxPages-1]
	}
	r.recent = slices.Insert(r.recent, 0, p)
	return p, nil
}

// read reads a block and finds its samples.
func (r *Recording) read(n int) (*page, error) {
	b := r.index.blocks[n]
	end := r.index.size
	if n+1 < len(r.index.blocks) {
		end = r.index.blocks[n+1].at
	}
	if end-b.at > blockBytes+maxLine+1 {
		// Only a line that is longer than allowed makes a block so long, and it is the last one there.
		end = b.at + blockBytes
	}
	text := make([]byte, end-b.at)
	if _, err := r.file.ReadAt(text, b.at); err != nil {
		return nil, fmt.Errorf("read the recording at byte %d: %w", b.at, err)
	}
	p := &page{number: n, first: b.start.sample, keys: map[span]*keyed{}}
	c := b.start
	for at := b.at; len(text) > 0; {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		where := span{at: at, n: len(line)}
		at += int64(len(text) - len(rest))
		text = rest
		if s := c.take(line, where); s.sampled {
			p.lines = append(p.lines, pageLine{at: where, key: c.key, kind: s.kind, body: s.body, offset: c.offset})
		}
	}
	return p, nil
}
