package modelfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/policy/workload/modelfile"
	"headroom/policy/workload/modelfile/gguf/gguftest"
)

// writeSplit writes a model in parts: keys and embedding first, then a layer each.
func writeSplit(t *testing.T, dir string, parts int) string {
	t.Helper()
	name := func(i int) string { return fmt.Sprintf("m-Q8_0-%05d-of-%05d.gguf", i+1, parts) }
	for i := range parts {
		b := &gguftest.Builder{}
		if i == 0 {
			b.Key("general.architecture", "llama").Key("llama.block_count", uint32(parts-1)).Key("llama.embedding_length", uint32(64)).Key("llama.attention.head_count", uint32(8))
			b.Tensor("token_embd.weight", 8, 64*32*34/32, 64, 32)
		} else {
			b.Tensor(fmt.Sprintf("blk.%d.attn_k.weight", i-1), 8, 64*64*34/32, 64, 64)
		}
		b.Key("split.no", uint16(i)).Key("split.count", uint16(parts)).Key("split.tensors.count", int32(parts))
		b.Write(t, dir, name(i))
	}
	return filepath.Join(dir, name(0))
}

func TestSplit(t *testing.T) {
	dir := t.TempDir()
	first := writeSplit(t, dir, 3)
	for _, path := range []string{first, strings.Replace(first, "00001-of", "00003-of", 1), dir} {
		f, err := modelfile.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := uint64(64*32 + 2*64*64); f.Model.Params != want || f.WeightBytes != want*34/32 {
			t.Errorf("%s: %d weights in %d bytes, want %d", path, f.Model.Params, f.WeightBytes, want)
		}
		if len(f.Paths) != 3 || f.Model.Name != "m-Q8_0" || f.Format != "Q8_0" {
			t.Errorf("%s: %d parts, name %q, format %s", path, len(f.Paths), f.Model.Name, f.Format)
		}
	}
	twice := &gguftest.Builder{}
	twice.Key("split.no", uint16(1)).Key("split.count", uint16(3)).Tensor("token_embd.weight", 8, 64*32*34/32, 64, 32).Write(t, dir, "m-Q8_0-00002-of-00003.gguf")
	if _, err := modelfile.Open(first); err == nil || !strings.Contains(err.Error(), "in two of its parts") {
		t.Errorf("a tensor in two parts: %v", err)
	}
	if err := os.Remove(strings.Replace(first, "00001-of", "00002-of", 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := modelfile.Open(first); err == nil || !strings.Contains(err.Error(), "part 2 of 3 is missing") {
		t.Errorf("a missing part: %v", err)
	}
}

func TestPartUnderAnotherName(t *testing.T) {
	dir := t.TempDir()
	alone := filepath.Join(dir, "model.gguf")
	if err := os.Rename(writeSplit(t, dir, 2), alone); err != nil {
		t.Fatal(err)
	}
	if _, err := modelfile.Open(alone); err == nil || !strings.Contains(err.Error(), "part 1 of 2 of a split model") {
		t.Errorf("a part that is named as a whole: %v", err)
	}
}

func TestBrokenDownload(t *testing.T) {
	b, _, bytes := gguftest.Shapes["tinyllama-1.1b"].Build("TinyLlama", gguftest.Q8_0)
	whole := b.Write(t, t.TempDir(), "model.gguf")
	path := b.Write(t, t.TempDir(), "model.gguf")
	if err := os.Truncate(path, 600<<20); err != nil {
		t.Fatal(err)
	}
	f, err := modelfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(whole)
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(info.Size()) - 600<<20; f.WeightBytes != bytes || f.Missing < want-64 || f.Missing > want {
		t.Errorf("%d bytes of which %d are missing; want the whole model's %d and %d", f.WeightBytes, f.Missing, bytes, want)
	}
}

func TestFolderOfSeveral(t *testing.T) {
	dir := t.TempDir()
	b := stub("llama", 1, keys{"embedding_length": u(64), "attention.head_count": u(8)})
	b.Write(t, dir, "a.gguf")
	b.Write(t, dir, "mmproj-a.gguf")
	if f, err := modelfile.Open(dir); err != nil || filepath.Base(f.Paths[0]) != "a.gguf" {
		t.Errorf("a model and its projector: %v %v", f.Paths, err)
	}
	b.Write(t, dir, "b.gguf")
	if _, err := modelfile.Open(dir); err == nil || !strings.Contains(err.Error(), "it holds 2 models") {
		t.Errorf("two models: %v", err)
	}
}

func TestNoModel(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("nothing to run here"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "notes.txt"), filepath.Join(dir, "absent.gguf")} {
		if _, err := modelfile.Open(path); err == nil {
			t.Errorf("%s was opened as a model", path)
		}
	}
}
