package gguf_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"headroom/policy/workload/modelfile/gguf"
	"headroom/policy/workload/modelfile/gguf/gguftest"
)

func read(b *gguftest.Builder) (*gguf.Header, error) {
	h, data := b.Header()
	return gguf.Read(bytes.NewReader(h), int64(uint64(len(h))+data))
}

func small() *gguftest.Builder {
	b := &gguftest.Builder{}
	return b.Key("general.architecture", "llama")
}

// TestVersions reads the same file in all versions and byte orders.
func TestVersions(t *testing.T) {
	for _, version := range []uint32{1, 2, 3} {
		for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
			b := &gguftest.Builder{Version: version, Order: order}
			b.Key("general.architecture", "llama").Key("llama.block_count", uint32(2)).Key("tokenizer.ggml.tokens", gguftest.Strings{Count: 1000, Text: "word"})
			b.Key("llama.attention.head_count_kv", []int32{8, 4}).Key("llama.vocab_size", uint64(1)<<33)
			b.Tensor("a", 8, 34*4, 32, 4).Tensor("b", 0, 12, 3)
			h, err := read(b)
			if err != nil {
				t.Fatalf("v%d %s: %v", version, name, err)
			}
			if h.Version != version || h.BigEndian != (name == "big") {
				t.Errorf("v%d %s: read as v%d, big endian %v", version, name, h.Version, h.BigEndian)
			}
			if arch, _, err := h.Text("general.architecture", 64); arch != "llama" || err != nil {
				t.Errorf("v%d %s: architecture %q, %v", version, name, arch, err)
			}
			if kv, err := h.Uints("llama.attention.head_count_kv", 2); err != nil || len(kv) != 2 || kv[0] != 8 || kv[1] != 4 {
				t.Errorf("v%d %s: heads %v, %v", version, name, kv, err)
			}
			if n, _, _ := h.Uint("llama.vocab_size"); n != 1<<33 {
				t.Errorf("v%d %s: a 64-bit key is %d", version, name, n)
			}
			if n := h.Len("tokenizer.ggml.tokens"); n != 1000 {
				t.Errorf("v%d %s: %d tokens", version, name, n)
			}
			if len(h.Tensors) != 2 || h.Tensors[0].Bytes != 136 || h.Tensors[1].Elements != 3 || h.Missing() != 0 {
				t.Errorf("v%d %s: tensors %+v, missing %d", version, name, h.Tensors, h.Missing())
			}
		}
	}
}

// TestHostile holds what other readers crashed on, or read wrongly, with what is right.
func TestHostile(t *testing.T) {
	u64 := func(n ...uint64) (b []byte) {
		for _, v := range n {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		return b
	}
	array := func(elem uint32, count uint64, rest ...byte) gguftest.Raw {
		return gguftest.Raw{Type: 9, Data: append(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, elem), count), rest...)}
	}
	nested := func(depth int) gguftest.Raw {
		r := array(4, 1, 1, 0, 0, 0)
		for range depth {
			r = array(9, 1, r.Data...)
		}
		return r
	}
	for _, c := range []struct {
		name string
		b    *gguftest.Builder
		// want is a part of the error; empty where the file is fine.
		want string
	}{
		{"alignment 0", small().Key("general.alignment", uint32(0)), "general.alignment is 0"},
		{"alignment 3", small().Key("general.alignment", uint32(3)), "not a power of two"},
		{"alignment in 64 bits", small().Key("general.alignment", uint64(32)), ""},
		{"alignment as text", small().Key("general.alignment", "32"), "general.alignment: is string"},
		{"withdrawn type 4", small().Tensor("x", 4, 64, 32), ""},
		{"type 99", small().Tensor("x", 99, 64, 32), ""},
		{"nested array", small().Key("x", nested(2)), ""},
		{"deeply nested array", small().Key("x", nested(50)), "nested more than"},
		{"array of nothing known", small().Key("x", array(13, 1, 0)), "value type 13"},
		{"array longer than the file", small().Key("x", array(4, 1<<62)), "ends inside"},
		{"strings longer than the file", small().Key("x", array(8, 1<<23)), "ends inside"},
		{"more strings than any vocabulary", small().Key("x", array(8, 1<<40)), "longer than any vocabulary"},
		{"string of 2^63 bytes", small().Key("x", gguftest.Raw{Type: 8, Data: u64(1 << 63)}), "ends inside"},
		{"string in an array of 2^63 bytes", small().Key("x", array(8, 1, u64(1<<63)...)), "ends inside"},
		{"element overflow", small().Tensor("x", 0, 0, 1<<40, 1<<40), "62 bits"},
		{"byte overflow", small().Tensor("x", 28, 0, 1<<61), "exceed 64 bits"},
		{"more bytes than any file", small().Tensor("x", 28, 0, 1<<60), "beyond any file"},
		{"five dimensions", small().Tensor("x", 0, 4, 1, 1, 1, 1, 1), "5 dimensions"},
		{"no dimensions", small().Tensor("x", 0, 4), ""},
		{"row narrower than its block", small().Tensor("x", 12, 0, 64, 4), "do not fill the blocks of 256"},
		{"tensor twice", small().Tensor("x", 0, 4, 1).Tensor("x", 0, 4, 1), `"x" is there twice`},
		{"key twice", small().Key("general.architecture", "qwen2"), `"general.architecture" is there twice`},
		{"more tensors than there are", &gguftest.Builder{Tensors: 1000}, "ends inside"},
		{"2^60 tensors", &gguftest.Builder{Tensors: 1 << 60}, "more than any model"},
		{"2^60 keys", &gguftest.Builder{Keys: 1 << 60}, "more than any model"},
		{"version 4", &gguftest.Builder{Version: 4}, "version 4"},
		{"a name of a megabyte", small().Tensor(strings.Repeat("x", 1<<20), 0, 4, 1), "longer than the"},
	} {
		h, err := read(c.b)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		case c.want == "" && len(h.Tensors) > 0 && h.Tensors[0].Type != 0:
			if x := h.Tensors[0]; x.Elements != 32 || x.Bytes != 64 || x.Type.Known() {
				t.Errorf("%s: %d weights in %d bytes, known %v; want 32 in the 64 that the file leaves", c.name, x.Elements, x.Bytes, x.Type.Known())
			}
		}
	}
}

