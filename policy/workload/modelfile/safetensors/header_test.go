package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"headroom/policy/workload/modelfile/safetensors"
)

func file(header string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
}

func TestRead(t *testing.T) {
	b := file(`{"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]},"b":{"dtype":"F4","shape":[4],"data_offsets":[12,14]},"c":{"dtype":"Q9","shape":[4],"data_offsets":[14,17]},"d":{"dtype":"F32","shape":[],"data_offsets":[17,21]}}   `)
	h, err := safetensors.Read(bytes.NewReader(b), int64(len(b))+21)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Tensors) != 4 || h.Missing() != 0 {
		t.Fatalf("%d tensors, %d bytes missing", len(h.Tensors), h.Missing())
	}
	for i, want := range []struct {
		elements, bytes uint64
		known           bool
	}{{6, 12, true}, {4, 2, true}, {4, 3, false}, {1, 4, true}} {
		if x := h.Tensors[i]; x.Elements != want.elements || x.Bytes() != want.bytes || x.Known != want.known {
			t.Errorf("tensor %s: %d elements in %d bytes, known %v; want %+v", x.Name, x.Elements, x.Bytes(), x.Known, want)
		}
	}
	if h, err = safetensors.Read(bytes.NewReader(b), int64(len(b))); err != nil || h.Missing() != 21 {
		t.Errorf("without its data: %d missing, %v", h.Missing(), err)
	}
}

func TestTypes(t *testing.T) {
	for dtype, bits := range map[string]int{
		"BOOL": 8, "U8": 8, "I8": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "I64": 64, "U64": 64, "F64": 64,
		"F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
	} {
		b := file(`{"a":{"dtype":"` + dtype + `","shape":[16],"data_offsets":[0,` + map[int]string{4: "8", 6: "12", 8: "16", 16: "32", 32: "64", 64: "128"}[bits] + `]}}`)
		if h, err := safetensors.Read(bytes.NewReader(b), int64(len(b))+128); err != nil || !h.Tensors[0].Known {
			t.Errorf("%s: %v", dtype, err)
		}
	}
}

func TestHostile(t *testing.T) {
	one := func(s string) string { return `{"a":{"dtype":"F32",` + s + `}}` }
	for name, b := range map[string][]byte{
		"empty":                    {},
		"no header":                file(""),
		"a header of 2^63 bytes":   binary.LittleEndian.AppendUint64(nil, 1<<63),
		"a header beyond the file": binary.LittleEndian.AppendUint64(nil, 1<<20),
		"a list":                   file(`[]`),
		"cut off":                  file(`{"a":{"dtype":"F32"`),
		"no offsets":               file(one(`"shape":[1]`)),
		"offsets backwards":        file(one(`"shape":[1],"data_offsets":[8,4]`)),
		"negative shape":           file(one(`"shape":[-1],"data_offsets":[0,4]`)),
		"shape as text":            file(one(`"shape":"1","data_offsets":[0,4]`)),
		"bytes that do not fit":    file(one(`"shape":[3],"data_offsets":[0,4]`)),
		"overflowing shape":        file(one(`"shape":[4294967296,4294967296],"data_offsets":[0,4]`)),
		"an unknown type of much":  file(`{"a":{"dtype":"X","shape":[1000000],"data_offsets":[0,4]}}`),
		"many dimensions":          file(one(`"shape":[` + strings.Repeat("1,", 100) + `1],"data_offsets":[0,4]`)),
		"a tensor twice":           file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`),
		"offsets beyond any file":  file(`{"a":{"dtype":"X","shape":[1],"data_offsets":[0,9223372036854775808]}}`),
	} {
		if h, err := safetensors.Read(bytes.NewReader(b), int64(len(b))); err == nil {
			t.Errorf("%s: read as %+v", name, h.Tensors)
		}
	}
}
