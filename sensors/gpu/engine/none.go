//go:build !(cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin))

package engine

// Available is whether this build has the engine.
const Available = false
