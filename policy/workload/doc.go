// Package workload says what is to be run: its weights, its KV cache, its compute buffers and its sequence of ops.
// It is pure: files are read by policy/workload/modelfile.
package workload
