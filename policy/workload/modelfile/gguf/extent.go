package gguf

import (
	"cmp"
	"errors"
	"slices"
)

// sizeUnknown gives tensors of unknown type the room that the file leaves them: up to the next tensor, or the end.
func (h *Header) sizeUnknown() {
	if !slices.ContainsFunc(h.Tensors, func(t Tensor) bool { return !t.Type.Known() }) {
		return
	}
	byOffset := make([]int, len(h.Tensors))
	for i := range byOffset {
		byOffset[i] = i
	}
	slices.SortStableFunc(byOffset, func(a, b int) int { return cmp.Compare(h.Tensors[a].Offset, h.Tensors[b].Offset) })
	end := uint64(0)
	if h.Size > h.DataStart {
		end = h.Size - h.DataStart
	}
	for n, i := range byOffset {
		t := &h.Tensors[i]
		if t.Type.Known() {
			continue
		}
		stop := end
		if n+1 < len(byOffset) {
			stop = h.Tensors[byOffset[n+1]].Offset
		}
		if stop > t.Offset {
			t.Bytes = stop - t.Offset
		}
	}
}

// Bytes is the sum of all tensors' data, without padding.
func (h *Header) Bytes() (uint64, error) {
	var sum uint64
	for _, t := range h.Tensors {
		if sum += t.Bytes; sum > 1<<62 {
			return 0, errors.New("read gguf: the tensors together exceed any file")
		}
	}
	return sum, nil
}

// Missing is how many bytes of tensor data lie beyond the end of the file: more than 0 for a broken-off download.
func (h *Header) Missing() uint64 {
	var end uint64
	for _, t := range h.Tensors {
		end = max(end, t.Offset+t.Bytes)
	}
	if end += h.DataStart; end > h.Size {
		return end - h.Size
	}
	return 0
}
