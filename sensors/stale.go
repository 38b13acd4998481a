package sensors

import (
	"fmt"
	"slices"
	"time"
)

// keepGood replaces readings of s that failed or became absurd by prev's good value while that is young enough: one bad
// answer is no news, a lasting one is.
func keepGood(s, prev *Sample, now time.Time, grace time.Duration) {
	eachReading(s, func(r *Reading) {
		if r.State != StateError && r.State != StateImplausible || r.ID == "" {
			return
		}
		old := goodOf(prev, r.ID)
		age := now.Sub(old.At)
		if old.ID == "" || age < 0 || age > grace {
			return
		}
		old.State = StateStale
		old.Detail = fmt.Sprintf("%s now: %s", r.State.words(), r.Detail)
		*r = old
	})
}

// goodOf finds a reading whose value was read, the zero Reading where there is none.
func goodOf(s *Sample, id string) Reading {
	var found Reading
	eachReading(s, func(r *Reading) {
		if r.ID == id && r.Value.Known() && (r.State == StateOK || r.State == StateStale) {
			found = *r
		}
	})
	return found
}

// growStale turns a reading of a source that did not answer stale, and after grace unknown.
func growStale(r *Reading, now time.Time, grace time.Duration, why string) {
	if !r.Value.Known() || r.State != StateOK && r.State != StateStale {
		return
	}
	r.Detail = why
	if age := now.Sub(r.At); age < 0 || age > grace {
		r.State, r.Value = StateError, Number{}
		return
	}
	r.State = StateStale
}

// stamp says of readings that do not say when they were read that it was at the given time.
func stamp(s *Sample, at time.Time) {
	eachReading(s, func(r *Reading) {
		if r.ID != "" && r.At.IsZero() {
			r.At = at
		}
	})
}

// words is the state in a sentence.
func (s State) words() string {
	switch s {
	case StateNeedsPermission:
		return "needs permission"
	case StateNotOffered:
		return "not offered"
	case StateError:
		return "an error"
	default:
		return s.String()
	}
}

// detach copies the slices of a Sample down to the readings, so that they can be changed.
func detach(s Sample) Sample {
	s.Temperatures = slices.Clone(s.Temperatures)
	for i := range s.Temperatures {
		s.Temperatures[i].Trips = slices.Clone(s.Temperatures[i].Trips)
	}
	s.Power = slices.Clone(s.Power)
	s.Batteries = slices.Clone(s.Batteries)
	s.Cards = slices.Clone(s.Cards)
	s.NPUs = slices.Clone(s.NPUs)
	s.Throttle = slices.Clone(s.Throttle)
	s.Clocks = slices.Clone(s.Clocks)
	s.Workloads = slices.Clone(s.Workloads)
	s.SourceFailures = slices.Clone(s.SourceFailures)
	return s
}
