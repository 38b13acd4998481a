package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"headroom/sensors"
)

// A key comes at the latest after keyEvery, when keyLines lines rest on the last one already, or after keyLatest: ten
// seconds at 10 Hz, thirty at 1 Hz. It bounds what one damaged key takes along, at little room on the disk.
const (
	keyEvery  = 10 * time.Second
	keyLines  = 30
	keyLatest = time.Minute
	// firstNumbers bounds the number of the first key.
	firstNumbers = 1000
)

// encoder turns Samples into lines: a key holds all of a Sample, a delta what differs from the last key.
type encoder struct {
	key    []byte // the last key's sample; nil before the first one
	number uint64 // the last key's number
	leaves []leaf
	time   time.Time
	deltas int

	line, moved []byte
	next        []leaf
}

// encode returns the Sample's sealed line and whether it is a key. The line is valid until the next call.
func (e *encoder) encode(s sensors.Sample) (line []byte, key bool, err error) {
	sample, err := json.Marshal(s)
	if err != nil {
		return nil, false, fmt.Errorf("encode a sample: %w", err)
	}
	e.next, _, err = leavesOf(sample, e.next)
	if err != nil {
		return nil, false, fmt.Errorf("encode a sample: %w", err)
	}
	if d := s.Time.Round(0).Sub(e.time); e.lasts(d) && e.delta(sample, d) {
		e.deltas++
		return e.line, false, nil
	}
	if e.number++; e.key == nil {
		// Two recordings in one file then hardly use one number for different keys.
		e.number = uint64(s.Time.Unix()) % firstNumbers
	}
	e.line = append(e.line[:0], `{"k":`...)
	e.line = strconv.AppendUint(e.line, e.number, 10)
	e.line = append(e.line, `,"s":`...)
	e.line = seal(append(e.line, sample...))
	if len(e.line) > maxLine {
		return nil, false, fmt.Errorf("encode a sample: it takes %d bytes, a recording's line at most %d", len(e.line), maxLine)
	}
	e.key, e.time, e.deltas = sample, s.Time.Round(0), 0
	e.leaves, e.next = e.next, e.leaves
	return e.line, true, nil
}

// lasts is whether the last key still serves a sample d after it.
func (e *encoder) lasts(d time.Duration) bool {
	return e.key != nil && d >= 0 && d < keyLatest && (d < keyEvery || e.deltas < keyLines)
}

// delta makes e.line the difference of sample to the key, and says whether it is worth it: not when the two are built
// differently, nor when it saves less than half.
func (e *encoder) delta(sample []byte, d time.Duration) bool {
	if len(e.next) != len(e.leaves) {
		return false
	}
	e.line = append(e.line[:0], `{"d":[`...)
	e.line = strconv.AppendUint(e.line, e.number, 10)
	e.line = append(e.line, ',')
	e.line = strconv.AppendInt(e.line, int64(d), 10)
	was, is := 0, 0
	for i, l := range e.leaves {
		n := e.next[i]
		if !bytes.Equal(e.key[was:l.start], sample[is:n.start]) {
			return false
		}
		was, is = l.end, n.end
		old, now := e.key[l.start:l.end], sample[n.start:n.end]
		if l.moves {
			e.moved = appendMoved(e.moved[:0], old, d)
			old = e.moved
		}
		if bytes.Equal(old, now) {
			continue
		}
		e.line = append(e.line, ',')
		e.line = strconv.AppendInt(e.line, int64(i), 10)
		e.line = append(e.line, ',')
		e.line = append(e.line, now...)
	}
	if !bytes.Equal(e.key[was:], sample[is:]) {
		return false
	}
	if len(e.line) > len(e.key)/2 {
		return false
	}
	e.line = seal(append(e.line, ']'))
	return true
}
