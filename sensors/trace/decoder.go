package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"headroom/sensors"
)

// keySample is a key line's sample, taken apart.
type keySample struct {
	text   []byte
	leaves []leaf
}

// keyed is a key in use. From the second delta on, only what differs is decoded, into a copy of the key's Sample.
type keyed struct {
	keySample
	uses   int
	base   sensors.Sample
	places []place
}

// apply is the Sample of a delta that rests on the key.
func (k *keyed) apply(d delta) (sensors.Sample, error) {
	if k.uses++; k.uses == 2 {
		base, err := k.sample()
		if err == nil {
			k.base, k.places = base, placesOf(k.keySample)
		}
	}
	if k.places != nil {
		if s, ok := k.patch(d); ok {
			return s, nil
		}
	}
	return k.splice(d)
}

// patch is a copy of the base with the delta's changes; false where the whole text must be decoded.
func (k *keyed) patch(d delta) (sensors.Sample, bool) {
	s := k.base
	cloneSlices(reflect.ValueOf(&s).Elem())
	var at time.Time
	if err := json.Unmarshal(appendMoved(nil, k.at(), d.after), &at); err != nil {
		return s, false
	}
	next, value, err := d.next()
	for i, l := range k.leaves {
		ok := true
		switch {
		case err != nil:
			return s, false
		case next == i:
			ok = k.places[i].set(&s, value)
			next, value, err = d.next()
		case k.moves(l):
			ok = k.places[i].setTime(&s, at)
		}
		if !ok {
			return s, false
		}
	}
	return s, err == nil && next < 0
}

var errKey = errors.New("read a key line: it does not have the form {\"k\":number,\"s\":{\"time\":…}}")

// parseKey reads a key line's number, and finds its sample.
func parseKey(body []byte) (number uint64, sample []byte, err error) {
	number, rest, ok := cutNumber(body[len(`{"k":`):])
	sample, found := bytes.CutPrefix(rest, []byte(`,"s":`))
	if !ok || !found || !bytes.HasPrefix(sample, []byte(`{"time":`)) {
		return 0, nil, errKey
	}
	return number, sample, nil
}

// takeApart finds the places of a key's sample. It keeps a part of sample.
func takeApart(sample []byte) (keySample, error) {
	leaves, end, err := leavesOf(sample, nil)
	if err == nil && len(leaves) == 0 {
		err = errKey
	}
	if err != nil {
		return keySample{}, fmt.Errorf("take a sample apart: %w", err)
	}
	return keySample{text: sample[:end], leaves: leaves}, nil
}

// moves is whether a leaf is the sample's own time, or a reading's that equals it: it goes along with the sample.
func (k keySample) moves(l leaf) bool {
	return l.timed && bytes.Equal(k.text[l.start:l.end], k.at())
}

// at is the sample's time, which its text begins with.
func (k keySample) at() []byte { return k.text[k.leaves[0].start:k.leaves[0].end] }

// sample is the key's own Sample.
func (k keySample) sample() (sensors.Sample, error) { return unmarshal(k.text) }

// splice is the Sample of a delta that rests on the key, decoded whole.
func (k keySample) splice(delta delta) (sensors.Sample, error) {
	out := make([]byte, 0, len(k.text)+len(delta.rest))
	moved := appendMoved(nil, k.at(), delta.after)
	done := 0
	next, value, err := delta.next()
	for i, l := range k.leaves {
		if err != nil {
			return sensors.Sample{}, err
		}
		changed := next == i
		if !changed && !k.moves(l) {
			continue
		}
		out = append(out, k.text[done:l.start]...)
		done = l.end
		if changed {
			out = append(out, value...)
			next, value, err = delta.next()
		} else {
			out = append(out, moved...)
		}
	}
	if err != nil {
		return sensors.Sample{}, err
	}
	if next >= 0 {
		return sensors.Sample{}, fmt.Errorf("read a delta line: it changes value %d, its key has %d in that order", next, len(k.leaves))
	}
	return unmarshal(append(out, k.text[done:]...))
}

func unmarshal(text []byte) (sensors.Sample, error) {
	var s sensors.Sample
	if err := json.Unmarshal(text, &s); err != nil {
		return sensors.Sample{}, fmt.Errorf("read a sample: %w", err)
	}
	return s, nil
}

// delta is a delta line, read up to its changes.
type delta struct {
	key   uint64
	after time.Duration
	// rest are the pairs of place and value that are still to be read, up to the closing bracket.
	rest []byte
}

var errDelta = errors.New("read a delta line: it does not have the form {\"d\":[key,nanoseconds,place,value,…]}")

func parseDelta(body []byte) (delta, error) {
	key, rest, ok := cutNumber(body[len(`{"d":[`):])
	if !ok || len(rest) == 0 || rest[0] != ',' {
		return delta{}, errDelta
	}
	after, rest, ok := cutNumber(rest[1:])
	if !ok || after >= uint64(keyLatest) || len(rest) == 0 || rest[0] != ',' && rest[0] != ']' {
		return delta{}, errDelta
	}
	return delta{key: key, after: time.Duration(after), rest: rest}, nil
}

// next is the next pair's place and raw value; −1 after the last one.
func (d *delta) next() (place int, value []byte, err error) {
	if len(d.rest) == 0 {
		return -1, nil, errDelta
	}
	if d.rest[0] == ']' {
		return -1, nil, nil
	}
	n, rest, ok := cutNumber(d.rest[1:])
	if d.rest[0] != ',' || !ok || n > maxLeaves || len(rest) < 2 || rest[0] != ',' {
		return -1, nil, errDelta
	}
	end := scalarEnd(rest, 1)
	d.rest = rest[end:]
	return int(n), rest[1:end], nil
}

// cutNumber reads the digits that b begins with: at least one, at most eighteen.
func cutNumber(b []byte) (n uint64, rest []byte, ok bool) {
	i := 0
	for i < len(b) && i < 18 && b[i] >= '0' && b[i] <= '9' {
		n = n*10 + uint64(b[i]-'0')
		i++
	}
	return n, b[i:], i > 0
}
