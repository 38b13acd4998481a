package modelfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxEntries bounds how many entries of a folder are looked at.
const maxEntries = 10_000

// openFolder opens the one model that a folder holds.
func openFolder(path string) (File, error) {
	names, err := fileNames(path)
	if err != nil {
		return File{}, fmt.Errorf("open %s: %w", path, err)
	}
	switch models := ggufModels(names); {
	case len(models) == 1:
		return openGGUF(filepath.Join(path, models[0]))
	case len(models) > 1:
		some := strings.Join(models[:min(len(models), 5)], ", ")
		if len(models) > 5 {
			some += ", …"
		}
		return File{}, fmt.Errorf("open %s: it holds %d models: name one of %s", path, len(models), some)
	}
	if slices.ContainsFunc(names, isSafetensors) {
		return openSafetensors(path)
	}
	if slices.Contains(names, "config.json") {
		return openConfig(filepath.Join(path, "config.json"))
	}
	return File{}, fmt.Errorf("open %s: it holds neither GGUF nor safetensors nor a config.json", path)
}

func isSafetensors(name string) bool { return strings.HasSuffix(name, ".safetensors") }

// ggufModels are the models among file names: one name for all parts of a split one, without the projectors that go with a
// model.
func ggufModels(names []string) []string {
	var models []string
	for _, n := range names {
		if !strings.HasSuffix(n, ".gguf") || strings.HasPrefix(n, "mmproj") {
			continue
		}
		if m := splitName.FindStringSubmatch(n); m != nil && m[2] != "00001" {
			continue
		}
		models = append(models, n)
	}
	return models
}

// fileNames lists the files of a folder in order of name, links to files included.
func fileNames(path string) ([]string, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}
