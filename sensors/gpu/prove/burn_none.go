//go:build !(cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin))

package prove

import (
	"errors"
	"io"
)

// Burn has nothing to run on: this build has no WebGPU.
func Burn(io.Reader, io.Writer) error { return errors.New("this build has no WebGPU") }
