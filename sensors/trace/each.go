package trace

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"headroom/sensors"
)

// Each gives the samples from number first up to, and without, number end to yield, in order, until it returns false. It is
// several times as fast as At, for each Sample is made in the place of the one before it: it and all that it holds are valid
// until yield returns. Samples that cannot be read are left out. Several calls may run at once.
func (r *Recording) Each(first, end int, yield func(i int, s sensors.Sample) bool) error {
	end = min(end, r.Len())
	var m moving
	for n := r.blockOf(max(first, 0)); n < len(r.index.blocks) && r.index.blocks[n].start.sample < end; n++ {
		p, err := r.read(n)
		if err != nil {
			return err
		}
		for j, l := range p.lines {
			i := p.first + j
			if i < first {
				continue
			}
			if i >= end {
				return nil
			}
			if s, err := m.sample(r, l); err == nil && !yield(i, s) {
				return nil
			}
		}
	}
	return nil
}

// moving is a key and a Sample that becomes one of its deltas after the other.
type moving struct {
	of  span // the key's line; empty before the first one
	err error
	key keySample
	now sensors.Sample
	at  time.Time
	// fields are the leaves' places in now, kept in those of an untouched copy. A leaf that decodes to no single field has an
	// invalid one. moves tells which go along with the sample's time.
	fields, kept []reflect.Value
	moves        []bool
	// changed are the leaves that differ from the key's now.
	changed []int
}

// sample is the Sample of a line.
func (m *moving) sample(r *Recording, l pageLine) (sensors.Sample, error) {
	if l.key != m.of {
		m.start(r, l)
	}
	if m.err != nil {
		return sensors.Sample{}, m.err
	}
	if l.kind == kindKey {
		m.revert(m.at)
		return m.now, nil
	}
	d, err := parseDelta(l.body)
	if err != nil {
		return sensors.Sample{}, err
	}
	m.revert(m.at.Add(d.after))
	if m.patch(d) {
		return m.now, nil
	}
	return m.key.splice(d)
}

// start goes over to the key of a line.
func (m *moving) start(r *Recording, l pageLine) {
	m.of, m.err = l.key, nil
	body := l.body
	if l.kind == kindDelta {
		var k kind
		if k, body, m.err = r.line(l.key); m.err == nil && k != kindKey {
			m.err = errChanged
		}
	}
	if m.err == nil {
		m.err = m.take(body)
	}
	if m.err != nil {
		m.fields = nil
	}
}

// take takes a key line apart. Keys of one machine are mostly built alike: then only the values that differ are decoded.
func (m *moving) take(body []byte) error {
	_, sample, err := parseKey(body)
	if err != nil {
		return err
	}
	key, err := takeApart(sample)
	if err != nil {
		return err
	}
	if m.fields != nil && m.become(key) {
		return nil
	}
	return m.decode(key)
}

// become makes the key before into one that is built alike; false where it is not, or a value has no field of its own.
func (m *moving) become(key keySample) bool {
	if len(key.leaves) != len(m.key.leaves) {
		return false
	}
	m.revert(m.at)
	was, is := 0, 0
	for i, l := range key.leaves {
		old := m.key.leaves[i]
		if !bytes.Equal(m.key.text[was:old.start], key.text[is:l.start]) {
			return false
		}
		was, is = old.end, l.end
		m.moves[i] = key.moves(l)
		if bytes.Equal(m.key.text[old.start:old.end], key.text[l.start:l.end]) {
			continue
		}
		if !m.fields[i].IsValid() || !setField(m.fields[i], key.text[l.start:l.end]) {
			return false
		}
		m.kept[i].Set(m.fields[i])
	}
	if !bytes.Equal(m.key.text[was:], key.text[is:]) {
		return false
	}
	m.key, m.at = key, m.now.Time
	return true
}

// decode decodes a key whole.
func (m *moving) decode(key keySample) (err error) {
	*m = moving{of: m.of, key: key, changed: m.changed[:0]}
	if m.now, err = key.sample(); err != nil {
		return err
	}
	kept := m.now
	cloneSlices(reflect.ValueOf(&kept).Elem())
	m.at = m.now.Time
	n := len(key.leaves)
	m.fields, m.kept, m.moves = make([]reflect.Value, n), make([]reflect.Value, n), make([]bool, n)
	for i, p := range placesOf(key) {
		to, ok := p.in(&m.now)
		from, both := p.in(&kept)
		if ok && both {
			m.fields[i], m.kept[i] = to, from
		}
		m.moves[i] = key.moves(key.leaves[i])
	}
	return nil
}

// revert makes now the key's own Sample again, moved to a time.
func (m *moving) revert(at time.Time) {
	for _, i := range m.changed {
		m.fields[i].Set(m.kept[i])
	}
	m.changed = m.changed[:0]
	for i, moves := range m.moves {
		if !moves || !m.fields[i].IsValid() {
			continue
		}
		if t, ok := m.fields[i].Addr().Interface().(*time.Time); ok {
			*t = at
		}
	}
}

// patch applies a delta's changes; false where the whole text must be decoded.
func (m *moving) patch(d delta) bool {
	last := -1
	for {
		i, value, err := d.next()
		if err != nil || i >= len(m.fields) {
			return false
		}
		if i < 0 {
			return true
		}
		if i <= last || !m.fields[i].IsValid() {
			return false
		}
		last = i
		m.changed = append(m.changed, i)
		if !setField(m.fields[i], value) {
			return false
		}
	}
}

// setField decodes raw into the field, as if it had stood in the text.
func setField(v reflect.Value, raw []byte) bool {
	to := v.Addr().Interface()
	if n, ok := to.(*sensors.Number); ok && isPlain(raw) {
		x, err := strconv.ParseFloat(string(raw), 64)
		*n = sensors.Num(x)
		return err == nil
	}
	v.SetZero()
	return json.Unmarshal(raw, to) == nil
}

// isPlain is whether raw is a JSON number without an exponent, as most are.
func isPlain(raw []byte) bool {
	if len(raw) > 0 && raw[0] == '-' {
		raw = raw[1:]
	}
	if len(raw) == 0 || raw[0] < '0' || raw[0] > '9' || raw[0] == '0' && len(raw) > 1 && raw[1] != '.' {
		return false
	}
	points := 0
	for _, c := range raw {
		switch {
		case c == '.':
			points++
		case c < '0' || c > '9':
			return false
		}
	}
	return points == 0 || points == 1 && raw[len(raw)-1] != '.'
}
