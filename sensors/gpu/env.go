package gpu

import (
	"runtime"
	"strings"
)

// childMark is set in a child's environment, so that a child never starts another.
const childMark = "HEADROOM_WEBGPU_CHILD"

// hideVar holds the files that a child must not be able to open, one a line.
const hideVar = "HEADROOM_WEBGPU_HIDE"

// keptNames and keptPrefixes are the variables that the loaders and drivers of a GPU read. Everything else stays
// behind; DISPLAY and WAYLAND_DISPLAY among it, so that no driver connects to a window system.
var (
	keptNames = []string{
		"HOME", "USER", "LOGNAME", "PATH", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
		"LP_NUM_THREADS", "DRI_PRIME", "GORACE", "GOCOVERDIR",
	}
	keptPrefixes = []string{
		"XDG_", "VK_", "MESA_", "LIBGL_", "GALLIUM_", "RADV_", "AMD_", "ANV_", "INTEL_", "NVK_", "NV_", "TU_", "__NV",
		"__GL", "__EGL", "__VK", "CUDA_VISIBLE_DEVICES", "NIX_",
	}
	// On Windows drivers and the system's own libraries read many more, under names in any case.
	droppedOnWindows = []string{"GODEBUG", "GOTRACEBACK"}
)

// childEnv is the part of an environment that the child needs.
func childEnv(environ []string) []string {
	var out []string
	for _, kv := range environ {
		name, _, ok := strings.Cut(kv, "=")
		if ok && keeps(name) {
			out = append(out, kv)
		}
	}
	return out
}

func keeps(name string) bool {
	if runtime.GOOS == "windows" {
		for _, n := range droppedOnWindows {
			if strings.EqualFold(n, name) {
				return false
			}
		}
		return true
	}
	for _, n := range keptNames {
		if name == n {
			return true
		}
	}
	for _, p := range keptPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
