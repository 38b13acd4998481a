package policy

// DeviceType is the kind of adapter, as graphics APIs report it.
type DeviceType uint8

// The adapter types.
const (
	OtherDevice DeviceType = iota
	IntegratedGPU
	DiscreteGPU
	VirtualGPU
	CPUDevice
)

// String gives the snapshot's spelling.
func (t DeviceType) String() string {
	switch t {
	case IntegratedGPU:
		return "integrated"
	case DiscreteGPU:
		return "discrete"
	case VirtualGPU:
		return "virtual"
	case CPUDevice:
		return "cpu"
	default:
		return "other"
	}
}

// ZeroCopyStrategy is how weights reach the device.
type ZeroCopyStrategy uint8

// The strategies.
const (
	// MmapDirect maps the file and lets the device read host memory.
	MmapDirect ZeroCopyStrategy = iota
	// StagingUpload copies through a staging buffer into the device's own memory.
	StagingUpload
)

// String gives the snapshot's spelling.
func (s ZeroCopyStrategy) String() string {
	if s == StagingUpload {
		return "staging_upload"
	}
	return "mmap_direct"
}

// RequiresHostCopy is true for StagingUpload only.
func (s ZeroCopyStrategy) RequiresHostCopy() bool { return s == StagingUpload }

// ZeroCopyForDevice chooses by whether device and host share one memory.
func ZeroCopyForDevice(unified bool) ZeroCopyStrategy {
	if unified {
		return MmapDirect
	}
	return StagingUpload
}

// ZeroCopyForDeviceType chooses by adapter type: discrete and virtual GPUs stage, all others are mmap-direct.
func ZeroCopyForDeviceType(t DeviceType) ZeroCopyStrategy {
	return ZeroCopyForDevice(t != DiscreteGPU && t != VirtualGPU)
}
