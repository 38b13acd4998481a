//go:build !(cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin))

package gpu

import (
	"errors"

	"headroom/sensors/gpu/engine"
)

func probeSource() string { return "WebGPU" }

func list(engine.API) (answer, error) { return answer{}, errors.New(noWebGPU) }
