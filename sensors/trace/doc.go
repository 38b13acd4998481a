// Package trace records Samples to files, plays them back, and makes them from scenarios.
package trace
