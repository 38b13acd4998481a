//go:build cgo || !darwin

package window

import (
	"path/filepath"
	"slices"
)

// latest puts a path before the others, once, and leaves out the oldest.
func latest(path string, before []string) []string {
	paths := append([]string{path}, slices.DeleteFunc(slices.Clone(before), func(p string) bool { return p == path })...)
	return paths[:min(len(paths), maxRecent)]
}

// recent offers the model files that were last used.
func (v *view) recent() []pick {
	items := make([]pick, 0, len(v.state.Recent))
	for _, path := range v.state.Recent {
		items = append(items, pick{
			name: filepath.Base(path), detail: "recent · " + filepath.Dir(path), marked: v.choice.Path == path,
			do: func() { v.openModel(path) },
		})
	}
	return items
}
