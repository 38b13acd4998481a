package cli

import (
	"os"
	"path/filepath"
	"strings"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
)

// findModel sizes a model file or folder by its path, or a model of the catalogue by its name.
func findModel(name string) (workload.Model, error) {
	if _, err := os.Stat(name); err == nil || isPath(name) {
		file, err := modelfile.Open(name)
		if err != nil {
			return workload.Model{}, badUsage("--model: %w", err)
		}
		return file.Model, nil
	}
	m, err := modelfile.Find(name)
	if err != nil {
		return workload.Model{}, badUsage("--model: %w", err)
	}
	return m, nil
}

// isPath reports whether a name can only be meant as a file. A slash alone can also stand between owner and model.
func isPath(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gguf", ".safetensors", ".json":
		return true
	}
	return filepath.IsAbs(name) || strings.HasPrefix(name, "."+string(filepath.Separator)) || strings.HasPrefix(name, "..")
}
