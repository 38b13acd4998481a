//go:build !linux

package policy_test

import "time"

var began = time.Now()

// onProcessor is the time that has passed; a thread's own is not to be had everywhere.
func onProcessor() time.Duration { return time.Since(began) }
