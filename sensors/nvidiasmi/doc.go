// Package nvidiasmi asks NVIDIA's nvidia-smi for what its driver puts into no file: temperatures, power, memory, clocks and
// throttle reasons of each card, and the memory of each process.
package nvidiasmi
