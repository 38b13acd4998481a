//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"errors"
	"fmt"

	"github.com/cogentcore/webgpu/wgpu"

	"headroom/policy"
)

// zeroCopy proves how weights reach the adapter from a mapped file: through the engine's own staging, through reused mapped
// buffers, and straight into the buffer that kernels read, where the adapter shares memory with the host.
func (r *run) zeroCopy() (err error) {
	size := min(r.req.Effort.maxBytes(), r.maxBinding, r.maxBuffer)
	if r.req.Memory > 0 {
		size = min(size, r.req.Memory/4)
	}
	if size &^= 1<<20 - 1; size == 0 {
		return errors.New("less than 1 MiB of memory may be used")
	}
	r.step("a file of weights", 0)
	file, err := newWeightFile(r.req.Dir, int(size))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.close()) }()
	want := checksum(len(file.data)/4, fileWord)
	r.proof.set("bytes", float64(size))
	ways := []way{
		{"write_buffer", "the engine's own staging", r.writeBuffer},
		{"ring", "reused mapped buffers", r.throughRing},
	}
	// On a discrete adapter such a buffer lies in the host's memory, and kernels would read it through the bus each time.
	if r.mappable && r.req.Adapter.Type != "discrete" {
		ways = append(ways, way{"direct", "straight into the kernel's buffer", r.direct})
	}
	times := map[string]Timing{}
	r.proof.Verified = true
	for i, w := range ways {
		r.step(w.name, float64(i+1)/float64(len(ways)+1))
		t, sum, err := w.do(file.data, r.part(len(ways)))
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		times[w.key] = t
		r.agree(sum == want)
		r.proof.setTiming(w.key, t)
		r.proof.set(w.key+"_gb_per_s", float64(size)/t.Median()/1e9)
	}
	r.judgeUploads(times)
	return nil
}

// way is one of the ways that weights can take; do gives its times and the checksum of what arrived.
type way struct {
	key, name string
	do        func(data []byte, budget float64) (Timing, uint32, error)
}

// agree takes the comparison of whole buffers into the proof.
func (r *run) agree(same bool) {
	r.compare([]float32{float32(truth(same))}, []float32{1}, 0, true)
	r.proof.Verified = r.proof.Verified && same
}

// deviceType is the adapter's type in the policy's words.
func (r *run) deviceType() policy.DeviceType {
	for _, t := range []policy.DeviceType{policy.IntegratedGPU, policy.DiscreteGPU, policy.VirtualGPU, policy.CPUDevice} {
		if t.String() == r.req.Adapter.Type {
			return t
		}
	}
	return policy.OtherDevice
}

// judgeUploads says whether the planned strategy was the faster one.
func (r *run) judgeUploads(times map[string]Timing) {
	planned := policy.ZeroCopyForDeviceType(r.deviceType())
	p := &r.proof
	p.set("staging_planned", truth(planned.RequiresHostCopy()))
	staging, gbs := times["ring"], "ring_gb_per_s"
	if times["write_buffer"].FasterThan(staging) {
		staging, gbs = times["write_buffer"], "write_buffer_gb_per_s"
	}
	best, _ := p.Figure(gbs)
	direct, measured := times["direct"]
	if !measured {
		p.Meaning = fmt.Sprintf("weights are staged at %.3g GB/s; this adapter cannot be written to directly, so there was nothing to compare the plan's %v with", best, planned)
		return
	}
	rate, _ := p.Figure("direct_gb_per_s")
	faster := "neither is clearly faster: the times overlap"
	switch {
	case direct.FasterThan(staging):
		p.set("direct_faster", 1)
		faster = "direct is faster"
	case staging.FasterThan(direct):
		p.set("direct_faster", 0)
		faster = "staging is faster"
	}
	p.Meaning = fmt.Sprintf("the plan says %v: %.3g GB/s straight into the kernel's buffer, %.3g GB/s staged; %s", planned, rate, best, faster)
}

// checksumOf sums a buffer on the adapter.
func (r *run) checksumOf(b *buffer) (uint32, error) {
	k, err := r.compile("checksum", r.req.spoiled(checksumWGSL))
	if err != nil {
		return 0, err
	}
	sum, err := r.buffer(16)
	if err != nil {
		return 0, err
	}
	defer sum.free()
	c, err := r.on(k, 1024, 1, b, sum)
	if err != nil {
		return 0, err
	}
	if _, err := r.run(inPasses([]call{c})); err != nil {
		return 0, err
	}
	got, err := read[uint32](r.device, sum, 0, 1)
	if err != nil {
		return 0, err
	}
	return got[0], nil
}

// timed measures a way of uploading and sums what arrived.
func (r *run) timed(b *buffer, budget float64, send func() error) (Timing, uint32, error) {
	var failed error
	t := timeCPU(budget, func() {
		if err := send(); err != nil {
			failed = err
		}
	})
	if failed != nil {
		return nil, 0, failed
	}
	sum, err := r.checksumOf(b)
	return t, sum, err
}

func (r *run) writeBuffer(data []byte, budget float64) (Timing, uint32, error) {
	b, err := r.buffer(uint64(len(data)))
	if err != nil {
		return nil, 0, err
	}
	defer b.free()
	return r.timed(b, budget, func() error {
		if err := r.queue.WriteBuffer(b.Buffer, 0, data); err != nil {
			return err
		}
		r.queue.Submit() // what was written is copied with the next submission
		r.wait()
		return nil
	})
}

// stagingBuffers are filled in turn; a whole upload passes through them.
const stagingBuffers = 3

// stagingSize is the size of each for an upload of that many bytes.
func stagingSize(upload uint64) uint64 { return min(max(upload/8, 1<<20), 32<<20) }

func (r *run) throughRing(data []byte, budget float64) (Timing, uint32, error) {
	b, err := r.buffer(uint64(len(data)))
	if err != nil {
		return nil, 0, err
	}
	defer b.free()
	staging, err := r.newRing(stagingBuffers, stagingSize(uint64(len(data))), 0)
	if err != nil {
		return nil, 0, err
	}
	defer staging.free()
	return r.timed(b, budget, func() error {
		if err := staging.send(b, data); err != nil {
			return err
		}
		r.wait()
		return nil
	})
}

func (r *run) direct(data []byte, budget float64) (Timing, uint32, error) {
	b, err := r.bufferFor(uint64(len(data)), wgpu.BufferUsageStorage|wgpu.BufferUsageMapWrite)
	if err != nil {
		return nil, 0, err
	}
	defer b.free()
	return r.timed(b, budget, func() error {
		if err := r.mapped(b.Buffer, wgpu.MapModeWrite, b.size); err != nil {
			return err
		}
		cpuCopy(b.GetMappedRange(0, uint(len(data))), data)
		return b.Unmap()
	})
}
