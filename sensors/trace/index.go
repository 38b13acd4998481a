package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// blockBytes is how many bytes of lines a block of the index covers, at least; a longer last line goes over it.
const blockBytes = 64 << 10

// block is a stretch of whole lines that begins where the cursor stands. The index keeps one for each 64 KiB of the file,
// about a thousandth of its size, whatever the lines hold.
type block struct {
	at    int64
	start cursor
}

// maxMarks and maxSettings bound what the index keeps of hand-made files; a recording of a day has a few.
const (
	maxMarks    = 10_000
	maxSettings = 1_000
	maxMarkText = 200
)

// Mark is an event that somebody marked while recording.
type Mark struct {
	Text string
	Time time.Time
	// Offset is its place on the recording's axis: the last sample before it.
	Offset time.Duration
}

// settingsFrom is where the settings in force from a sample on are written. They are read again when asked for: a
// model's layers take more room than their text.
type settingsFrom struct {
	sample int
	at     span
}

// index is what one pass over a recording finds.
type index struct {
	header   Header
	headed   bool
	blocks   []block
	end      cursor
	size     int64
	marks    []Mark
	settings []settingsFrom
	problems problems
}

// giveUpAfter is how many bytes may pass before the first header or sample.
const giveUpAfter = 1 << 20

// scan reads a recording once from start to end.
func scan(r io.Reader) (*index, error) {
	ix := &index{}
	br := bufio.NewReaderSize(inChunks{r}, 2*maxLine)
	var c cursor
	var at int64
	for {
		most := int64(math.MaxInt64)
		if !ix.headed && c.sample == 0 {
			most = giveUpAfter
		}
		line, whole, n, err := readLine(br, most)
		if err != nil {
			return nil, fmt.Errorf("read the recording at byte %d: %w", at, err)
		}
		if n == 0 {
			break
		}
		if len(ix.blocks) == 0 || at-ix.blocks[len(ix.blocks)-1].at >= blockBytes {
			ix.blocks = append(ix.blocks, block{at: at, start: c})
		}
		s := c.take(line, span{at: at, n: len(line)})
		if s.kind == kindDamaged && !whole {
			ix.problems.add(CutOff, c.line)
			ix.headed = ix.headed || startsHeader(line)
		} else {
			ix.note(s, &c, span{at: at, n: len(line)})
		}
		at += n
		if at > giveUpAfter && !ix.headed && c.sample == 0 {
			break
		}
	}
	ix.end, ix.size = c, at
	if !ix.headed && c.sample == 0 {
		return nil, errNotTrace
	}
	return ix, nil
}

// inChunks reads a block at a time, whatever is asked for: what was read is then still in the processor's cache when its
// lines are checked, at any length of the file.
type inChunks struct{ io.Reader }

func (r inChunks) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(len(b), blockBytes)]) }

// startsHeader is whether a cut-off line began as a header.
func startsHeader(line []byte) bool {
	const start = `{"schema":"` + schemaName
	return bytes.HasPrefix(line, []byte(start)) || bytes.HasPrefix([]byte(start), line)
}

// readLine reads one line and says whether its end was there, and how many bytes it took; 0 at the end of the file. A
// line that is longer than the buffer is read to its end, or until it took most bytes, and comes back as tooLong.
func readLine(br *bufio.Reader, most int64) (line []byte, whole bool, n int64, err error) {
	line, err = br.ReadSlice('\n')
	n = int64(len(line))
	long := false
	for errors.Is(err, bufio.ErrBufferFull) && n <= most {
		long = true
		line, err = br.ReadSlice('\n')
		n += int64(len(line))
	}
	whole = err == nil
	if errors.Is(err, io.EOF) || errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	if whole {
		line = line[:len(line)-1]
	}
	if long {
		line = tooLong
	}
	return line, whole, n, err
}

// note keeps what a step means for the index.
func (ix *index) note(s step, c *cursor, at span) {
	if s.orphan {
		ix.problems.add(Orphaned, c.line)
	}
	if s.pause > 0 {
		p := ix.problems.add(Paused, c.line)
		p.Longest = max(p.Longest, s.pause)
	}
	if s.back > 0 {
		p := ix.problems.add(ClockBack, c.line)
		p.Longest = max(p.Longest, s.back)
	}
	switch s.kind {
	case kindDamaged:
		ix.problems.add(Damaged, c.line)
	case kindUnknown:
		ix.problems.add(Unknown, c.line)
	case kindHeader:
		ix.noteHeader(s.body, c, at)
	case kindSettings:
		var l settingsLine
		if decode(s.body, &l) != nil {
			ix.problems.add(Damaged, c.line)
			return
		}
		ix.from(c.sample, at)
	case kindMark:
		var l markLine
		if decode(s.body, &l) != nil {
			ix.problems.add(Damaged, c.line)
			return
		}
		if len(ix.marks) < maxMarks {
			ix.marks = append(ix.marks, Mark{Text: clip(l.Text), Time: l.At, Offset: c.offset})
		}
	}
}

func (ix *index) noteHeader(body []byte, c *cursor, at span) {
	h, newer, err := parseHeader(body)
	if err != nil {
		ix.problems.add(Damaged, c.line)
		return
	}
	if newer != "" {
		ix.problems.add(Newer, c.line).Schema = newer
	}
	if !ix.headed {
		ix.header, ix.headed = h, true
	}
	ix.from(c.sample, at)
}

// from notes the settings in force from the next sample on.
func (ix *index) from(sample int, at span) {
	if n := len(ix.settings); n > 0 && ix.settings[n-1].sample == sample {
		ix.settings[n-1].at = at
	} else if n < maxSettings {
		ix.settings = append(ix.settings, settingsFrom{sample: sample, at: at})
	}
}
