package frame

import "time"

// settler follows the decision, but only after it has held for a time.
type settler struct {
	hold          time.Duration
	settled, next Decided
	since, nextAt time.Time
}

func (s *settler) start(d Decided, at time.Time) {
	s.settled, s.since, s.next, s.nextAt = d, at, d, at
}

func (s *settler) add(d Decided, at time.Time) {
	if d != s.next {
		s.next, s.nextAt = d, at
	}
	if s.next != s.settled && at.Sub(s.nextAt) >= s.hold {
		s.settled, s.since = s.next, at
	}
}

// SetHold sets how long a decision must hold before it is settled; it counts from the next Frame on.
func (h *History) SetHold(d time.Duration) { h.settler.hold = max(d, 0) }

// Hold is how long a decision must hold before it is settled.
func (h *History) Hold() time.Duration { return h.settler.hold }

// Settled is the decision that last held for the hold time, and when it became so. Near a threshold it stays while the
// raw answer wavers; faces label it as settled and show the raw answer beside it.
func (h *History) Settled() (Decided, time.Time) { return h.settler.settled, h.settler.since }
