//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"errors"
	"fmt"
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
		return nil, fmt.Errorf("make a buffer of %d bytes beside %d that are held, of %d: %w", size, d.held, d.budget, errBudget)
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
