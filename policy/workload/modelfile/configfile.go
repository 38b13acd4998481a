package modelfile

import (
	"fmt"
	"path/filepath"
	"strings"
)

// openConfig sizes the model that a config.json describes. Weights beside it are counted exactly.
func openConfig(path string) (File, error) {
	c, err := readHFConfig(path)
	if err != nil {
		return File{}, err
	}
	dir := filepath.Dir(path)
	if names, err := fileNames(dir); err == nil && filepath.Base(path) == "config.json" {
		for _, n := range names {
			if isSafetensors(n) {
				return openSafetensors(dir)
			}
		}
	}
	f := File{Container: ContainerConfig, Path: path, Model: c.model(), Format: c.format()}
	f.Model.Name = configName(path)
	f.Model.ID, f.Model.Source = slug(f.Model.Name), path
	f.Notes = append(f.Notes, "no weights beside it: counted from its shapes")
	if !knownFamilies[c.ModelType] {
		f.Notes = append(f.Notes, fmt.Sprintf("the family %q is not known: counted as a llama-like model", c.ModelType))
	}
	return f, nil
}

// configName names a model by its folder, or by a snapshot's repository in the Hugging Face cache.
func configName(path string) string {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		dir = filepath.Dir(path)
	}
	for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
		if rest, ok := strings.CutPrefix(filepath.Base(d), "models--"); ok {
			_, name, found := strings.Cut(rest, "--")
			if found {
				return name
			}
		}
	}
	return filepath.Base(dir)
}

// format is the type that the config says its weights have.
func (c *hfConfig) format() string {
	if c.Quantization != nil {
		if name := c.Quantization.name(); name != "" {
			return name
		}
	}
	switch c.TorchDType {
	case "float32":
		return "F32"
	case "float16":
		return "F16"
	default:
		return "BF16"
	}
}
