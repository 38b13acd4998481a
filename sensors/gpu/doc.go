// Package gpu is the WebGPU adapter: what adapters there are, what memory they have, and (in prove) what they do.
//
// The WebGPU engine and the Vulkan drivers are only ever touched in a child process, which is this very program run
// again with a hidden command: a panic in the engine, a driver that crashes or one that hangs then costs an answer, never
// the caller. Builds without cgo, and those with the tag nowebgpu, have no engine and say so.
package gpu
