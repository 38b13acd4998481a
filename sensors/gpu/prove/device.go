//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"

	"headroom/sensors/gpu/engine"
)

// device is an open adapter and what a proof does with it.
type device struct {
	info  engine.Info
	dev   *wgpu.Device
	queue *wgpu.Queue
	// maxBuffer and maxBinding are what this device allows, in bytes.
	maxBuffer, maxBinding uint64
	// mappable is whether a storage buffer may be mapped too.
	mappable bool
	// stamps is whether timestamp queries are there.
	stamps bool
	// dump keeps kernels and raw times; nil drops them.
	dump func(name, text string)
	// kernels are those compiled, by their text.
	kernels map[string]*kernel
	// deadline is when measuring has to be done, warm whether the adapter has been at work long enough for its clocks to rise.
	deadline time.Time
	warm     bool
	// held is the bytes of all buffers that live now, peak the most there were.
	held, peak uint64
	// budget bounds held; 0 does not.
	budget uint64
}

// The largest limits that may be asked for: the engine takes all ones as "not said", and buffers of 2 GiB and more upset
// drivers. A whole number of vec4.
const (
	askBuffer  = 1<<31 - 1
	askBinding = 1<<31 - 4
)

// open opens the selected adapter.
func open(s Selector) (*device, error) {
	api := engine.Native
	if s.Backend == "opengl" {
		api = engine.OpenGL
	}
	instance, err := engine.Instance(api)
	if err != nil {
		return nil, err
	}
	nth := 0
	for _, a := range instance.EnumerateAdapters(nil) {
		info := engine.Describe(a)
		if !s.matches(info.Name, info.Backend, info.VendorID, info.DeviceID) {
			continue
		}
		if nth++; nth <= s.Nth {
			continue
		}
		return openAdapter(a, info)
	}
	return nil, fmt.Errorf("open adapter %q: it is no longer listed", s.Name)
}

func openAdapter(a *wgpu.Adapter, info engine.Info) (*device, error) {
	d := &device{
		kernels: map[string]*kernel{}, info: info, maxBuffer: min(info.MaxBufferSize, askBuffer), maxBinding: min(info.MaxStorageBinding, askBinding),
		stamps:   slices.Contains(info.Features, "timestamp-query"),
		mappable: slices.Contains(info.Features, "mappable-primary-buffers"),
	}
	// A default limit is left to the engine: zero would be taken as a limit of nothing.
	limits := wgpu.DefaultLimits()
	limits.MaxBufferSize, limits.MaxStorageBufferBindingSize = d.maxBuffer, d.maxBinding
	limits.MaxComputeWorkgroupStorageSize = max(info.WorkgroupStorage, 16<<10)
	var features []wgpu.FeatureName
	if d.stamps {
		features = append(features, wgpu.FeatureNameTimestampQuery)
	}
	if d.mappable {
		features = append(features, wgpu.NativeFeatureMappablePrimaryBuffers)
	}
	var err error
	d.dev, err = a.RequestDevice(&wgpu.DeviceDescriptor{
		RequiredFeatures: features, RequiredLimits: &wgpu.RequiredLimits{Limits: limits},
	})
	if err != nil {
		return nil, fmt.Errorf("open adapter %q: %w", info.Name, err)
	}
	d.queue = d.dev.GetQueue()
	return d, nil
}

// wait waits until the adapter has done all that was submitted. The engine's own wait gives up after 5 s and then takes the
// work for done, freeing what it still uses; a driver that compiles a kernel at its first dispatch can take that long. So
// the engine is asked, not waited for.
func (d *device) wait() { d.until(func() bool { return d.dev.Poll(false, nil) }) }

