package prove

import "time"

// The bounds of the load.
const (
	// burstTime is how long the adapter works for one word of the parent: one that is stopped or hangs cannot leave it at work.
	burstTime = 500 * time.Millisecond
	// dispatchAim is the seconds that a dispatch is to take: short enough that pictures are drawn between two, and far from
	// where systems reset an adapter.
	dispatchAim = 0.025
	// mostGroups bounds the workgroups of a dispatch, whatever the clock says.
	mostGroups = 1 << 26
)

// BurnRequest is the first line that Burn reads.
type BurnRequest struct {
	Adapter Selector `json:"adapter"`
}

// Burst is what the adapter did for one word of the parent: dispatches one after another, the seconds that they took
// together, and the longest one.
type Burst struct {
	Dispatches int     `json:"dispatches"`
	Seconds    float64 `json:"seconds"`
	Longest    float64 `json:"longest"`
}

// nextGroups is how many workgroups the next dispatch has, when one of groups took that many seconds. It at most doubles:
// the first ones are too short to be told from the cost of submitting.
func nextGroups(groups uint64, took float64) uint64 {
	next := groups * 2
	if took > dispatchAim/2 {
		next = uint64(float64(groups) * dispatchAim / took)
	}
	return min(max(next, 1), mostGroups)
}
