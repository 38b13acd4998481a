// Package prove runs the plan's decisions on a real adapter and measures what they are worth: fused kernels against
// single ones, weights stored at each precision, tiles streamed through a budget, uploads with and without a copy.
// Each proof checks its numbers against the CPU before it says anything of speed.
//
// The measuring runs in the WebGPU child (Child); its parent reads Events. Kernels are WGSL made from the same data
// that the CPU's answer is made from.
package prove
