package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// Bounds on what a header may hold. Real files stay far below them: the largest known have 100 keys, 70 000 tensors and
// a million strings.
const (
	maxKeys      = 1 << 16
	maxKeyLen    = 1 << 10
	maxTensors   = 1 << 18
	maxNameLen   = 1 << 8
	maxDims      = 4
	maxStrings   = 1 << 24
	maxNesting   = 4
	maxAlignment = 1 << 30
)

// Header is what a GGUF file says of itself.
type Header struct {
	Version   uint32
	BigEndian bool
	// Alignment is the multiple of bytes that each tensor's data starts on.
	Alignment uint64
	// Tensors are in file order.
	Tensors []Tensor
	// DataStart is where tensor data begins, in bytes; Size is the file's length.
	DataStart, Size uint64
	keys            map[string]value
	r               io.ReaderAt
	order           binary.ByteOrder
	lenSize         int
}

// Tensor is one tensor's shape and place.
type Tensor struct {
	Name string
	// Dims are the lengths, row length first; unused ones are 1. NDims is how many the file gave.
	Dims     [maxDims]uint64
	NDims    int
	Type     Type
	Elements uint64
	// Offset is from DataStart. Bytes is the size of the data: from the type's layout, or for an unknown type the room up
	// to the next tensor or the end of the file (0 where the file ends before it).
	Offset, Bytes uint64
}

// Read reads the header of a GGUF file of the given length. The Header reads array and string values from r when asked,
// so r must stay open for as long as it is used. Errors say what in the file is wrong.
func Read(r io.ReaderAt, size int64) (*Header, error) {
	if size < 24 {
		return nil, errors.New("read gguf: the file is shorter than a header")
	}
	h := &Header{Size: uint64(size), Alignment: 32, r: r, keys: map[string]value{}}
	p := &parser{cursor: newCursor(r, size), h: h}
	if err := p.header(); err != nil {
		return nil, fmt.Errorf("read gguf: %w", err)
	}
	return h, nil
}

// parser reads one header front to back.
type parser struct {
	*cursor
	h       *Header
	strings uint64
}

func (p *parser) header() error {
	if err := p.magic(); err != nil {
		return err
	}
	tensors, err := p.length()
	if err != nil {
		return err
	}
	keys, err := p.length()
	if err != nil {
		return err
	}
	if tensors > maxTensors || keys > maxKeys {
		return fmt.Errorf("it claims %d tensors and %d keys, more than any model has", tensors, keys)
	}
	for i := range keys {
		if err := p.key(); err != nil {
			return fmt.Errorf("key %d of %d: %w", i+1, keys, err)
		}
	}
	if err := p.alignment(); err != nil {
		return err
	}
	seen := map[string]struct{}{}
	for i := range tensors {
		t, err := p.tensor()
		if err != nil {
			return fmt.Errorf("tensor %d of %d: %w", i+1, tensors, err)
		}
		if _, twice := seen[t.Name]; twice {
			return fmt.Errorf("tensor %d of %d: %q is there twice", i+1, tensors, t.Name)
		}
		seen[t.Name] = struct{}{}
		p.h.Tensors = append(p.h.Tensors, t)
	}
	a := p.h.Alignment
	p.h.DataStart = (p.pos() + a - 1) / a * a
	p.h.sizeUnknown()
	return nil
}

// magic reads the magic and the version, and finds the byte order. Big-endian files carry the same four letters as
// little-endian ones with every integer swapped, or, from some early writers, the letters swapped too.
func (p *parser) magic() error {
	b, err := p.next(4)
	if err != nil {
		return err
	}
	if m := string(b); m != "GGUF" && m != "FUGG" {
		return fmt.Errorf("it starts with %q, not GGUF", m)
	}
	v, err := p.u32()
	if err != nil {
		return err
	}
	if v&0xffff == 0 {
		v = bits.ReverseBytes32(v)
		p.order, p.h.BigEndian = binary.BigEndian, true
	}
	if v < 1 || v > 3 {
		return fmt.Errorf("version %d is not one of 1, 2 and 3", v)
	}
	p.h.Version, p.h.order, p.h.lenSize = v, p.order, 8
	if v == 1 {
		p.h.lenSize = 4
	}
	return nil
}

// length reads a count or a length: 32 bits in version 1, 64 since.
func (p *parser) length() (uint64, error) {
	if p.h.lenSize == 4 {
		n, err := p.u32()
		return uint64(n), err
	}
	return p.u64()
}

// text reads a short string.
func (p *parser) text(limit uint64) (string, error) {
	n, err := p.length()
	if err != nil {
		return "", err
	}
	if n > limit {
		return "", fmt.Errorf("a name of %d bytes is longer than the %d that names may have", n, limit)
	}
	b, err := p.next(int(n))
	return string(b), err
}

func (p *parser) alignment() error {
	const key = "general.alignment"
	a, ok, err := p.h.Uint(key)
	if err != nil || !ok {
		return err
	}
	if bits.OnesCount64(a) != 1 || a > maxAlignment {
		return fmt.Errorf("%s is %d, not a power of two", key, a)
	}
	p.h.Alignment = a
	return nil
}

func (p *parser) tensor() (Tensor, error) {
	t := Tensor{Dims: [maxDims]uint64{1, 1, 1, 1}, Elements: 1}
	var err error
	if t.Name, err = p.text(maxNameLen); err != nil {
		return t, err
	}
	n, err := p.u32()
	if err != nil {
		return t, err
	}
	if n > maxDims {
		return t, fmt.Errorf("%q has %d dimensions, ggml knows %d", t.Name, n, maxDims)
	}
	t.NDims = int(n)
	for i := range t.NDims {
		if t.Dims[i], err = p.length(); err != nil {
			return t, err
		}
		hi, lo := bits.Mul64(t.Elements, t.Dims[i])
		if hi != 0 || lo > 1<<62 {
			return t, fmt.Errorf("%q has more weights than 62 bits count: %v", t.Name, t.Dims[:i+1])
		}
		t.Elements = lo
	}
	typ, err := p.u32()
	if err != nil {
		return t, err
	}
	t.Type = Type(typ)
	if t.Offset, err = p.u64(); err != nil {
		return t, err
	}
	if t.Offset > 1<<62 {
		return t, fmt.Errorf("%q starts at byte %d, beyond any file", t.Name, t.Offset)
	}
	if t.Type.Known() {
		if t.Bytes, err = t.Type.Bytes(t.Elements, t.Dims[0]); err != nil {
			return t, fmt.Errorf("%q: %w", t.Name, err)
		}
		if t.Bytes > 1<<62 {
			return t, fmt.Errorf("%q takes %d bytes, beyond any file", t.Name, t.Bytes)
		}
	}
	return t, nil
}
