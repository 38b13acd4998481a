package hostfile

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// Host is one recorded host.
type Host struct {
	About string            `json:"about"`
	Args  []string          `json:"args"`
	Want  map[string]any    `json:"want"`
	Files map[string]string `json:"files"`
}

// maxSize is how long a recorded host may be, in bytes: a large server's is under one MiB.
const maxSize = 16 << 20

// maxFiles is how many files a recorded host may hold: a large server's has some thousands.
const maxFiles = 20_000

// Open reads a recorded host.
func Open(path string) (Host, error) {
	f, err := os.Open(path)
	if err != nil {
		return Host{}, fmt.Errorf("open the recorded host: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return Host{}, fmt.Errorf("read the recorded host %s: %w", path, err)
	}
	if len(data) > maxSize {
		return Host{}, fmt.Errorf("read the recorded host %s: it is longer than %d MiB", path, maxSize>>20)
	}
	var h Host
	if err := json.Unmarshal(data, &h); err != nil {
		return Host{}, fmt.Errorf("read the recorded host %s: %w", path, err)
	}
	switch n := len(h.Files); {
	case n == 0:
		return Host{}, fmt.Errorf("read the recorded host %s: it holds no files, as headroom doctor -o writes them", path)
	case n > maxFiles:
		return Host{}, fmt.Errorf("read the recorded host %s: it holds %d files, %d at most may be", path, n, maxFiles)
	}
	return h, nil
}

// WriteTree lays the host's files out under dir, for use as a sysroot. A path that leaves dir is refused.
func (h Host) WriteTree(dir string) error {
	for name, body := range h.Files {
		local := filepath.FromSlash(strings.TrimRight(name, "/"))
		if !filepath.IsLocal(local) {
			return fmt.Errorf("lay out the recorded host: the path %q leaves its folder", name)
		}
		if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return fmt.Errorf("lay out the recorded host: the path %q holds what cannot be shown", name)
		}
		file := filepath.Join(dir, local)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(file, 0o755); err != nil {
				return fmt.Errorf("lay out the recorded host: %w", err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("lay out the recorded host: %w", err)
		}
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			return fmt.Errorf("lay out the recorded host: %w", err)
		}
	}
	return nil
}

// Write writes the host as Open reads it.
func (h Host) Write(w io.Writer) error {
	data, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return fmt.Errorf("write the recorded host: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
