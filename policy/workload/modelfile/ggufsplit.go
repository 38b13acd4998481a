package modelfile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
)

// splitName is how llama-gguf-split names the parts of a model.
var splitName = regexp.MustCompile(`^(.*)-(\d{5})-of-(\d{5})\.gguf$`)

// splitParts gives the files of the split model that path is a part of, first to last; path alone where it is no part.
func splitParts(path string) ([]string, error) {
	m := splitName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return []string{path}, nil
	}
	part, _ := strconv.Atoi(m[2])
	count, _ := strconv.Atoi(m[3])
	if part < 1 || part > count {
		return nil, fmt.Errorf("open %s: its name says part %d of %d", path, part, count)
	}
	parts := make([]string, count)
	for i := range parts {
		parts[i] = filepath.Join(filepath.Dir(path), fmt.Sprintf("%s-%05d-of-%05d.gguf", m[1], i+1, count))
	}
	return parts, nil
}
