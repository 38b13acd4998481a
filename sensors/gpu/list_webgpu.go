//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package gpu

import (
	"github.com/cogentcore/webgpu/wgpu"

	"headroom/sensors/gpu/engine"
)

func probeSource() string { return "WebGPU probe (" + engine.Version() + ")" }

// list asks the engine for every adapter that it reaches through the API. Only the child calls it.
func list(api engine.API) (answer, error) {
	wgpu.SetLogLevel(wgpu.LogLevelError)
	instance, err := engine.Instance(api)
	if err != nil {
		return answer{}, err
	}
	out := answer{Adapters: []adapter{}}
	for _, a := range instance.EnumerateAdapters(nil) {
		i := engine.Describe(a)
		out.Adapters = append(out.Adapters, adapter{
			Name: i.Name, Type: i.Type, Backend: i.Backend, VendorID: i.VendorID, DeviceID: i.DeviceID,
			MaxBufferSize: limit(i.MaxBufferSize), MaxStorageBinding: limit(i.MaxStorageBinding), Features: i.Features,
		})
	}
	return out, nil
}
