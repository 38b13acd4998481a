package trace

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"headroom/sensors"
)

// curve is one number over time, as a scenario file writes it: a plain number for a constant, a state's name ("asleep",
// "needs_permission") for a value that is not read, or an object with points. A nil curve is a value that is not offered.
type curve struct {
	points []point
	// steps holds each point's value until the next one; without it, values glide from point to point.
	steps bool
	// wobble is the amplitude of the noise on top, in the curve's unit.
	wobble float64
	// missing is the state to report in place of a value, when there are no points.
	missing sensors.State
}

// point is a value at a time in seconds since the scenario's start. In a file it is [seconds, value].
type point struct{ at, value float64 }

func (p *point) UnmarshalJSON(b []byte) error {
	var pair []float64
	if err := json.Unmarshal(b, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("read point %s: want [seconds, value]", b)
	}
	p.at, p.value = pair[0], pair[1]
	return nil
}

func (c *curve) UnmarshalJSON(b []byte) error {
	*c = curve{}
	switch b[0] {
	case '"':
		return json.Unmarshal(b, &c.missing)
	case '{':
		var form struct {
			Points []point `json:"points"`
			Steps  bool    `json:"steps"`
			Wobble float64 `json:"wobble"`
		}
		dec := json.NewDecoder(bytes.NewReader(b))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&form); err != nil {
			return fmt.Errorf("read curve: %w", err)
		}
		if len(form.Points) == 0 {
			return errors.New("read curve: it has no points")
		}
		if !slices.IsSortedFunc(form.Points, func(a, b point) int { return cmp.Compare(a.at, b.at) }) {
			return errors.New("read curve: its points are not in order of time")
		}
		*c = curve{points: form.Points, steps: form.Steps, wobble: form.Wobble}
		return nil
	default:
		var v float64
		if err := json.Unmarshal(b, &v); err != nil {
			return fmt.Errorf("read curve: want a number, a state or points: %w", err)
		}
		c.points = []point{{value: v}}
		return nil
	}
}

// value is the curve at d, with its wobble drawn from the seed. It must not be called on a curve without points.
//
// Every product is converted to float64 on its own, which keeps compilers from fusing it with the sum around it: a
// scenario gives the same bytes on every processor.
func (c *curve) value(d time.Duration, seed string) float64 {
	t := d.Seconds()
	v := c.at(t)
	if c.wobble != 0 {
		v += float64(c.wobble * noise(t, seed))
	}
	return v
}

// at is the curve without its wobble.
func (c *curve) at(t float64) float64 {
	i, exact := slices.BinarySearchFunc(c.points, t, func(p point, t float64) int { return cmp.Compare(p.at, t) })
	switch {
	case exact:
		// The last of several points at one time wins: a jump.
		for i+1 < len(c.points) && c.points[i+1].at == t {
			i++
		}
		return c.points[i].value
	case i == 0:
		return c.points[0].value
	case i == len(c.points) || c.steps:
		return c.points[i-1].value
	}
	a, b := c.points[i-1], c.points[i]
	return a.value + float64((b.value-a.value)*ease((t-a.at)/(b.at-a.at)))
}

// ease runs from 0 to 1 with no slope at either end.
func ease(x float64) float64 { return float64(x*x) * (3 - float64(2*x)) }

// noisePeriod is the seconds between two independent values of the slower of two layers of noise.
const noisePeriod = 5.0

// noise is smooth value noise in [-1, 1].
func noise(t float64, seed string) float64 {
	return float64(0.7*layer(t/noisePeriod, seed, 0)) + float64(0.3*layer(t/(noisePeriod/4), seed, 1))
}

func layer(x float64, seed string, octave byte) float64 {
	whole := math.Floor(x)
	a, b := lattice(int64(whole), seed, octave), lattice(int64(whole)+1, seed, octave)
	return a + float64((b-a)*ease(x-whole))
}

// lattice is a fixed value in [-1, 1] for each whole number and seed.
func lattice(n int64, seed string, octave byte) float64 {
	h := fnv.New64a()
	h.Write([]byte(seed))
	h.Write([]byte{octave})
	for range 8 {
		h.Write([]byte{byte(n)})
		n >>= 8
	}
	// The top bits of FNV barely move with the last byte written: mix them once more.
	x := h.Sum64()
	x ^= x >> 32
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	return float64(int32(x>>32)) / (1 << 31)
}
