//go:build cgo && !nowebgpu && (amd64 || arm64)

package engine

/*
#include <stdint.h>
#include <stdlib.h>

// After webgpu.h and wgpu.h of the library that the binding links.
typedef struct {
	struct {
		const void *next;
		uint32_t type;
	} chain;
	uint32_t backends, flags, dx12_compiler, gles3_minor;
	const char *dxil_path, *dxc_path;
} instance_extras;

typedef struct {
	const void *next;
} instance_descriptor;

extern void *wgpuCreateInstance(const instance_descriptor *descriptor);

// hr_instance makes an instance with some APIs only. The whole structure is zeroed: the binding leaves parts of its own
// uninitialised, which aborts the process now and then, and its other way, no descriptor, starts EGL too, which aborts
// where no EGL driver is installed and wakes every card where one is.
static void *hr_instance(uint32_t backends) {
	instance_extras extras = {0};
	extras.chain.type = 0x00030006;
	extras.backends = backends;
	instance_descriptor descriptor = {&extras};
	return wgpuCreateInstance(&descriptor);
}
*/
import "C"

import (
	"errors"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"
)

// Instance opens the engine with one API.
func Instance(api API) (*wgpu.Instance, error) {
	backends := wgpu.InstanceBackendVulkan
	if api == OpenGL {
		backends = wgpu.InstanceBackendGL
	}
	ref := C.hr_instance(C.uint32_t(backends))
	if ref == nil {
		return nil, errors.New("open the WebGPU engine: no instance was made")
	}
	// The binding offers no way in for an instance made elsewhere; its type is this one pointer.
	instance := new(wgpu.Instance)
	*(*unsafe.Pointer)(unsafe.Pointer(instance)) = ref
	return instance, nil
}

// The line above holds only as long as that is so.
var _ [unsafe.Sizeof(uintptr(0)) - unsafe.Sizeof(wgpu.Instance{})]struct{}
