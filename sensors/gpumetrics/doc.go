// Package gpumetrics reads what amdgpu's gpu_metrics table says about throttling and, on newer APUs, the package's power. The layouts are those of the kernel's
// kgd_pp_interface.h, format 1 (cards), 2 (APUs) and 3 (newer APUs).
package gpumetrics
