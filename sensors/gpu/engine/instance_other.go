//go:build cgo && !nowebgpu && ((windows && (amd64 || arm64)) || darwin)

package engine

import (
	"errors"

	"github.com/cogentcore/webgpu/wgpu"
)

// Instance opens the engine with every API that the platform has: a descriptor that chose would leave parts of the
// binding's C structure uninitialised, which aborts the process now and then.
func Instance(api API) (*wgpu.Instance, error) {
	if api != Native {
		return nil, errors.New("open the WebGPU engine: APIs are not chosen one by one on this system")
	}
	return wgpu.CreateInstance(nil), nil
}
