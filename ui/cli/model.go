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
	if isFile(name) {
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

// isFile reports whether a name is taken for a file or folder: one that is there, or what can be nothing else.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil || isPath(name)
}

// isPath reports whether a name can only be meant as a file. A slash alone can also stand between owner and model.
func isPath(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gguf", ".safetensors", ".json":
		return true
	}
	return filepath.IsAbs(name) || strings.HasPrefix(name, "."+string(filepath.Separator)) || strings.HasPrefix(name, "..")
}
