package sensors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Number is a measured value that may be unknown. Its zero value is unknown and is written as null, so that missing
// never becomes 0.
type Number struct {
	value float64
	known bool
}

// Num is a known number; a NaN or an infinity is unknown.
func Num(v float64) Number {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Number{}
	}
	return Number{value: v, known: true}
}

// Known reports whether the number was read.
func (n Number) Known() bool { return n.known }

// Get returns the value and whether it is known.
func (n Number) Get() (float64, bool) { return n.value, n.known }

// Or returns the value, or other when it is unknown.
func (n Number) Or(other float64) float64 {
	if n.known {
		return n.value
	}
	return other
}

// MarshalJSON writes null for an unknown number, an integer without exponent where the value is whole.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.known {
		return []byte("null"), nil
	}
	if n.value == math.Trunc(n.value) && math.Abs(n.value) < 1<<63 {
		return strconv.AppendInt(nil, int64(n.value), 10), nil
	}
	return strconv.AppendFloat(nil, n.value, 'g', -1, 64), nil
}

// UnmarshalJSON reads null as unknown. A number may stand in quotes, as programs write counts of bytes that they fear
// to lose digits of.
func (n *Number) UnmarshalJSON(b []byte) error {
	if len(b) > 2 && b[0] == '"' {
		b = b[1 : len(b)-1]
	}
	if bytes.Equal(b, []byte("null")) {
		*n = Number{}
		return nil
	}
	var f float64
	if err := json.Unmarshal(b, &f); err != nil {
		return fmt.Errorf("read a number: %w", err)
	}
	*n = Num(f)
	return nil
}

// State says how far a reading can be trusted. A larger State is better: a derived number has the least of its parts.
type State uint8

// The states, worst first.
const (
	// StateError: the source failed; the detail holds its error.
	StateError State = iota
	// StateImplausible: a value was read that cannot be true.
	StateImplausible
	// StateNeedsPermission: the value exists, this user may not read it.
	StateNeedsPermission
	// StateAsleep: the device is suspended and is left so.
	StateAsleep
	// StateNotOffered: the machine does not offer the value.
	StateNotOffered
	// StateStale: the last good value, older than the round.
	StateStale
	// StateAssumed: replaced by an assumption; the detail says which and why.
	StateAssumed
	// StatePinned: set by the user.
	StatePinned
	// StateOK: read in this round, or in time where a source is read less often; At says when.
	StateOK
	numStates
)

var stateNames = [numStates]string{"error", "implausible", "needs_permission", "asleep", "not_offered", "stale", "assumed", "pinned", "ok"}

// String gives the snapshot's spelling.
func (s State) String() string {
	if s >= numStates {
		return "unknown"
	}
	return stateNames[s]
}

// MarshalText gives the snapshot's spelling.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the snapshot's spelling.
func (s *State) UnmarshalText(b []byte) error {
	for i, n := range stateNames {
		if n == string(b) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("read state %q: not one of %v", b, stateNames)
}

// Worst returns the worse of two states.
func Worst(a, b State) State { return min(a, b) }

// Unit is the unit of a reading's value.
type Unit string

// The units in use. Ratios and counts have no unit.
const (
	Celsius   Unit = "°C"
	Milliwatt Unit = "mW"
	MilliWh   Unit = "mWh"
	Millivolt Unit = "mV"
	Percent   Unit = "%"
	Bytes     Unit = "B"
	Megahertz Unit = "MHz"
	Count     Unit = ""
)

// Reading is one value that a source reported, with where it came from and how far it can be trusted.
type Reading struct {
	// ID names the reading stably across rounds and reboots, e.g. "hwmon/coretemp/Package id 0".
	ID string `json:"id"`
	// Kind is the family: temperature, limit, power, energy, battery, memory, clock, throttle, gpu, npu.
	Kind  string `json:"kind"`
	Value Number `json:"value"`
	Unit  Unit   `json:"unit"`
	State State  `json:"state"`
	// Source is the file, command or call that gave the value, in words or as a path.
	Source string `json:"source"`
	// Detail says what is special: the error, the assumption, a correction, a second opinion.
	Detail string `json:"detail,omitempty"`
	// At is when the value was read; it lies behind the Sample's time when the state is stale.
	At time.Time `json:"at,omitzero"`
}

// Usable reports whether the value may drive a decision.
func (r Reading) Usable() bool {
	return r.Value.Known() && (r.State == StateOK || r.State == StateStale || r.State == StatePinned || r.State == StateAssumed)
}

// Missing makes the reading of a value that was not read.
func Missing(id, kind string, unit Unit, state State, source, detail string) Reading {
	return Reading{ID: id, Kind: kind, Unit: unit, State: state, Source: source, Detail: detail}
}
