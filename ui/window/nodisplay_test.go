//go:build cgo && !nogui && linux

package window

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
)

func TestADisplayIsAskedBeforeFyneIs(t *testing.T) {
	dir := t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(dir, "wayland-7"))
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	for _, c := range []struct {
		name     string
		env      map[string]string
		platform string
		say      []string
	}{
		{name: "none", say: []string{"neither DISPLAY nor WAYLAND_DISPLAY"}},
		{name: "nobody answers", env: map[string]string{"DISPLAY": ":60000"}, say: []string{":60000"}},
		{name: "not a display", env: map[string]string{"DISPLAY": "nonsense"}, say: []string{"nonsense", "host:number"}},
		{
			name: "neither answers", env: map[string]string{"DISPLAY": ":60000", "WAYLAND_DISPLAY": "wayland-8", "XDG_RUNTIME_DIR": dir},
			say: []string{":60000", "wayland-8"},
		},
		{name: "Wayland answers", env: map[string]string{"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": dir}, platform: "wayland"},
		{name: "a whole path", env: map[string]string{"WAYLAND_DISPLAY": filepath.Join(dir, "wayland-7")}, platform: "wayland"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := checkDisplay(func(key string) string { return c.env[key] })
			if s.Conn != nil {
				s.Close()
			}
			if c.platform != "" {
				if err != nil || s.platform != c.platform {
					t.Errorf("got %q, %v", s.platform, err)
				}
				return
			}
			if !errors.Is(err, ErrNoDisplay) {
				t.Fatalf("got %v, want ErrNoDisplay", err)
			}
			for _, word := range c.say {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q does not name %s", err, word)
				}
			}
		})
	}
}
