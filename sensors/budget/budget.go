package budget

import "headroom/sensors"

// From finds the policy's inputs in a Sample under the user's settings.
func From(s sensors.Sample, set Settings) Result { return Result{InUse: -1, Shown: -1} }
