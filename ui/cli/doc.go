// Package cli is Headroom's command line: one file a command. It prints Frames; it reads no sensor itself and decides
// nothing.
package cli
