package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
)

// findModel sizes a model file or folder by its path.
func findModel(name string) (workload.Model, error) {
	if _, err := os.Stat(name); err != nil {
		if errors.Is(err, fs.ErrNotExist) && !isPath(name) {
			return workload.Model{}, badUsage("--model: no model is called %q", name)
		}
		return workload.Model{}, badUsage("--model: %w", err)
	}
	file, err := modelfile.Open(name)
	if err != nil {
		return workload.Model{}, badUsage("--model: %w", err)
	}
	return file.Model, nil
}

// isPath reports whether a name can only be meant as a file.
func isPath(name string) bool {
	return strings.ContainsRune(name, filepath.Separator) || filepath.Ext(name) == ".gguf" || filepath.Ext(name) == ".safetensors"
}
