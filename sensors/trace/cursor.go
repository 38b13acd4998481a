package trace

import "time"

// cursor walks over a recording's lines and knows what each means at its place. The scan on opening and the later
// reading of a block use the same steps, so they agree on which lines are samples and when.
type cursor struct {
	// line and sample count the lines and samples before the cursor.
	line, sample int
	// key is the last key line, n its number; the span's length is 0 where none is in force.
	key     span
	number  uint64
	keyTime time.Time
	// last is the last sample's time, spacing its distance to the one before, offset its place on the recording's own axis.
	last    time.Time
	spacing time.Duration
	offset  time.Duration
}

// span is a line's place in the file.
type span struct {
	at int64
	n  int
}

// tooLong stands for a line that is longer than allowed: it is read as damaged.
var tooLong = []byte("…")

// step is what one line meant.
type step struct {
	kind kind
	body []byte
	// sampled is whether the line is a sample; orphan a delta whose key is damaged or missing.
	sampled, orphan bool
	// pause is a distance to the sample before that is far longer than usual; back one that is negative.
	pause, back time.Duration
}

const (
	// pauseAtLeast and pauseFactor: a distance is a pause when it is longer than both, the second times the last distance.
	pauseAtLeast = 5 * time.Second
	pauseFactor  = 5
	maxSpacing   = time.Hour
)

// take moves over one line that lies at the span.
func (c *cursor) take(line []byte, at span) step {
	c.line++
	s := step{}
	if len(line) > maxLine {
		line = tooLong
	}
	s.kind, s.body = classify(line)
	switch s.kind {
	case kindKey:
		number, sample, err := parseKey(s.body)
		t, ok := sampleTime(sample)
		if err != nil || !ok {
			s.kind = kindDamaged
			break
		}
		c.key, c.number, c.keyTime = at, number, t
		c.advance(t, &s)
	case kindDelta:
		d, err := parseDelta(s.body)
		switch {
		case err != nil:
			s.kind = kindDamaged
		case c.key.n == 0 || d.key != c.number:
			s.orphan = true
		default:
			c.advance(c.keyTime.Add(d.after), &s)
		}
	case kindHeader:
		c.key = span{}
	}
	return s
}

// advance counts a sample taken at t.
func (c *cursor) advance(t time.Time, s *step) {
	s.sampled = true
	c.sample++
	if c.last.IsZero() {
		c.last = t
		return
	}
	d := t.Sub(c.last)
	c.last = t
	switch {
	case d < 0:
		s.back = -d
		d = c.spacing
	case c.spacing > 0 && d > pauseAtLeast && d > pauseFactor*c.spacing:
		// The axis leaves pauses out: nothing is known of them, and nobody wants to sit through a night.
		s.pause = d
		c.spacing, d = min(d, maxSpacing), c.spacing
	case d > 0:
		c.spacing = min(d, maxSpacing)
	}
	if c.offset += d; c.offset < 0 {
		c.offset = 1<<63 - 1
	}
}

// sampleTime is the time that a key's sample begins with.
func sampleTime(sample []byte) (time.Time, bool) {
	const before = len(`{"time":`)
	if len(sample) <= before {
		return time.Time{}, false
	}
	return parseTime(sample[before:scalarEnd(sample, before)])
}