// until asks again and again, at first without a pause.
func (d *device) until(done func() bool) {
	for asked := 0; !done(); asked++ {
		if asked < 1000 {
			runtime.Gosched()
		} else {
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// watchdog is the longest in seconds that one submission may take: some systems reset an adapter that works longer. A software
// adapter has none, but must stay inside the engine's patience.
func (d *device) watchdog() float64 {
	if d.info.Type == "cpu" {
		return 8 * longest
	}
	return longest
}

// waitBriefly is wait for work that is known to take far less than the engine's patience: it costs less and returns at once.
func (d *device) waitBriefly() { d.dev.Poll(true, nil) }

// buffer is memory on the adapter.
type buffer struct {
	*wgpu.Buffer
	size uint64
	d    *device
}

// errBudget is memory that a proof may not take.
var errBudget = errors.New("over the memory budget")

// buffer makes one for kernels, copies and uploads.
func (d *device) buffer(size uint64) (*buffer, error) {
	return d.bufferFor(size, wgpu.BufferUsageStorage|wgpu.BufferUsageCopySrc|wgpu.BufferUsageCopyDst)
}

func (d *device) bufferFor(size uint64, usage wgpu.BufferUsage) (*buffer, error) {
	size = (size + 15) &^ 15
	if size > d.maxBuffer || usage&wgpu.BufferUsageStorage != 0 && size > d.maxBinding {
		return nil, fmt.Errorf("make a buffer of %d bytes: the adapter allows %d, %d to be bound", size, d.maxBuffer, d.maxBinding)
	}
	if d.budget > 0 && d.held+size > d.budget {
		return nil, fmt.Errorf("make a buffer of %d bytes beside %d of %d: %w", size, d.held, d.budget, errBudget)
	}
	b, err := d.dev.CreateBuffer(&wgpu.BufferDescriptor{Size: size, Usage: usage})
	if err != nil {
		return nil, fmt.Errorf("make a buffer of %d bytes: %w", size, err)
	}
	d.held += size
	d.peak = max(d.peak, d.held)
	return &buffer{Buffer: b, size: size, d: d}, nil
}

func (b *buffer) free() {
	b.Destroy()
	b.Release()
	b.d.held -= b.size
}

// freeAll frees what a proof made, in its defer.
func freeAll(buffers ...*buffer) {
	for _, b := range buffers {
		if b != nil {
			b.free()
		}
	}
}

// upload writes values to the start of a buffer.
func upload[T float32 | uint32](d *device, b *buffer, values []T) error {
	if len(values) == 0 {
		return nil
	}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*4)
	if err := d.queue.WriteBuffer(b.Buffer, 0, raw); err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	return nil
}

// read copies n values from a buffer, starting at value first.
func read[T float32 | uint32](d *device, b *buffer, first, n int) ([]T, error) {
	size := uint64(n) * 4
	stage, err := d.bufferFor(size, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)
	if err != nil {
		return nil, err
	}
	defer stage.free()
	if err := d.submit(func(e *wgpu.CommandEncoder) error {
		return e.CopyBufferToBuffer(b.Buffer, uint64(first)*4, stage.Buffer, 0, size)
	}); err != nil {
		return nil, err
	}
	if err := d.mapped(stage.Buffer, wgpu.MapModeRead, size); err != nil {
		return nil, err
	}
	out := make([]T, n)
	raw := stage.GetMappedRange(0, uint(size))
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&out[0])), size), raw)
	return out, stage.Unmap()
}

// mapped maps a buffer once all work is done. The binding keeps a pointer to a Go variable while a map is under way, which
// the collector must not move or free.
func (d *device) mapped(b *wgpu.Buffer, mode wgpu.MapMode, size uint64) error {
	d.wait()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	done, status := false, wgpu.BufferMapAsyncStatusUnknown
	if err := b.MapAsync(mode, 0, size, func(s wgpu.BufferMapAsyncStatus) { done, status = true, s }); err != nil {
		return fmt.Errorf("map a buffer: %w", err)
	}
	d.until(func() bool { d.dev.Poll(false, nil); return done })
	if status != wgpu.BufferMapAsyncStatusSuccess {
		return fmt.Errorf("map a buffer: status %v", status)
	}
	return nil
}

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

