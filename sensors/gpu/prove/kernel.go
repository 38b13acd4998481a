//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"fmt"

	"github.com/cogentcore/webgpu/wgpu"
)

// kernel is a compiled WGSL program with entry point main.
type kernel struct {
	name     string
	pipeline *wgpu.ComputePipeline
	layout   *wgpu.BindGroupLayout
}

// compile makes a kernel, once for each text, and keeps the text where that is wanted.
func (d *device) compile(name, code string) (*kernel, error) {
	if k := d.kernels[code]; k != nil {
		return k, nil
	}
	if d.dump != nil {
		d.dump(name+".wgsl", code)
	}
	module, err := d.dev.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
		Label: name, WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: code},
	})
	if err != nil {
		return nil, fmt.Errorf("compile kernel %q: %w", name, err)
	}
	defer module.Release()
	p, err := d.dev.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Label: name, Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: "main"},
	})
	if err != nil {
		return nil, fmt.Errorf("compile kernel %q: %w", name, err)
	}
	k := &kernel{name: name, pipeline: p, layout: p.GetBindGroupLayout(0)}
	d.kernels[code] = k
	return k, nil
}

// call is one dispatch: a kernel with its buffers and its workgroups.
type call struct {
	kernel *kernel
	bound  *wgpu.BindGroup
	x, y   uint32
}

// on binds buffers to a kernel for a number of workgroups.
func (d *device) on(k *kernel, x, y uint32, buffers ...*buffer) (call, error) {
	entries := make([]wgpu.BindGroupEntry, len(buffers))
	for i, b := range buffers {
		entries[i] = wgpu.BindGroupEntry{Binding: uint32(i), Buffer: b.Buffer, Size: wgpu.WholeSize}
	}
	g, err := d.dev.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: k.layout, Entries: entries})
	if err != nil {
		return call{}, fmt.Errorf("bind buffers to kernel %q: %w", k.name, err)
	}
	return call{kernel: k, bound: g, x: x, y: y}, nil
}

// maxGroups is the workgroups of one dimension at most.
const maxGroups = 65535

// grid spreads workgroups over two dimensions, as one holds 65,535 at most.
func grid(groups uint64) (x, y uint32) {
	if groups <= maxGroups {
		return uint32(max(groups, 1)), 1
	}
	y = uint32((groups + maxGroups - 1) / maxGroups)
	return uint32((groups + uint64(y) - 1) / uint64(y)), y
}

// pass records the calls in one compute pass.
func pass(e *wgpu.CommandEncoder, calls ...call) error {
	p := e.BeginComputePass(nil)
	for _, c := range calls {
		p.SetPipeline(c.kernel.pipeline)
		p.SetBindGroup(0, c.bound, nil)
		p.DispatchWorkgroups(c.x, c.y, 1)
	}
	err := p.End()
	p.Release() // before the commands are submitted
	if err != nil {
		return fmt.Errorf("record a compute pass: %w", err)
	}
	return nil
}
