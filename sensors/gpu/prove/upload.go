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
	next  int
}

type slot struct {
	*buffer
	// busy is the submission that copies from the buffer; mapped is whether it can be filled now.
	busy   wgpu.SubmissionIndex
	used   bool
	mapped bool
}

// newRing makes n staging buffers of size bytes.
func (d *device) newRing(n int, size uint64) (*ring, error) {
	r := &ring{d: d}
	for range n {
		b, err := d.bufferFor(size, wgpu.BufferUsageMapWrite|wgpu.BufferUsageCopySrc)
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

// send copies data into dst at an offset. It returns once the data has left the caller's memory; the adapter's own copy may
// still be under way. More commands may go into the same submission.
func (r *ring) send(dst *buffer, offset uint64, data []byte, then func(*wgpu.CommandEncoder) error) error {
	for len(data) > 0 {
		s := r.slots[r.next]
		r.next = (r.next + 1) % len(r.slots)
		part := data[:min(len(data), int(s.size))]
		data = data[len(part):]
		size := uint64(len(part))
		if err := s.open(r.d); err != nil {
			return err
		}
		// The data goes from the mapped file straight into the buffer: one copy.
		cpuCopy(s.GetMappedRange(0, uint(size)), part)
		if err := s.Unmap(); err != nil {
			return fmt.Errorf("upload: %w", err)
		}
		s.mapped = false
		last := len(data) == 0
		err := r.d.submitFor(&s.busy, func(e *wgpu.CommandEncoder) error {
			if err := e.CopyBufferToBuffer(s.buffer.Buffer, 0, dst.Buffer, offset, size); err != nil {
				return err
			}
			if last && then != nil {
				return then(e)
			}
			return nil
		})
		if err != nil {
			return err
		}
		s.used = true
		offset += size
	}
	return nil
}

// open maps the slot's buffer, after the copy from it is done.
func (s *slot) open(d *device) error {
	if s.mapped {
		return nil
	}
	// The binding keeps a pointer to a Go variable while a map is under way, which the collector must not free.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	if s.used {
		d.dev.Poll(true, &wgpu.WrappedSubmissionIndex{Queue: d.queue, SubmissionIndex: s.busy})
	}
	done, status := false, wgpu.BufferMapAsyncStatusUnknown
	err := s.MapAsync(wgpu.MapModeWrite, 0, s.size, func(got wgpu.BufferMapAsyncStatus) { done, status = true, got })
	if err != nil {
		return fmt.Errorf("map a staging buffer: %w", err)
	}
	d.dev.Poll(false, nil)
	if !done {
		d.dev.Poll(true, nil)
	}
	if status != wgpu.BufferMapAsyncStatusSuccess {
		return fmt.Errorf("map a staging buffer: status %v", status)
	}
	s.mapped = true
	return nil
}
