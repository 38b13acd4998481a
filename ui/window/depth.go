//go:build cgo && !nogui

package window

import "github.com/go-gl/glfw/v3.4/glfw"

// wantNoDepth asks for a window without depth and stencil buffers. Fyne draws from back to front and tests neither, yet
// clears the depth for each picture, which takes a sixth of the time of a software renderer's threads. It comes after GLFW
// has started and before the window opens; where a screen has no such format, GLFW takes the nearest.
func wantNoDepth() {
	glfw.WindowHint(glfw.DepthBits, 0)
	glfw.WindowHint(glfw.StencilBits, 0)
}
