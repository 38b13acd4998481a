//go:build cgo && !nogui

package window

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// ErrNoDisplay says that no window can be opened here; Run wraps it with what was tried.
var ErrNoDisplay = errors.New("no display to open a window on")

// checkDisplay asks whether a display answers before Fyne does, which ends the process without one. Systems that need no
// display server always pass.
func checkDisplay(getenv func(string) string) error {
	switch runtime.GOOS {
	case "windows", "darwin":
		return nil
	}
	var tried []string
	if name := getenv("WAYLAND_DISPLAY"); name != "" {
		err := dialWayland(name, getenv("XDG_RUNTIME_DIR"))
		if err == nil {
			return nil
		}
		tried = append(tried, err.Error())
	}
	if name := getenv("DISPLAY"); name != "" {
		err := dialX11(name)
		if err == nil {
			return nil
		}
		tried = append(tried, err.Error())
	}
	if len(tried) == 0 {
		return fmt.Errorf("%w: neither DISPLAY nor WAYLAND_DISPLAY is set", ErrNoDisplay)
	}
	return fmt.Errorf("%w: %s", ErrNoDisplay, strings.Join(tried, "; "))
}

const dialTimeout = 3 * time.Second

func dialWayland(name, runtimeDir string) error {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(runtimeDir, name)
	}
	conn, err := net.DialTimeout("unix", path, dialTimeout)
	if err != nil {
		return fmt.Errorf("connect to WAYLAND_DISPLAY %q: %w", name, err)
	}
	return conn.Close()
}

// dialX11 connects to a display in X's notation, [host]:number[.screen].
func dialX11(name string) error {
	host, rest, ok := cutLast(name, ":")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.ParseUint(number, 10, 16)
	if !ok || err != nil {
		if filepath.IsAbs(name) { // macOS and some launchers give the socket's own path
			return dialUnix(name, name)
		}
		return fmt.Errorf("connect to DISPLAY %q: not of the form host:number", name)
	}
	if host == "" || host == "unix" {
		socket := "/tmp/.X11-unix/X" + strconv.FormatUint(n, 10)
		if dialUnix(name, "@"+socket) == nil { // Linux's abstract namespace, which X servers also listen on
			return nil
		}
		return dialUnix(name, socket)
	}
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(strings.Trim(host, "[]"), strconv.FormatUint(6000+n, 10)), dialTimeout)
	if err != nil {
		return fmt.Errorf("connect to DISPLAY %q: %w", name, err)
	}
	return conn.Close()
}

func dialUnix(display, socket string) error {
	conn, err := net.DialTimeout("unix", socket, dialTimeout)
	if err != nil {
		return fmt.Errorf("connect to DISPLAY %q: %w", display, err)
	}
	return conn.Close()
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// HasDisplay reports whether a window can be opened; the error says what was tried.
func HasDisplay() error { return checkDisplay(os.Getenv) }
