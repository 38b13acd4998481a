package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// maxHeader is the format's own bound on the header. The others lie far beyond any model.
const (
	maxHeader  = 100_000_000
	maxTensors = 1 << 20
	maxDims    = 16
	maxNameLen = 1 << 10
)

// widths are the bits of one element by type name (safetensors/src/tensor.rs in huggingface/safetensors).
var widths = map[string]uint64{
	"BOOL": 8, "U8": 8, "I8": 8, "I16": 16, "U16": 16, "I32": 32, "U32": 32, "I64": 64, "U64": 64,
	"F16": 16, "BF16": 16, "F32": 32, "F64": 64, "C64": 64,
	"F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
	"F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
}

// Header is what a safetensors file says of itself.
type Header struct {
	Tensors []Tensor
	// DataStart is where tensor data begins, in bytes; Size is the file's length.
	DataStart, Size uint64
	// bytes is the sum of all tensors' data.
	bytes uint64
}

// Tensor is one tensor's shape and size.
type Tensor struct {
	Name string
	// Type is the format's name for the element type; Known is false where its width is not known.
	Type     string
	Known    bool
	Shape    []uint64
	Elements uint64
	// Begin and End are offsets from DataStart.
	Begin, End uint64
}

// Bytes is the size of the tensor's data.
func (t Tensor) Bytes() uint64 { return t.End - t.Begin }

// Read reads the header of a safetensors file of the given length. Errors say what in the file is wrong.
func Read(r io.ReaderAt, size int64) (*Header, error) {
	h, err := read(r, size)
	if err != nil {
		return nil, fmt.Errorf("read safetensors: %w", err)
	}
	return h, nil
}

func read(r io.ReaderAt, size int64) (*Header, error) {
	var b [8]byte
	if _, err := r.ReadAt(b[:], 0); err != nil || size < 8 {
		return nil, errors.New("the file is shorter than a header")
	}
	n := binary.LittleEndian.Uint64(b[:])
	if n > maxHeader {
		return nil, fmt.Errorf("its header of %d bytes is longer than the %d that the format allows", n, maxHeader)
	}
	if n > uint64(size)-8 {
		return nil, errors.New("the file ends inside its header")
	}
	h := &Header{DataStart: 8 + n, Size: uint64(size)}
	d := json.NewDecoder(io.NewSectionReader(r, 8, int64(n)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("its header is no JSON object")
	}
	seen := map[string]struct{}{}
	for d.More() {
		if err := h.entry(d, seen); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("its header: %w", err)
	}
	return h, nil
}

// entry reads one name and its tensor.
func (h *Header) entry(d *json.Decoder, seen map[string]struct{}) error {
	token, err := d.Token()
	if err != nil {
		return fmt.Errorf("its header: %w", err)
	}
	name, ok := token.(string)
	if !ok || len(name) > maxNameLen {
		return errors.New("its header has a name that is none")
	}
	if name == "__metadata__" {
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return fmt.Errorf("its metadata: %w", err)
		}
		return nil
	}
	if _, twice := seen[name]; twice {
		return fmt.Errorf("tensor %q is there twice", name)
	}
	if len(seen) >= maxTensors {
		return fmt.Errorf("more than %d tensors are no model", maxTensors)
	}
	seen[name] = struct{}{}
	var e struct {
		Type    string   `json:"dtype"`
		Shape   []uint64 `json:"shape"`
		Offsets []uint64 `json:"data_offsets"`
	}
	if err := d.Decode(&e); err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	if len(e.Offsets) != 2 || e.Offsets[0] > e.Offsets[1] || e.Offsets[1] > 1<<62 {
		return fmt.Errorf("tensor %q has data offsets %v, not a begin and an end", name, e.Offsets)
	}
	t := Tensor{Name: name, Type: e.Type, Shape: e.Shape, Begin: e.Offsets[0], End: e.Offsets[1]}
	if err := t.measure(); err != nil {
		return fmt.Errorf("tensor %q: %w", name, err)
	}
	if h.bytes += t.Bytes(); h.bytes > 1<<62 {
		return errors.New("its tensors together exceed any file")
	}
	h.Tensors = append(h.Tensors, t)
	return nil
}

// measure counts the elements and compares them with the size of the data.
func (t *Tensor) measure() error {
	if len(t.Shape) > maxDims {
		return fmt.Errorf("it has %d dimensions", len(t.Shape))
	}
	t.Elements = 1
	for _, n := range t.Shape {
		hi, lo := bits.Mul64(t.Elements, n)
		if hi != 0 || lo > 1<<56 {
			return fmt.Errorf("its shape %v has more elements than any file", t.Shape)
		}
		t.Elements = lo
	}
	width, known := widths[t.Type]
	if !known && t.Elements/8 > t.Bytes() {
		return fmt.Errorf("its shape %v has more elements than its %d bytes have bits", t.Shape, t.Bytes())
	}
	if t.Known = known; known && (t.Elements*width+7)/8 != t.Bytes() {
		return fmt.Errorf("%d elements of %s do not take its %d bytes", t.Elements, t.Type, t.Bytes())
	}
	return nil
}

// Missing is how many bytes of data lie beyond the end of the file: more than 0 for a broken-off download.
func (h *Header) Missing() uint64 {
	var end uint64
	for _, t := range h.Tensors {
		end = max(end, t.End)
	}
	if end += h.DataStart; end > h.Size {
		return end - h.Size
	}
	return 0
}
