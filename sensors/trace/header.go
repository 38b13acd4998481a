package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"headroom/policy/workload"
	"headroom/sensors/budget"
)

// Schema is what the header of a recording begins with. Version goes up when older programs could misread a line.
const (
	schemaName = "headroom.trace/"
	Version    = 1
)

// Header says what a recording is of.
type Header struct {
	// By is the program that wrote it; Created when.
	By      string    `json:"by"`
	Created time.Time `json:"created"`
	// Origin is "" for a live machine, else "scenario NAME".
	Origin string `json:"origin,omitempty"`
	// Settings are the ones in force at the start.
	Settings budget.Settings `json:"-"`
}

// headerLine is a header's form in the file.
type headerLine struct {
	Schema string `json:"schema"`
	Header
	Settings *savedSettings `json:"settings,omitempty"`
}

// settingsLine is the form of a change of settings.
type settingsLine struct {
	Settings savedSettings `json:"set"`
	At       time.Time     `json:"at"`
}

// savedSettings hold the model beside the settings, so that a recording shows the same elsewhere, whatever the catalogue
// there says.
type savedSettings struct {
	budget.Settings
	Model *workload.Model `json:"model,omitempty"`
}

func save(s budget.Settings) savedSettings {
	return savedSettings{Settings: s, Model: s.Workload.Model}
}

// restore sizes the model again for what is not written, the op sequences; every number comes from the file.
func (s savedSettings) restore() budget.Settings {
	w := &s.Workload
	var full workload.Workload
	switch {
	case s.Model != nil:
		full = s.Model.At(workload.Options{Context: w.Context, KV: w.KVType})
	case w.Bare:
		full = workload.Bare(w.Params)
	}
	w.Decode, w.Prefill, w.Model = full.Decode, full.Prefill, full.Model
	return s.Settings
}

func appendHeader(line []byte, h Header) ([]byte, error) {
	saved := save(h.Settings)
	return appendObject(line, headerLine{Schema: schemaName + strconv.Itoa(Version), Header: h, Settings: &saved})
}

// appendObject appends v, an object, as a sealed line.
func appendObject(line []byte, v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return line, fmt.Errorf("encode a line: %w", err)
	}
	sealed := seal(b[:len(b)-1])
	if len(sealed) > maxLine {
		return line, fmt.Errorf("encode a line: it takes %d bytes, a recording's line at most %d", len(sealed), maxLine)
	}
	return append(line, sealed...), nil
}

var errNotTrace = errors.New("it is not a recording of Headroom: its first lines hold no header")

// parseHeader reads a header line. newer is its schema where that is newer than this program's.
func parseHeader(body []byte) (h Header, newer string, err error) {
	var l headerLine
	if err := decode(body, &l); err != nil {
		// A newer version may have changed the rest: its name alone is worth telling.
		var only struct {
			Schema string `json:"schema"`
		}
		if decode(body, &only) != nil || !isNewer(only.Schema) {
			return Header{}, "", fmt.Errorf("read a header: %w", err)
		}
		l = headerLine{Schema: only.Schema}
	}
	if isNewer(l.Schema) {
		newer = l.Schema
	} else if versionOf(l.Schema) != Version {
		return Header{}, "", fmt.Errorf("read a header: schema %.40q is not %s%d", l.Schema, schemaName, Version)
	}
	if l.Settings != nil {
		l.Header.Settings = l.Settings.restore()
	}
	return l.Header, newer, nil
}

// versionOf is the version that a schema names; 0 where it names none.
func versionOf(schema string) int {
	digits, ok := strings.CutPrefix(schema, schemaName)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 {
		return 0
	}
	return n
}

func isNewer(schema string) bool { return versionOf(schema) > Version }