func TestNotGGUF(t *testing.T) {
	for _, s := range []string{"", "GGUF", "PK\x03\x04 and more than twenty-four bytes", "gguf\x03\x00\x00\x00 and more than twenty-four bytes"} {
		if _, err := gguf.Read(strings.NewReader(s), int64(len(s))); err == nil {
			t.Errorf("%q was read as GGUF", s)
		}
	}
}

func TestKeyTypes(t *testing.T) {
	b := small().Key("int", int32(7)).Key("negative", int32(-1)).Key("float", float32(0)).Key("flag", true).Key("flags", []bool{true, false}).Key("text", "x")
	b.Key("list", []int32{1, 2, 3}).Key("bad list", []int32{1, -2})
	h, err := read(b)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok, err := h.Uint("int"); n != 7 || !ok || err != nil {
		t.Errorf("int: %d %v %v", n, ok, err)
	}
	if n, _, err := h.Uint("flag"); n != 1 || err != nil {
		t.Errorf("flag: %d %v", n, err)
	}
	for _, key := range []string{"negative", "float", "text", "list"} {
		if n, _, err := h.Uint(key); err == nil {
			t.Errorf("%s is the integer %d", key, n)
		}
	}
	if _, ok, err := h.Uint("missing"); ok || err != nil {
		t.Errorf("a missing key: %v %v", ok, err)
	}
	if l, err := h.Uints("flags", 2); err != nil || len(l) != 2 || l[0] != 1 || l[1] != 0 {
		t.Errorf("flags: %v %v", l, err)
	}
	if _, err := h.Uints("list", 2); err == nil {
		t.Error("a list of 3 passed a limit of 2")
	}
	if l, err := h.Uints("bad list", 2); err == nil {
		t.Errorf("a negative element: %v", l)
	}
	if _, _, err := h.Text("int", 10); err == nil {
		t.Error("an integer was read as text")
	}
	if _, _, err := h.Text("general.architecture", 3); err == nil {
		t.Error("a text of 5 passed a limit of 3")
	}
}

// TestEveryCut reads a file that ends after each of its bytes: always an error, until the header is whole.
func TestEveryCut(t *testing.T) {
	b := small().Key("list", []int32{1, 2, 3}).Key("words", gguftest.Strings{Count: 3, Text: "abc"}).Tensor("x", 0, 4, 1)
	whole, _ := b.Header()
	end := len(bytes.TrimRight(whole, "\x00"))
	for n := range end {
		if _, err := gguf.Read(bytes.NewReader(whole[:n]), int64(n)); err == nil && n < end-8 {
			t.Errorf("%d of %d bytes were read as a whole header", n, end)
		}
	}
}

func TestMissing(t *testing.T) {
	head, data := small().Tensor("x", 0, 4096, 1024).Header()
	h, err := gguf.Read(bytes.NewReader(head), int64(len(head)))
	if err != nil {
		t.Fatal(err)
	}
	if h.Missing() != data {
		t.Errorf("missing %d of %d bytes", h.Missing(), data)
	}
}

// TestBitsPerWeight holds each type's anchor value.
func TestBitsPerWeight(t *testing.T) {
	for typ, want := range map[gguf.Type]float64{
		0: 32, 1: 16, 30: 16, 2: 4.5, 3: 5, 6: 5.5, 7: 6, 8: 8.5, 10: 2.625, 11: 3.4375, 12: 4.5, 13: 5.5, 14: 6.5625,
		16: 2.0625, 17: 2.3125, 18: 3.0625, 19: 1.5625, 20: 4.5, 21: 3.4375, 22: 2.5625, 23: 4.25, 29: 1.75,
		34: 1.6875, 35: 2.0625, 39: 4.25, 40: 4.5, 41: 1.125, 42: 2.25,
	} {
		n, err := typ.Bytes(1<<20, 1<<10)
		if got := float64(n) * 8 / (1 << 20); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %g bits a weight, want %g (%v)", typ, got, want, err)
		}
	}
}