// submit records commands, submits them and does not wait. A command buffer that failed is never submitted: the engine
// aborts on it.
func (d *device) submit(record func(*wgpu.CommandEncoder) error) error {
	e, err := d.dev.CreateCommandEncoder(nil)
	if err != nil {
		return fmt.Errorf("record commands: %w", err)
	}
	defer e.Release()
	if err := record(e); err != nil {
		return err
	}
	commands, err := e.Finish(nil)
	if err != nil {
		return fmt.Errorf("record commands: %w", err)
	}
	defer commands.Release()
	d.queue.Submit(commands)
	return nil
}

// run does the commands once and waits; it gives the seconds that took.
func (d *device) run(record func(*wgpu.CommandEncoder) error) (float64, error) {
	begin := time.Now()
	if err := d.submit(record); err != nil {
		return 0, err
	}
	d.wait()
	return time.Since(begin).Seconds(), nil
}

// again is run for what is known to take little.
func (d *device) again(record func(*wgpu.CommandEncoder) error) (float64, error) {
	begin := time.Now()
	if err := d.submit(record); err != nil {
		return 0, err
	}
	d.waitBriefly()
	return time.Since(begin).Seconds(), nil
}

// work is commands that can be recorded a number of times over.
type work func(e *wgpu.CommandEncoder, n int) error

// dispatches is the calls in one compute pass: what a pass itself costs is measured on its own.
func dispatches(calls ...call) work {
	return func(e *wgpu.CommandEncoder, n int) error { return pass(e, slices.Repeat(calls, n)...) }
}

// errSlow is work too large for one submission.
var errSlow = errors.New("too slow for this adapter")

// measure times work: two runs to warm up, then at least five of as many repetitions as fill a batch. The times are of one
// repetition.
func (d *device) measure(name string, budget float64, do work) (Timing, error) {
	once := math.Inf(1)
	for range 2 {
		took, err := d.run(func(e *wgpu.CommandEncoder) error { return do(e, 1) })
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
		once = min(once, took)
	}
	if once > d.watchdog() {
		return nil, fmt.Errorf("measure %s: one run takes %.2f s: %w", name, once, errSlow)
	}
	n := max(1, min(int(batchTime/once), 2000))
	// An idle card runs at a fraction of its clocks and takes a while to raise them.
	for begin := time.Now(); !d.warm && d.info.Type != "cpu" && time.Since(begin) < warmUp; {
		if _, err := d.again(func(e *wgpu.CommandEncoder) error { return do(e, n) }); err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
	}
	d.warm = true
	var times []float64
	end := time.Now().Add(time.Duration(budget * float64(time.Second)))
	for len(times) < minRuns || len(times) < maxRuns && time.Now().Before(end) {
		took, err := d.again(func(e *wgpu.CommandEncoder) error { return do(e, n) })
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", name, err)
		}
		times = append(times, took/float64(n))
	}
	if d.dump != nil {
		d.dump(name+".times", fmt.Sprintf("%d repetitions a submission; seconds of one: %v\n", n, times))
	}
	return newTiming(times), nil
}

// fill makes n words of test data in a buffer on the adapter.
func (d *device) fill(b *buffer, seed uint32) error {
	k, err := d.compile("fill", fillWGSL(seed))
	if err != nil {
		return err
	}
	x, y := grid((b.size/16 + threads - 1) / threads)
	c, err := d.on(k, x, y, b)
	if err != nil {
		return err
	}
	return d.submit(func(e *wgpu.CommandEncoder) error { return pass(e, c) })
}

func fillWGSL(seed uint32) string {
	return hashWGSL + fmt.Sprintf(`
@group(0) @binding(0) var<storage, read_write> result: array<vec4<f32>>;
@compute @workgroup_size(%d)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = id.y * groups.x * %du + id.x;
	if i < arrayLength(&result) {
		let j = i * 4u;
		result[i] = vec4<f32>(value(j, %[3]du), value(j + 1u, %[3]du), value(j + 2u, %[3]du), value(j + 3u, %[3]du));
	}
}
`, threads, threads, seed)
}
