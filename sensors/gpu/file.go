package gpu

import (
	"errors"
	"fmt"
	"io/fs"

	"headroom/sensors"
	"headroom/sensors/wholefile"
)

// FromFile reads the adapters from a gpu.json: {"adapters":[{"name","type","backend","vendor_id","device_id","pci",
// "max_buffer_size","max_storage_binding","vram_total","vram_budget","features"}]}, limits as strings, an unknown
// figure as null. The Reading says how many there are, that there is no such file (not_offered), or what is wrong with it
// (error); a damaged file gives no adapters at all.
func FromFile(path string) ([]sensors.Adapter, sensors.Reading) {
	a, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(sensors.StateNotOffered, path, "there is no such file, so no adapter is known")
	case err != nil:
		return nil, missing(sensors.StateError, path, err.Error())
	}
	a.Adapters = distinct(a.Adapters)
	return reported(a, sensors.StateNotOffered, path)
}

func readFile(path string) (answer, error) {
	b, err := wholefile.Read(path, maxAnswer)
	if err != nil {
		return answer{}, fmt.Errorf("read adapters: %w", err)
	}
	a, err := decode(b)
	if err != nil {
		return answer{}, fmt.Errorf("read adapters from %s: %w", path, err)
	}
	return a, nil
}
