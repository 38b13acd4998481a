// Package heat is a real load that makes a real machine warm, for showing on a stage what heat does: threads of the CPU
// doing arithmetic and, if wanted, the GPU in use doing the same in the WebGPU child. A load ends at its time, below the
// machine's limits of temperature, on a low battery, when a sensor is lost, and with whatever started it.
package heat
