package gguf

import (
	"fmt"
	"io"
	"math"
)

// kind is a key's value type, by GGUF's number for it.
type kind uint32

const (
	kindU8 kind = iota
	kindI8
	kindU16
	kindI16
	kindU32
	kindI32
	kindF32
	kindBool
	kindString
	kindArray
	kindU64
	kindI64
	kindF64
	numKinds
)

var kindNames = [numKinds]string{"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "bool", "string", "array", "uint64", "int64", "float64"}

func (k kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("value type %d", uint32(k))
}

// width is the size of a fixed-size value in bytes; 0 for strings, arrays and unknown kinds.
func (k kind) width() int {
	switch k {
	case kindU8, kindI8, kindBool:
		return 1
	case kindU16, kindI16:
		return 2
	case kindU32, kindI32, kindF32:
		return 4
	case kindU64, kindI64, kindF64:
		return 8
	default:
		return 0
	}
}

// value is a key's value: a scalar's bits, or where a string or array lies in the file.
type value struct {
	kind, elem kind
	// bits is a scalar as stored; count the bytes of a string or the elements of an array; pos where they start.
	bits, count, pos uint64
}

// key reads one key and its value, leaving strings and arrays in the file.
func (p *parser) key() error {
	name, err := p.text(maxKeyLen)
	if err != nil {
		return err
	}
	if _, twice := p.h.keys[name]; twice {
		return fmt.Errorf("%q is there twice", name)
	}
	k, err := p.u32()
	if err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	v, err := p.value(kind(k))
	if err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	p.h.keys[name] = v
	return nil
}

func (p *parser) value(k kind) (value, error) {
	v := value{kind: k}
	var err error
	switch {
	case k.width() > 0:
		v.bits, err = p.scalar(k)
	case k == kindString:
		if v.count, err = p.length(); err != nil {
			return v, err
		}
		v.pos = p.pos()
		err = p.skip(v.count)
	case k == kindArray:
		v.elem, v.count, v.pos, err = p.array(0)
	default:
		err = fmt.Errorf("%s is not one of GGUF's", k)
	}
	return v, err
}

func (p *parser) scalar(k kind) (uint64, error) {
	b, err := p.next(k.width())
	if err != nil {
		return 0, err
	}
	switch len(b) {
	case 1:
		return uint64(b[0]), nil
	case 2:
		return uint64(p.order.Uint16(b)), nil
	case 4:
		return uint64(p.order.Uint32(b)), nil
	default:
		return p.order.Uint64(b), nil
	}
}

// array moves past an array and says what it holds and where its elements start. Arrays of numbers are skipped in one
// step; strings and nested arrays are walked, as their lengths stand between them.
func (p *parser) array(depth int) (elem kind, count, pos uint64, err error) {
	e, err := p.u32()
	if err != nil {
		return 0, 0, 0, err
	}
	elem = kind(e)
	if count, err = p.length(); err != nil {
		return elem, 0, 0, err
	}
	pos = p.pos()
	switch w := uint64(elem.width()); {
	case w > 0:
		if count > p.left()/w {
			return elem, count, pos, errShort
		}
		err = p.skip(count * w)
	case elem == kindString:
		if p.strings += count; p.strings > maxStrings || count > maxStrings {
			return elem, count, pos, fmt.Errorf("an array of %d strings is longer than any vocabulary", count)
		}
		err = p.skipStrings(count, p.h.lenSize)
	case elem == kindArray:
		if depth == maxNesting {
			return elem, count, pos, fmt.Errorf("arrays are nested more than %d deep", maxNesting)
		}
		if p.strings += count; p.strings > maxStrings || count > maxStrings {
			return elem, count, pos, fmt.Errorf("%d nested arrays are more than any model has", count)
		}
		for range count {
			if _, _, _, err = p.array(depth + 1); err != nil {
				return elem, count, pos, err
			}
		}
	default:
		err = fmt.Errorf("an array of %s is not one of GGUF's", elem)
	}
	return elem, count, pos, err
}

// Has reports whether the key is there.
func (h *Header) Has(key string) bool { _, ok := h.keys[key]; return ok }

// Len is the number of elements of an array key; 0 where the key is missing or no array.
func (h *Header) Len(key string) uint64 {
	if v := h.keys[key]; v.kind == kindArray {
		return v.count
	}
	return 0
}

// Uint returns an integer key, and whether it is there. A key of another type, or a negative one, is an error.
func (h *Header) Uint(key string) (uint64, bool, error) {
	v, ok := h.keys[key]
	if !ok {
		return 0, false, nil
	}
	n, err := integer(v.kind, v.bits)
	if err != nil {
		return 0, true, fmt.Errorf("%s: %w", key, err)
	}
	return n, true, nil
}

// Uints returns an integer or boolean key as a list: one element for a scalar, all for an array of at most limit elements.
// A missing key gives nil.
func (h *Header) Uints(key string, limit int) ([]uint64, error) {
	v, ok := h.keys[key]
	if !ok {
		return nil, nil
	}
	if v.kind != kindArray {
		n, err := integer(v.kind, v.bits)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		return []uint64{n}, nil
	}
	if v.count > uint64(limit) {
		return nil, fmt.Errorf("%s: has %d elements where at most %d belong", key, v.count, limit)
	}
	w := v.elem.width()
	if w == 0 || v.elem == kindF32 || v.elem == kindF64 {
		return nil, fmt.Errorf("%s: is an array of %s, not of integers", key, v.elem)
	}
	// The header was walked before: the file is long enough for the array.
	p := parser{cursor: newCursor(h.r, int64(h.Size)), h: h}
	p.order = h.order
	if err := p.skip(v.pos); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	list := make([]uint64, v.count)
	for i := range list {
		b, err := p.scalar(v.elem)
		if err == nil {
			list[i], err = integer(v.elem, b)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: element %d: %w", key, i, err)
		}
	}
	return list, nil
}

// Text returns a string key of at most limit bytes, and whether it is there.
func (h *Header) Text(key string, limit int) (string, bool, error) {
	v, ok := h.keys[key]
	switch {
	case !ok:
		return "", false, nil
	case v.kind != kindString:
		return "", true, fmt.Errorf("%s: is %s, not a string", key, v.kind)
	case v.count > uint64(limit):
		return "", true, fmt.Errorf("%s: has %d bytes where at most %d belong", key, v.count, limit)
	}
	b := make([]byte, v.count)
	if n, err := h.r.ReadAt(b, int64(v.pos)); n < len(b) && err != nil {
		if err == io.EOF {
			err = errShort
		}
		return "", true, fmt.Errorf("%s: %w", key, err)
	}
	return string(b), true, nil
}

// integer is a stored scalar as an unsigned integer.
func integer(k kind, b uint64) (uint64, error) {
	var n int64
	switch k {
	case kindU8, kindU16, kindU32, kindU64, kindBool:
		return b, nil
	case kindI8:
		n = int64(int8(b))
	case kindI16:
		n = int64(int16(b))
	case kindI32:
		n = int64(int32(b))
	case kindI64:
		n = int64(b)
	case kindF32, kindF64:
		f := math.Float64frombits(b)
		if k == kindF32 {
			f = float64(math.Float32frombits(uint32(b)))
		}
		return 0, fmt.Errorf("is the %s %g, not an integer", k, f)
	default:
		return 0, fmt.Errorf("is %s, not an integer", k)
	}
	if n < 0 {
		return 0, fmt.Errorf("is %d, which cannot be negative", n)
	}
	return uint64(n), nil
}
