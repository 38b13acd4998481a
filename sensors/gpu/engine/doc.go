// Package engine opens the WebGPU engine that the binding carries, round the binding's faults. It loads drivers into the
// process, so only the WebGPU child uses it.
package engine

// API is what reaches the cards.
type API string

// The choices. Native is the platform's own: Vulkan on Linux, all that there is on Windows, Metal on macOS.
const (
	Native API = "native"
	OpenGL API = "opengl"
)
