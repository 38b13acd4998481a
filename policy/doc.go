// Package policy decides what a machine can run: the numeric precision of the weights, the compute backend,
// the number of tiles, the way weights reach the device, and the compute passes left after fusion.
//
// Every function is pure: no input or output, no clock, no allocation, no recursion, safe for concurrent use.
// The package imports the standard library only and builds without cgo.
package policy
