// Package cgroup finds the memory limit that holds for this process: the tightest of its control group and all groups
// above it, version 1 and 2, also inside a container whose groups are named from outside.
package cgroup
