// Package hostfile writes and reads recorded hosts: one JSON file that holds what a machine's sensors said in one round,
// so that a user's machine becomes a test.
//
// The form is an object with "about" (a sentence), "args" (flags of headroom snapshot), "want" (keys of the snapshot and
// what they must show) and "files": the tree of /sys and /proc files by path without the leading slash. A path that ends in
// "/" is a folder where a file is expected: it stands for a file that exists and could not be read. gpu.json holds the
// WebGPU adapters, nvidia-smi.csv what NVIDIA's tool said.
package hostfile
