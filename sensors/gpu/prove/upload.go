//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"fmt"
	"runtime/debug"

	"github.com/cogentcore/webgpu/wgpu"
)

// ring is a few staging buffers that are filled and copied from in turn: while one is copied from, the next is filled.
type ring struct {
	d     *device
	slots []*slot
}

type slot struct {
	*buffer
	// mapped is whether the buffer can be filled now.
	mapped bool
}

// newRing makes n staging buffers of size bytes, which may have a use besides being copied from.
func (d *device) newRing(n int, size uint64, besides wgpu.BufferUsage) (*ring, error) {
	r := &ring{d: d}
	for range n {
		b, err := d.bufferFor(size, wgpu.BufferUsageMapWrite|wgpu.BufferUsageCopySrc|besides)
		if err != nil {
			r.free()
			return nil, err
		}
		r.slots = append(r.slots, &slot{buffer: b})
	}
	return r, nil
}

func (r *ring) free() {
	for _, s := range r.slots {
		s.buffer.free()
	}
}

// fill puts data into the buffer as soon as the work that uses it is done. The data goes from the caller's memory, a mapped
// file, straight into the mapped buffer: one copy.
func (s *slot) fill(data []byte) error {
	if err := s.open(); err != nil {
		return err
	}
	cpuCopy(s.GetMappedRange(0, uint(len(data))), data)
	s.mapped = false
	if err := s.Unmap(); err != nil {
		return fmt.Errorf("upload: %w", err)
	}
	return nil
}

// send copies data into dst, part by part. It returns once the data has left the caller's memory; the adapter's own copy may
// still be under way.
func (r *ring) send(dst *buffer, data []byte) error {
	for i, offset := 0, 0; offset < len(data); i++ {
		s := r.slots[i%len(r.slots)]
		part := data[offset:min(offset+int(s.size), len(data))]
		if err := s.fill(part); err != nil {
			return err
		}
		if err := s.copyTo(dst, offset, len(part)); err != nil {
			return err
		}
		offset += len(part)
	}
	return nil
}

// copyTo has the adapter copy the start of the buffer into dst.
func (s *slot) copyTo(dst *buffer, offset, size int) error {
	return s.d.submit(func(e *wgpu.CommandEncoder) error {
		return e.CopyBufferToBuffer(s.buffer.Buffer, 0, dst.Buffer, uint64(offset), uint64(size))
	})
}

// open maps the slot's buffer; the engine does that once the work that uses it is done.
func (s *slot) open() error {
	if s.mapped {
		return nil
	}
	// The binding keeps a pointer to a Go variable while a map is under way, which the collector must not free.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	done, status := false, wgpu.BufferMapAsyncStatusUnknown
	err := s.MapAsync(wgpu.MapModeWrite, 0, s.size, func(got wgpu.BufferMapAsyncStatus) { done, status = true, got })
	if err != nil {
		return fmt.Errorf("map a staging buffer: %w", err)
	}
	s.d.until(func() bool { s.d.dev.Poll(false, nil); return done })
	if status != wgpu.BufferMapAsyncStatusSuccess {
		return fmt.Errorf("map a staging buffer: status %v", status)
	}
	s.mapped = true
	return nil
}
