package frame

import (
	"headroom/policy"
	"headroom/sensors"
	"headroom/sensors/budget"
)

// Frame is one moment: what the host said, what the user chose, what follows.
type Frame struct {
	Sample   sensors.Sample
	Settings budget.Settings
	Budget   budget.Result
	Plan     policy.Plan
}

// New makes the Frame of one Sample under the settings.
func New(s sensors.Sample, set budget.Settings) Frame {
	b := budget.From(s, set)
	return Frame{Sample: s, Settings: set, Budget: b, Plan: policy.Decide(b.Inputs)}
}
