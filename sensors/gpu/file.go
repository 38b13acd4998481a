package gpu

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"headroom/sensors"
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
	b, err := readBounded(path, maxAnswer)
	if err != nil {
		return answer{}, fmt.Errorf("read adapters: %w", err)
	}
	a, err := decode(b)
	if err != nil {
		return answer{}, fmt.Errorf("read adapters from %s: %w", path, err)
	}
	return a, nil
}

// readBounded reads a regular file of at most limit bytes. A folder, pipe or device in its place would block or give no end.
func readBounded(path string, limit int64) (b []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if b, err = io.ReadAll(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("read %s: longer than %d bytes", path, limit)
	}
	return b, nil
}
