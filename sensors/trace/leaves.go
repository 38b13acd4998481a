package trace

import (
	"bytes"
	"errors"
	"time"
)

// leaf is one scalar of a JSON text: its place, and whether it is the sample's time or a reading's.
type leaf struct {
	start, end int
	timed      bool
}

// maxLeaves and maxContainers bound what one sample may hold, far above any machine's: a hostile line must not become a
// large value.
const (
	maxLeaves     = 1 << 16
	maxContainers = 1 << 14
)

var (
	errTooMany    = errors.New("it holds more values than a sample can")
	errUnfinished = errors.New("it ends in the middle of a value")
)

// leavesOf lists the scalars of the JSON value that b begins with, in the order of the text, and says where the value
// ends. There must be no white space between tokens. It does not check the grammar.
func leavesOf(b []byte, into []leaf) (leaves []leaf, end int, err error) {
	into = into[:0]
	containers, depth := 0, 0
	var name []byte
	for i := 0; i < len(b); {
		switch b[i] {
		case '{', '[':
			if containers++; containers > maxContainers {
				return nil, 0, errTooMany
			}
			depth++
			i++
		case '}', ']':
			depth--
			i++
			if depth <= 0 {
				return into, i, nil
			}
		case ',', ':':
			i++
		default:
			end := scalarEnd(b, i)
			if end < len(b) && b[end] == ':' {
				name = b[i:end]
				i = end
				continue
			}
			if len(into) == maxLeaves {
				return nil, 0, errTooMany
			}
			timed := b[i] == '"' && (bytes.Equal(name, nameTime) || bytes.Equal(name, nameAt))
			into = append(into, leaf{start: i, end: end, timed: timed})
			i = end
		}
	}
	return nil, 0, errUnfinished
}

var (
	nameTime = []byte(`"time"`)
	nameAt   = []byte(`"at"`)
)

// scalarEnd is where the string, number or word that begins at i ends.
func scalarEnd(b []byte, i int) int {
	if b[i] != '"' {
		for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' {
			i++
		}
		return i
	}
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// parseTime reads a quoted RFC 3339 time. Its zone is the text's own offset, never this machine's rules, so that a moved
// time is written alike everywhere.
func parseTime(quoted []byte) (time.Time, bool) {
	if len(quoted) < 2 || len(quoted) > len(`"`+time.RFC3339Nano+`"`) {
		return time.Time{}, false
	}
	text := string(quoted[1 : len(quoted)-1])
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Year() < firstYear || t.Year() > lastYear {
		return time.Time{}, false
	}
	if _, offset := t.Zone(); text[len(text)-1] != 'Z' {
		return t.In(time.FixedZone("", offset)), true
	}
	return t, true
}

// firstYear and lastYear bound the times of a recording to those whose distances fit a time.Duration.
const (
	firstYear = 1970
	lastYear  = 2199
)

// appendMoved writes the quoted time moved by d.
func appendMoved(out, quoted []byte, d time.Duration) []byte {
	t, _ := parseTime(quoted)
	out = append(out, '"')
	out = t.Add(d).AppendFormat(out, time.RFC3339Nano)
	return append(out, '"')
}
