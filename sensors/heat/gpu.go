package heat

import (
	"context"
	"errors"
	"strconv"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/sensors/gpu"
	"headroom/sensors/gpu/engine"
)

// gpuLoad keeps the GPU in use at work, in the WebGPU child.
func (o *Options) gpuLoad(s sensors.Sample) (load, error) {
	if !engine.Available {
		return nil, errors.New("this build has no WebGPU")
	}
	r := budget.From(s, o.settings())
	if r.InUse < 0 {
		return nil, errors.New(noGPU(s, r))
	}
	adapter, ok := adapterOf(s.Adapters, r.GPUs[r.InUse])
	if !ok {
		return nil, errors.New("WebGPU does not list " + r.GPUs[r.InUse].Name)
	}
	return func(ctx context.Context) error {
		b, err := gpu.StartBurn(ctx, gpu.BurnOptions{Adapter: adapter, Among: s.Adapters})
		if err != nil {
			return err
		}
		defer b.Close()
		for ctx.Err() == nil {
			if _, err := b.Burst(); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// adapterOf finds the adapter of a GPU: by its address or place in the list, else by name.
func adapterOf(adapters []sensors.Adapter, g budget.GPU) (sensors.Adapter, bool) {
	for i, a := range adapters {
		if a.Backend == g.Backend && (a.PCI != "" && "pci/"+a.PCI == g.ID || "adapter/"+strconv.Itoa(i) == g.ID) {
			return a, true
		}
	}
	for _, a := range adapters {
		if a.Backend == g.Backend && a.Name == g.Name {
			return a, true
		}
	}
	return sensors.Adapter{}, false
}
