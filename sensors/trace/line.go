package trace

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"strconv"
)

// kind is what a line holds.
type kind uint8

const (
	// kindDamaged is a line that is no whole JSON object, or whose checksum differs.
	kindDamaged kind = iota
	kindHeader
	kindKey
	kindDelta
	kindMark
	kindSettings
	// kindUnknown is a whole line of a kind that this version does not know.
	kindUnknown
	kindBlank
)

// prefixes are how the lines of each kind begin, as the Writer writes them.
var prefixes = [...]struct {
	kind kind
	text []byte
}{
	{kindDelta, []byte(`{"d":[`)},
	{kindKey, []byte(`{"k":`)},
	{kindMark, []byte(`{"m":`)},
	{kindSettings, []byte(`{"set":`)},
	{kindHeader, []byte(`{"schema":`)},
}

// maxLine bounds a line in bytes: longer ones are neither written nor read. The largest servers' samples take a tenth of it.
const maxLine = 512 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumName precedes the checksum, the last member of a line: the CRC-32C of all bytes before it.
var sumName = []byte(`,"c":`)

// seal ends an object that lacks its closing brace with its checksum, the brace and the end of line.
func seal(open []byte) []byte {
	sum := crc32.Checksum(open, castagnoli)
	open = append(open, sumName...)
	open = strconv.AppendUint(open, uint64(sum), 10)
	return append(open, '}', '\n')
}

// classify finds a line's kind. line comes without its end of line. body is the object without its checksum, its closing
// brace and white space. A line without a checksum, as a person or another program may write it, must be valid JSON.
func classify(line []byte) (k kind, body []byte) {
	line = bytes.TrimRight(line, " \t\r")
	if len(line) == 0 {
		return kindBlank, nil
	}
	if line[0] != '{' || line[len(line)-1] != '}' {
		return kindDamaged, nil
	}
	body, ok := unseal(line)
	if !ok {
		return kindDamaged, nil
	}
	for _, p := range prefixes {
		if bytes.HasPrefix(body, p.text) {
			return p.kind, body
		}
	}
	return kindUnknown, body
}

func unseal(line []byte) (body []byte, ok bool) {
	digits := len(line) - 1
	for digits > 0 && '0' <= line[digits-1] && line[digits-1] <= '9' {
		digits--
	}
	if sum, err := strconv.ParseUint(string(line[digits:len(line)-1]), 10, 32); err == nil {
		if body, ok := bytes.CutSuffix(line[:digits], sumName); ok {
			return body, crc32.Checksum(body, castagnoli) == uint32(sum)
		}
	}
	var tight bytes.Buffer
	if err := json.Compact(&tight, line); err != nil {
		return nil, false
	}
	return tight.Bytes()[:tight.Len()-1], true
}

// decode reads a line's whole object into v.
func decode(body []byte, v any) error {
	return json.Unmarshal(append(bytes.Clone(body), '}'), v)
}
