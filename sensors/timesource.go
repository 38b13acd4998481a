package sensors

import "time"

// TimeSource is time as the Poller sees it; tests bring their own.
type TimeSource interface {
	// Now is the time with a monotonic part where there is one.
	Now() time.Time
	// After sends once d has passed.
	After(d time.Duration) <-chan time.Time
}

type systemClock struct{}

func (systemClock) Now() time.Time                         { return time.Now() }
func (systemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
