package gguftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Builder collects a file's keys and tensors in order. Set what a test wants to be wrong; the rest is valid.
type Builder struct {
	// Version is 3 where it is 0.
	Version uint32
	// Order is little-endian where it is nil.
	Order binary.AppendByteOrder
	// Alignment is what the data is aligned to; 32 where it is 0. It is written as a key only by the test.
	Alignment uint64
	// Tensors and Keys, where not 0, are claimed in place of the true counts.
	Tensors, Keys uint64

	kv, info   []byte
	nkv, ninfo uint64
	off        uint64
}

func (b *Builder) order() binary.AppendByteOrder {
	if b.Order == nil {
		return binary.LittleEndian
	}
	return b.Order
}

func (b *Builder) length(to []byte, n uint64) []byte {
	if b.Version == 1 {
		return b.order().AppendUint32(to, uint32(n))
	}
	return b.order().AppendUint64(to, n)
}

func (b *Builder) text(to []byte, s string) []byte {
	return append(b.length(to, uint64(len(s))), s...)
}

// Raw is a key's value as it stands in the file: its type's number and its bytes.
type Raw struct {
	Type uint32
	Data []byte
}

// Strings is an array of strings, all alike: count and text.
type Strings struct {
	Count int
	Text  string
}

// Key adds a key. Values: bool, uint8 to uint64, int32, int64, float32, string, []int32, []bool, Strings and Raw.
func (b *Builder) Key(name string, v any) *Builder {
	o := b.order()
	t, d := uint32(0), []byte(nil)
	switch v := v.(type) {
	case uint8:
		t, d = 0, []byte{v}
	case uint16:
		t, d = 2, o.AppendUint16(nil, v)
	case uint32:
		t, d = 4, o.AppendUint32(nil, v)
	case int32:
		t, d = 5, o.AppendUint32(nil, uint32(v))
	case float32:
		t, d = 6, o.AppendUint32(nil, 0)
	case bool:
		t, d = 7, []byte{0}
		if v {
			d[0] = 1
		}
	case string:
		t, d = 8, b.text(nil, v)
	case uint64:
		t, d = 10, o.AppendUint64(nil, v)
	case int64:
		t, d = 11, o.AppendUint64(nil, uint64(v))
	case []int32:
		t, d = 9, b.length(o.AppendUint32(nil, 5), uint64(len(v)))
		for _, n := range v {
			d = o.AppendUint32(d, uint32(n))
		}
	case []bool:
		t, d = 9, b.length(o.AppendUint32(nil, 7), uint64(len(v)))
		for _, n := range v {
			if n {
				d = append(d, 1)
			} else {
				d = append(d, 0)
			}
		}
	case Strings:
		t, d = 9, b.length(o.AppendUint32(nil, 8), uint64(v.Count))
		d = append(d, bytes.Repeat(b.text(nil, v.Text), v.Count)...)
	case Raw:
		t, d = v.Type, v.Data
	default:
		panic(fmt.Sprintf("gguftest: no value type for %T", v))
	}
	b.kv = append(o.AppendUint32(b.text(b.kv, name), t), d...)
	b.nkv++
	return b
}

// Tensor adds a tensor of ggml type t that takes so many bytes.
func (b *Builder) Tensor(name string, t uint32, nbytes uint64, dims ...uint64) *Builder {
	o := b.order()
	b.info = o.AppendUint32(b.text(b.info, name), uint32(len(dims)))
	for _, d := range dims {
		b.info = b.length(b.info, d)
	}
	b.info = o.AppendUint64(o.AppendUint32(b.info, t), b.off)
	a := b.alignment()
	b.off += (nbytes + a - 1) / a * a
	b.ninfo++
	return b
}

func (b *Builder) alignment() uint64 {
	if b.Alignment == 0 {
		return 32
	}
	return b.Alignment
}

// Header gives the file up to its data, and the length of the data.
func (b *Builder) Header() ([]byte, uint64) {
	o := b.order()
	version := b.Version
	if version == 0 {
		version = 3
	}
	tensors, keys := b.Tensors, b.Keys
	if tensors == 0 {
		tensors = b.ninfo
	}
	if keys == 0 {
		keys = b.nkv
	}
	h := o.AppendUint32([]byte("GGUF"), version)
	h = b.length(b.length(h, tensors), keys)
	h = append(append(h, b.kv...), b.info...)
	for uint64(len(h))%b.alignment() != 0 {
		h = append(h, 0)
	}
	return h, b.off
}

// Write writes the file under dir, its data as a hole, and gives its path.
func (b *Builder) Write(t testing.TB, dir, name string) string {
	t.Helper()
	h, data := b.Header()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(h); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(int64(uint64(len(h)) + data)); err != nil {
		t.Fatal(err)
	}
	return path
}
