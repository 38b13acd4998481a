package modelfile

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
)

// maxManifest bounds an Ollama manifest; real ones have a kilobyte.
const maxManifest = 1 << 20

// listOllama lists Ollama's models: manifests/registry/owner/model/tag names the blob that is the GGUF file.
func listOllama(s *search, p place) {
	root := filepath.Join(p.path, "manifests")
	for _, registry := range s.entries(root) {
		for _, owner := range s.entries(filepath.Join(root, registry.Name())) {
			for _, model := range s.entries(filepath.Join(root, registry.Name(), owner.Name())) {
				dir := filepath.Join(root, registry.Name(), owner.Name(), model.Name())
				for _, tag := range s.entries(dir) {
					name := model.Name() + ":" + tag.Name()
					if owner.Name() != "library" {
						name = owner.Name() + "/" + name
					}
					if blob := ollamaBlob(filepath.Join(dir, tag.Name())); blob != "" {
						path := filepath.Join(p.path, "blobs", blob)
						s.add(Found{Path: path, Name: name, From: p.from}, path)
					}
				}
			}
		}
	}
}

// ollamaBlob is the file name of the model that a manifest points to; empty where it points to none.
func ollamaBlob(manifest string) string {
	file, size, err := openRegular(manifest)
	if err != nil || size > maxManifest {
		return ""
	}
	defer file.Close()
	var m struct {
		Layers []struct {
			MediaType string `json:"mediaType"`
			Digest    string `json:"digest"`
		} `json:"layers"`
	}
	if json.NewDecoder(io.LimitReader(file, maxManifest)).Decode(&m) != nil {
		return ""
	}
	for _, l := range m.Layers {
		hash, ok := strings.CutPrefix(l.Digest, "sha256:")
		if ok && l.MediaType == "application/vnd.ollama.image.model" && len(hash) == 64 && strings.Trim(hash, "0123456789abcdef") == "" {
			return "sha256-" + hash
		}
	}
	return ""
}
