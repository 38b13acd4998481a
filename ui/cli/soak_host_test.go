//go:build soak && cgo && !nogui && linux

package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"headroom/sensors/hostfile"
)

// soakHosts are recorded hosts that together have a card, chips, batteries, zones and a container's limits.
var soakHosts = []string{"rx7900xtx.json", "worked-apu.json", "second-pack-waits.json", "zone-steps-in.json", "two-packages.json"}

// soakHost is a folder that stands for a machine, whose files change, lie and go.
type soakHost struct {
	dir   string
	files map[string]string
	names []string
	rand  *rand.Rand
}

func newSoakHost(dir string, r *rand.Rand) (*soakHost, error) {
	h := &soakHost{dir: dir, files: map[string]string{}, rand: r}
	for _, name := range soakHosts {
		recorded, err := hostfile.Open(filepath.Join("..", "..", "sensors", "hostfile", "testdata", "hosts", name))
		if err != nil {
			return nil, err
		}
		for name, text := range recorded.Files {
			if !strings.HasSuffix(name, "/") {
				h.files[name] = text
			}
		}
	}
	for name := range h.files {
		h.names = append(h.names, name)
	}
	slices.Sort(h.names)
	return h, h.mend()
}

// mend makes the machine whole again.
func (h *soakHost) mend() error {
	if err := os.RemoveAll(h.dir); err != nil {
		return err
	}
	return hostfile.Host{Files: h.files}.WriteTree(h.dir)
}

// harm changes one file or folder. Most numbers only move; now and then all is mended.
func (h *soakHost) harm() error {
	name := h.names[h.rand.IntN(len(h.names))]
	path := filepath.Join(h.dir, name)
	write := func(text string) error {
		// A machine that lost the folder has lost the file, too.
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		return os.WriteFile(path, []byte(text), 0o644)
	}
	replace := func(make func() error) error {
		if _, err := os.Lstat(filepath.Dir(path)); err != nil {
			return nil
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		return make()
	}
	switch h.rand.IntN(24) {
	case 0:
		return h.mend()
	case 1:
		garbage := make([]byte, h.rand.IntN(64<<10))
		for i := range garbage {
			garbage[i] = byte(h.rand.Uint32())
		}
		return write(string(garbage))
	case 2:
		return write("")
	case 3:
		return write([]string{"-9223372036854775808\n", "99999999999999999999999\n", "0\n", "-1\n", "NaN\n"}[h.rand.IntN(5)])
	case 4:
		return replace(func() error { return os.MkdirAll(path, 0o755) })
	case 5:
		return replace(func() error { return syscall.Mkfifo(path, 0o644) })
	case 6:
		return replace(func() error { return os.Symlink(filepath.Base(path), path) })
	case 7:
		return replace(func() error { return nil })
	case 8:
		return os.RemoveAll(filepath.Dir(path))
	}
	text := h.files[name]
	var n int64
	if _, err := fmt.Sscanf(text, "%d\n", &n); err == nil && n != 0 {
		text = fmt.Sprintln(n * (60 + h.rand.Int64N(60)) / 100)
	}
	return write(text)
}
