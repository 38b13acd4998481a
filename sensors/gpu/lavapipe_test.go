//go:build linux && cgo && !nowebgpu

package gpu

import (
	"strings"
	"testing"

	"headroom/sensors"
)

func TestTheSoftwareAdapterIsListedOnceAsACPU(t *testing.T) {
	adapters, r := Probe(t.Context(), lavapipe(t))
	if r.State != sensors.StateOK || len(adapters) != 1 {
		t.Fatalf("got %+v, %+v", adapters, r)
	}
	a := adapters[0]
	if !strings.Contains(a.Name, "llvmpipe") || a.Type != "cpu" || a.Backend != "vulkan" {
		t.Fatalf("got %+v", a)
	}
	if v, ok := a.VRAMTotal.Get(); !ok || v < 1<<20 || !strings.Contains(a.Driver, "Mesa") {
		t.Fatalf("memory or driver is missing: %+v", a)
	}
	if a.MaxBufferSize == 0 || a.MaxStorageBinding == 0 {
		t.Fatalf("limits are missing: %+v", a)
	}
}

func TestNoDriverGivesNoAdapterAndNoCrash(t *testing.T) {
	o := Options{environ: []string{
		"VK_DRIVER_FILES=/nonexistent", "VK_ICD_FILENAMES=/nonexistent",
		"__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent", "GORACE=atexit_sleep_ms=0",
	}}
	adapters, r := Probe(t.Context(), o)
	if len(adapters) != 0 || r.State != sensors.StateNotOffered {
		t.Fatalf("got %+v, %+v", adapters, r)
	}
}
