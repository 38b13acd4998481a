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

// sameRound is how far a reading's time may lie before its sample's and still be written as the sample's: a round takes a
// few milliseconds, and which of them a source took is worth no room. Older readings keep their time.
const sameRound = time.Second

// encoder turns Samples into lines: a key holds all of a Sample, a delta what differs from the last key.
type encoder struct {
	key    keySample // the last key; empty before the first one
	number uint64
	time   time.Time
	deltas int

	line, moved []byte
}

// encode returns the Sample's sealed line and whether it is a key. The line is valid until the next call.
func (e *encoder) encode(s sensors.Sample) (line []byte, key bool, err error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, false, fmt.Errorf("encode a sample: %w", err)
	}
	sample, err := takeApart(text)
	if err != nil {
		return nil, false, fmt.Errorf("encode a sample: %w", err)
	}
	at := s.Time.Round(0)
	sample = sample.tidy(at)
	if d := at.Sub(e.time); e.lasts(d) && e.delta(sample, d) {
		e.deltas++
		return e.line, false, nil
	}
	if e.number++; len(e.key.text) == 0 {
		// Two recordings in one file then hardly use one number for different keys.
		e.number = uint64(s.Time.Unix()) % firstNumbers
	}
	e.line = append(e.line[:0], `{"k":`...)
	e.line = strconv.AppendUint(e.line, e.number, 10)
	e.line = append(e.line, `,"s":`...)
	e.line = seal(append(e.line, sample.text...))
	if len(e.line) > maxLine {
		return nil, false, fmt.Errorf("encode a sample: it takes %d bytes, a recording's line at most %d", len(e.line), maxLine)
	}
	e.key, e.time, e.deltas = sample, at, 0
	return e.line, true, nil
}

// lasts is whether the last key still serves a sample d after it.
func (e *encoder) lasts(d time.Duration) bool {
	return len(e.key.text) > 0 && d >= 0 && d < keyLatest && (d < keyEvery || e.deltas < keyLines)
}

// tidy writes the times of the round's own readings as the sample's.
func (k keySample) tidy(sampleAt time.Time) keySample {
	out := keySample{text: make([]byte, 0, len(k.text)), leaves: make([]leaf, 0, len(k.leaves))}
	done := 0
	for _, l := range k.leaves {
		value := k.text[l.start:l.end]
		if l.timed && !bytes.Equal(value, k.at()) {
			if at, ok := parseTime(value); ok && sampleAt.Sub(at).Abs() < sameRound {
				value = k.at()
			}
		}
		out.text = append(out.text, k.text[done:l.start]...)
		start := len(out.text)
		out.text = append(out.text, value...)
		out.leaves = append(out.leaves, leaf{start: start, end: len(out.text), timed: l.timed})
		done = l.end
	}
	out.text = append(out.text, k.text[done:]...)
	return out
}

// delta makes e.line the difference of sample to the key, and says whether it is worth it: not when the two are built
// differently, nor when it saves less than half.
func (e *encoder) delta(sample keySample, d time.Duration) bool {
	if len(sample.leaves) != len(e.key.leaves) {
		return false
	}
	e.line = append(e.line[:0], `{"d":[`...)
	e.line = strconv.AppendUint(e.line, e.number, 10)
	e.line = append(e.line, ',')
	e.line = strconv.AppendInt(e.line, int64(d), 10)
	e.moved = appendMoved(e.moved[:0], e.key.at(), d)
	was, is := 0, 0
	for i, l := range e.key.leaves {
		n := sample.leaves[i]
		if !bytes.Equal(e.key.text[was:l.start], sample.text[is:n.start]) {
			return false
		}
		was, is = l.end, n.end
		old, now := e.key.text[l.start:l.end], sample.text[n.start:n.end]
		if e.key.moves(l) {
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
	if !bytes.Equal(e.key.text[was:], sample.text[is:]) || len(e.line) > len(e.key.text)/2 {
		return false
	}
	e.line = seal(append(e.line, ']'))
	return true
}
