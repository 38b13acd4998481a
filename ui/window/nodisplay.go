//go:build cgo || !darwin

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
	"sync"
	"time"
)

// ErrNoDisplay says that no window can be opened here; Run wraps it with what was tried.
var ErrNoDisplay = errors.New("no usable display")

// checkDisplay asks whether a display answers before Fyne does, which ends the process without one. Systems that need no
// display server always pass, with no connection.
func checkDisplay(getenv func(string) string) (server, error) {
	switch runtime.GOOS {
	case "windows", "darwin":
		return server{}, nil
	}
	var tried []string
	if name := getenv("WAYLAND_DISPLAY"); name != "" {
		conn, err := dialWayland(name, getenv("XDG_RUNTIME_DIR"))
		if err == nil {
			return server{conn, "wayland"}, nil
		}
		tried = append(tried, err.Error())
	}
	if name := getenv("DISPLAY"); name != "" {
		conn, err := dialX11(name)
		if err == nil {
			return server{conn, "x11"}, nil
		}
		tried = append(tried, err.Error())
	}
	if len(tried) == 0 {
		return server{}, fmt.Errorf("%w: neither DISPLAY nor WAYLAND_DISPLAY is set", ErrNoDisplay)
	}
	return server{}, fmt.Errorf("%w: %s", ErrNoDisplay, strings.Join(tried, "; "))
}

// display is asked once. Its connection stays open until the window has one of its own: an X server without other clients
// resets when the last one leaves, and would drop the window's on the way.
var display = sync.OnceValues(func() (server, error) { return checkDisplay(os.Getenv) })

// server is a display server that answered, and its platform as Fyne names it; both empty where none is needed.
type server struct {
	net.Conn
	platform string
}

// HasDisplay reports whether a window can be opened; the error wraps ErrNoDisplay and says what was tried.
func HasDisplay() error {
	_, err := display()
	return err
}

// releaseDisplay closes the connection that HasDisplay made.
func releaseDisplay() {
	if s, _ := display(); s.Conn != nil {
		s.Close() //nolint:errcheck // nothing was written
	}
}

// preferX11 keeps Fyne from trying Wayland where only X11 answers: the Wayland library complains on standard error.
func preferX11() {
	if s, _ := display(); s.platform == "x11" && os.Getenv("FYNE_PLATFORM") == "" {
		os.Setenv("FYNE_PLATFORM", "x11") //nolint:errcheck // the name is a good one
	}
}

const dialTimeout = 3 * time.Second

func dialWayland(name, runtimeDir string) (net.Conn, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(runtimeDir, name)
	}
	conn, err := net.DialTimeout("unix", path, dialTimeout)
	if err != nil {
		return nil, fmt.Errorf("connect to WAYLAND_DISPLAY %q: %w", name, err)
	}
	return conn, nil
}

// dialX11 connects to a display in X's notation, [host]:number[.screen].
func dialX11(name string) (net.Conn, error) {
	host, rest, ok := cutLast(name, ":")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.ParseUint(number, 10, 16)
	if !ok || err != nil {
		return nil, fmt.Errorf("connect to DISPLAY %q: not of the form host:number", name)
	}
	network, address := "unix", "/tmp/.X11-unix/X"+strconv.FormatUint(n, 10)
	if host != "" && host != "unix" {
		network, address = "tcp", net.JoinHostPort(strings.Trim(host, "[]"), strconv.FormatUint(6000+n, 10))
	}
	conn, err := net.DialTimeout(network, address, dialTimeout)
	if err != nil && network == "unix" && runtime.GOOS == "linux" {
		// The abstract namespace, which X servers listen on too: a container may share it alone.
		if abstract, e := net.DialTimeout("unix", "@"+address, dialTimeout); e == nil {
			return abstract, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("connect to DISPLAY %q: %w", name, err)
	}
	return conn, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
