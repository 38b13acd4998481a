//go:build !unix

package gpu

import "io"

// private is stdout itself: drivers do not print to it here.
func private(stdout io.Writer) (io.Writer, error) { return stdout, nil }

// keepNoCore does nothing: a crash leaves no file here.
func keepNoCore() error { return nil }
