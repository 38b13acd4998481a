package sensors

import (
	"sync"
	"time"
)

// counters remember the last value of each energy and event counter. They outlive the scans of the folders that the
// counters lie in.
type counters struct {
	mu   sync.Mutex
	seen map[string]*count
	// fresh counts those that were read only once.
	fresh int
	// still is whether an energy counter did not move between its last two readings.
	still bool
}

type count struct {
	value uint64
	at    time.Time
	// rose is when an event counter last rose.
	rose time.Time
}

// counterPause is the longest time between two readings whose mean still says something about now.
const counterPause = 2 * time.Minute

// maxWatts is what no device of one machine draws.
const maxWatts = 2000

func newCounters() *counters { return &counters{seen: map[string]*count{}} }

// waiting reports whether a counter was read for the first time.
func (c *counters) waiting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fresh > 0
}

// stood reports whether an energy counter did not move since this was last asked: it may be one that moves seldom.
func (c *counters) stood() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	still := c.still
	c.still = false
	return still
}

// forget drops all values: after sleep or a jump of the clock they say nothing.
func (c *counters) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.seen)
	c.fresh = 0
}

// power turns an energy counter in µJ into mW. span is the value at which it starts again, 0 where that is unknown. Where
// there is no figure, why says so: a counter or a clock that did not move is unknown, not 0 W.
func (c *counters) power(id string, value, span uint64, at time.Time) (mw float64, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	prev, ok := c.seen[id]
	if !ok {
		c.seen[id] = &count{value: value, at: at}
		c.fresh++
		return 0, "read once: power is the difference of two readings"
	}
	if prev.at.Equal(at) {
		return 0, "the clock did not move since the last reading"
	}
	elapsed := at.Sub(prev.at)
	if elapsed < 0 || elapsed > counterPause {
		*prev = count{value: value, at: at}
		return 0, "the last reading is too old to compare"
	}
	c.fresh = 0
	if value == prev.value {
		c.still = true
		return 0, "the counter has not moved since the last reading"
	}
	delta := value - prev.value
	if value < prev.value {
		if span == 0 || prev.value > span {
			*prev = count{value: value, at: at}
			return 0, "the counter started again"
		}
		delta = span - prev.value + value
	}
	*prev = count{value: value, at: at}
	mw = float64(delta) / 1000 / elapsed.Seconds()
	if mw > maxWatts*1000 {
		return 0, "the counter jumped"
	}
	return mw, ""
}

// events gives how much an event counter rose since the last reading, and when it last did; ok is false where the counter
// was read only once, or at the same time as before.
func (c *counters) events(id string, value uint64, at time.Time) (rise uint64, rose time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	prev, seen := c.seen[id]
	if !seen {
		c.seen[id] = &count{value: value, at: at}
		c.fresh++
		return 0, time.Time{}, false
	}
	c.fresh = 0
	if !at.After(prev.at) || value < prev.value {
		prev.value = value
		return 0, prev.rose, false
	}
	rise = value - prev.value
	prev.value, prev.at = value, at
	if rise > 0 {
		prev.rose = at
	}
	return rise, prev.rose, true
}

// slope gives how much a counter rose per second since the last reading; ok is false where that cannot be told.
func (c *counters) slope(id string, value uint64, at time.Time) (perSecond float64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	prev, seen := c.seen[id]
	if !seen {
		c.seen[id] = &count{value: value, at: at}
		c.fresh++
		return 0, false
	}
	c.fresh = 0
	elapsed := at.Sub(prev.at)
	rise := value - prev.value
	ok = elapsed > 0 && elapsed <= counterPause && value >= prev.value
	if elapsed != 0 {
		*prev = count{value: value, at: at}
	}
	if !ok {
		return 0, false
	}
	return float64(rise) / elapsed.Seconds(), true
}
