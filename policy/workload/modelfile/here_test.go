package modelfile

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"headroom/policy/workload/modelfile/gguf/gguftest"
)

// home is a home folder for a test: Ollama, LM Studio, llama.cpp, the Hugging Face cache and a folder of the user's own.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	place := func(parts ...string) string {
		path := filepath.Join(append([]string{dir}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := func(s string, parts ...string) {
		if err := os.WriteFile(place(parts...), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	model := func(name string, parts ...string) {
		path := place(parts...)
		s := gguftest.Shapes["tinyllama-1.1b"]
		b, _, _ := s.Build(name, gguftest.Q4_0)
		b.Write(t, filepath.Dir(path), filepath.Base(path))
	}
	hash := strings.Repeat("ab", 32)
	model("TinyLlama of Ollama", ".ollama", "models", "blobs", "sha256-"+hash)
	text(`{"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:00"},{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:`+hash+`"}]}`,
		".ollama", "models", "manifests", "registry.ollama.ai", "library", "tinyllama", "1.1b")
	text(`{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:../../../../etc/passwd"}]}`,
		".ollama", "models", "manifests", "registry.ollama.ai", "someone", "evil", "latest")
	text(`not JSON`, ".ollama", "models", "manifests", "registry.ollama.ai", "someone", "broken", "latest")

	model("TinyLlama of LM Studio", ".lmstudio", "models", "owner", "TinyLlama-GGUF", "tinyllama.Q4_0.gguf")
	text("", ".lmstudio", "models", "owner", "TinyLlama-GGUF", "mmproj-tinyllama.gguf")
	model("TinyLlama of llama.cpp", ".cache", "llama.cpp", "owner_tinyllama.gguf")
	text("{}", ".cache", "llama.cpp", "owner_tinyllama.gguf.json")

	hub := []string{".cache", "huggingface", "hub", "models--owner--tiny-GGUF"}
	model("TinyLlama of Hugging Face", append(hub, "blobs", "abc")...)
	link := place(append(hub, "snapshots", "r1", "tiny.gguf")...)
	if err := os.Symlink(filepath.Join("..", "..", "blobs", "abc"), link); err != nil {
		t.Fatal(err)
	}
	older := place(append(hub, "snapshots", "r0", "tiny.gguf")...)
	if err := os.Symlink(filepath.Join("..", "..", "blobs", "abc"), older); err != nil {
		t.Fatal(err)
	}
	text(`{"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":1,"num_attention_heads":4,"vocab_size":100}`,
		".cache", "huggingface", "hub", "models--owner--safe", "snapshots", "r1", "config.json")
	text("\x46\x00\x00\x00\x00\x00\x00\x00"+`{"lm_head.weight":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}     1234`,
		".cache", "huggingface", "hub", "models--owner--safe", "snapshots", "r1", "model.safetensors")
	// The user's folder has a hard link to a model of LM Studio, one of its own, and a folder that links back.
	own := place("models", "linked.gguf")
	if err := os.Link(filepath.Join(dir, ".lmstudio", "models", "owner", "TinyLlama-GGUF", "tinyllama.Q4_0.gguf"), own); err != nil {
		t.Fatal(err)
	}
	model("TinyLlama of the user", "models", "deep", "down", "own.gguf")
	if err := os.Symlink(dir, filepath.Join(dir, "models", "back")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestHere(t *testing.T) {
	dir := home(t)
	none := func(string) string { return "" }
	elsewhere := func(p place) bool { return !strings.HasPrefix(p.path, dir) }
	at := slices.DeleteFunc(places(dir, none, []string{filepath.Join(dir, "models")}), elsewhere)
	var got []string
	for _, f := range find(context.Background(), at) {
		file, err := f.Open()
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
		got = append(got, f.From+": "+file.Model.Name)
	}
	want := []string{
		"Ollama: tinyllama:1.1b", "LM Studio: TinyLlama of LM Studio", "llama.cpp: TinyLlama of llama.cpp",
		"Hugging Face: owner/safe", "Hugging Face: TinyLlama of Hugging Face", filepath.Join(dir, "models") + ": TinyLlama of the user",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestHereFollowsVariables(t *testing.T) {
	vars := map[string]string{"OLLAMA_MODELS": "/a", "LLAMA_CACHE": "/b", "HF_HOME": "/c"}
	var paths []string
	for _, p := range places("", func(name string) string { return vars[name] }, nil) {
		paths = append(paths, p.path)
	}
	for _, want := range []string{"/a", "/b", filepath.Join("/c", "hub")} {
		if !slices.Contains(paths, want) {
			t.Errorf("places %q lack %s", paths, want)
		}
	}
	if found := find(context.Background(), []place{{"test", "/no/such/folder", listFolder}, {"test", "/no/such/folder", listHub}, {"test", "/no/such/folder", listOllama}}); len(found) > 0 {
		t.Errorf("found %v in a folder that is not there", found)
	}
}

func TestHereStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	dir := home(t)
	if found := find(ctx, []place{{"test", filepath.Join(dir, "models"), listFolder}}); len(found) > 0 {
		t.Errorf("found %v after the end", found)
	}
}
