package modelfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Open sizes the model at path: a GGUF file (or any part of a split one), a safetensors file or its index, a config.json,
// or a folder that holds one model in any of these forms. It reads headers only.
func Open(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return File{}, fmt.Errorf("open model: %w", err)
	}
	if info.IsDir() {
		return openFolder(path)
	}
	switch name := strings.ToLower(filepath.Base(path)); {
	case strings.HasSuffix(name, ".gguf"):
		return openGGUF(path)
	case strings.HasSuffix(name, ".safetensors"), strings.HasSuffix(name, ".safetensors.index.json"):
		return openSafetensors(path)
	case strings.HasSuffix(name, ".json"):
		return openConfig(path)
	default:
		// Ollama and the Hugging Face cache name files by their hash.
		return openByMagic(path)
	}
}

// openByMagic opens a file whose name says nothing.
func openByMagic(path string) (File, error) {
	file, size, err := openRegular(path)
	if err != nil {
		return File{}, fmt.Errorf("open %s: %w", path, err)
	}
	defer file.Close()
	var head [9]byte
	if _, err := io.ReadFull(file, head[:]); err != nil {
		return File{}, fmt.Errorf("open %s: %d bytes are no model: give a GGUF or safetensors file, or a config.json", path, size)
	}
	switch {
	case string(head[:4]) == "GGUF" || string(head[:4]) == "FUGG":
		return openGGUF(path)
	case head[8] == '{':
		return openSafetensors(path)
	default:
		return File{}, fmt.Errorf("open %s: it is neither GGUF nor safetensors nor a config.json", path)
	}
}

// openRegular opens a file and gives its length. Pipes and devices are refused: they may block or never end.
func openRegular(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("it is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}
