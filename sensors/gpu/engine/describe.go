//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package engine

import (
	"runtime"
	"strings"

	"github.com/cogentcore/webgpu/wgpu"
)

// Available is whether this build has the engine.
const Available = true

// Version names the engine that the binding carries on this platform; the library itself tells no version.
func Version() string {
	if runtime.GOARCH == "arm64" && runtime.GOOS != "darwin" {
		return "wgpu 22.1.0"
	}
	return "wgpu 0.19.4"
}

// Info is what the engine tells of an adapter, in the snapshot's spelling.
type Info struct {
	Name, Type, Backend string
	VendorID, DeviceID  uint32
	MaxBufferSize       uint64
	MaxStorageBinding   uint64
	// WorkgroupStorage is the bytes and Invocations the threads that a workgroup may have.
	WorkgroupStorage, Invocations uint32
	Features                      []string
}

// Describe asks the engine about an adapter. It leaks a little memory each time: once for each adapter.
func Describe(a *wgpu.Adapter) Info {
	info := a.GetInfo()
	// Of the limits only these are used: the rest of what the binding fills in is not to be given back to it.
	limits := a.GetLimits().Limits
	return Info{
		Name: realName(info), Type: typeName(info.AdapterType), Backend: backendName(info.BackendType),
		VendorID: info.VendorId, DeviceID: info.DeviceId,
		MaxBufferSize: limits.MaxBufferSize, MaxStorageBinding: limits.MaxStorageBufferBindingSize,
		WorkgroupStorage: limits.MaxComputeWorkgroupStorageSize, Invocations: limits.MaxComputeInvocationsPerWorkgroup,
		Features: featureNames(a),
	}
}

// realName is the card's name: the libraries with engine 0.19 put hexadecimal ids in its place and the name in the
// description.
func realName(info wgpu.AdapterInfo) string {
	if (info.Name == "" || strings.HasPrefix(info.Name, "0x")) && info.DriverDescription != "" {
		return info.DriverDescription
	}
	return info.Name
}

func typeName(t wgpu.AdapterType) string {
	switch t {
	case wgpu.AdapterTypeDiscreteGPU:
		return "discrete"
	case wgpu.AdapterTypeIntegratedGPU:
		return "integrated"
	case wgpu.AdapterTypeCPU:
		return "cpu"
	default:
		return "other"
	}
}

func backendName(b wgpu.BackendType) string {
	switch b {
	case wgpu.BackendTypeOpenGL, wgpu.BackendTypeOpenGLES:
		return "opengl"
	default:
		return strings.ToLower(b.String())
	}
}

// featureNames are the features that matter here and whose ids mean the same in every engine that the binding carries.
func featureNames(a *wgpu.Adapter) []string {
	var names []string
	for _, f := range []struct {
		id   wgpu.FeatureName
		name string
	}{
		{wgpu.FeatureNameTimestampQuery, "timestamp-query"},
		{wgpu.FeatureNameShaderF16, "shader-f16"},
		{wgpu.NativeFeaturePushConstants, "push-constants"},
		{wgpu.NativeFeatureMappablePrimaryBuffers, "mappable-primary-buffers"},
		{wgpu.NativeFeatureBufferBindingArray, "buffer-binding-array"},
	} {
		if a.HasFeature(f.id) {
			names = append(names, f.name)
		}
	}
	return names
}
