//go:build xvfb && cgo && !nogui && linux

package window

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"headroom/ui/draw"
)

// The real binary's window on a display of its own, on a host that changes under it. What is waited for is the file of
// frames shown; the pictures are taken when a frame after the awaited one has been shown, too.

// patience bounds each wait: a slow machine passes late, a broken window fails.
const patience = 2 * time.Minute

// snapshot is what the tests read of a line of the frames file.
type snapshot struct {
	Time  time.Time
	Power struct {
		OnBattery bool `json:"on_battery"`
		State     string
	}
	Thermal struct{ State string }
	Budget  struct {
		Thermal float64 `json:"thermal_headroom_c"`
		Power   float64 `json:"power_budget_mw"`
	}
	Plan struct {
		Precision, Backend string
		Fits, Tight        bool
		Tiles              int
		ZeroCopy           string `json:"zero_copy"`
		Fusion             struct{ Ops, Passes int }
	}
}

// program is a running window.
type program struct {
	t      *testing.T
	cmd    *exec.Cmd
	frames *bufio.Reader
	part   []byte
	stderr *bytes.Buffer
	ended  chan struct{}
	err    error // of the program, valid once ended is closed
	home   string
}

// binary is the program under test: what HEADROOM_BINARY names, else one built now.
func binary(t *testing.T) string {
	if path := os.Getenv("HEADROOM_BINARY"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "headroom")
	if out, err := exec.Command("go", "build", "-tags", "migrated_fynedo", "-o", path, "headroom").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return path
}

// open starts the window in an empty folder, for a user with the home, or without any.
func open(t *testing.T, home string, args ...string) *program {
	t.Helper()
	if err := HasDisplay(); err != nil {
		t.Fatal(err)
	}
	frames := filepath.Join(t.TempDir(), "frames.jsonl")
	if err := os.WriteFile(frames, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, stderr: &bytes.Buffer{}, ended: make(chan struct{}), home: home}
	p.cmd = exec.Command(binary(t), append(args, "--frames", frames)...)
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = append(os.Environ(), "LIBGL_ALWAYS_SOFTWARE=1", "WAYLAND_DISPLAY=", "FYNE_SCALE=1", "MESA_SHADER_CACHE_DISABLE=true", "HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	if home != "" {
		p.cmd.Env = append(p.cmd.Env, "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
	}
	p.cmd.Stderr = p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
		if t.Failed() {
			t.Logf("standard error of the program:\n%s", p.stderr)
		}
	})
	f, err := os.Open(frames)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	p.frames = bufio.NewReader(f)
	return p
}

// next is the next frame that the window shows.
func (p *program) next() snapshot {
	p.t.Helper()
	deadline := time.After(patience)
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		line, err := p.frames.ReadBytes('\n')
		p.part = append(p.part, line...)
		if err == nil {
			var s snapshot
			if err := json.Unmarshal(p.part, &s); err != nil {
				p.t.Fatalf("a line of the frames file: %v\n%s", err, p.part)
			}
			p.part = p.part[:0]
			return s
		}
		if !errors.Is(err, io.EOF) {
			p.t.Fatal(err)
		}
		select {
		case <-p.ended:
			p.t.Fatalf("the program ended: %v\n%s", p.err, p.stderr)
		case <-deadline:
			p.t.Fatalf("no frame was shown in %v", patience)
		case <-poll.C:
		}
	}
}

// until waits for a frame of a kind, and then for two more, so that it has been drawn.
func (p *program) until(what string, is func(snapshot) bool) snapshot {
	p.t.Helper()
	began := time.Now()
	for {
		s := p.next()
		if is(s) {
			p.next()
			p.next()
			return s
		}
		if time.Since(began) > patience {
			p.t.Fatalf("%s did not come; the last frame shown is %+v", what, s)
		}
	}
}

// picture is the display as it is seen.
func (p *program) picture() image.Image {
	p.t.Helper()
	out, err := exec.Command("import", "-window", "root", "png:-").Output()
	if err != nil {
		p.t.Fatalf("take a picture of the display: %v", err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		p.t.Fatal(err)
	}
	if dir := os.Getenv("HEADROOM_PICTURES"); dir != "" {
		n, _ := filepath.Glob(filepath.Join(dir, p.t.Name()+"-*.png"))
		os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%02d.png", p.t.Name(), len(n))), out, 0o644)
	}
	return img
}

// region is where a figure stands in a window of the default size.
func region(t *testing.T, figure string) image.Rectangle {
	for _, s := range draw.LiveLayout(defaultWidth, defaultHeight-headerHeight) {
		if s.Figure == figure {
			return image.Rect(int(s.X), int(s.Y)+headerHeight, int(s.X+s.W), int(s.Y+s.H)+headerHeight)
		}
	}
	t.Fatalf("the Live page has no figure %q", figure)
	return image.Rectangle{}
}

// changed waits for the pictures of figures to differ from an earlier picture, and returns the new one.
func (p *program) changed(from image.Image, figures ...string) image.Image {
	p.t.Helper()
	began := time.Now()
	for {
		now := p.picture()
		still := ""
		for _, figure := range figures {
			r := region(p.t, figure)
			if differing(crop(from, r), crop(now, r)) < 0.002 {
				still = figure
			}
		}
		if still == "" {
			return now
		}
		if time.Since(began) > patience {
			p.t.Fatalf("the picture of %q did not change", still)
		}
		p.next()
	}
}

// seen waits for the display to differ from an earlier picture by a share of its pixels at least.
func (p *program) seen(what string, from image.Image, share float64) {
	p.t.Helper()
	for began := time.Now(); differing(from, p.picture()) < share; p.next() {
		if time.Since(began) > patience {
			p.t.Fatalf("%s is not seen", what)
		}
	}
}

func crop(img image.Image, r image.Rectangle) image.Image {
	return img.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(r)
}

// stop ends the program as a terminal would, and expects it to end cleanly and quietly.
func (p *program) stop(sig os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatalf("the program does not end on %v", sig)
	}
	if p.err != nil {
		p.t.Errorf("ended on %v with %v", sig, p.err)
	}
	for line := range strings.Lines(p.stderr.String()) {
		// The X libraries' own word on a session without a runtime directory.
		if !strings.Contains(line, "XDG_RUNTIME_DIR") {
			p.t.Errorf("standard error: %s", line)
		}
	}
}

func TestXvfbTheWindowFollowsTheHost(t *testing.T) {
	h := newHost(t)
	p := open(t, t.TempDir(), "--sysroot", h.dir, "--interval", "250ms")

	cool := p.until("f16 on the GPU", func(s snapshot) bool {
		return s.Plan.Precision == "f16" && s.Plan.Backend == "gpu" && s.Plan.Fits && s.Plan.Tiles == 1 && !s.Power.OnBattery
	})
	at60 := p.picture()

	h.cpu(97)
	hot := p.until("q8 for the heat", func(s snapshot) bool { return s.Plan.Precision == "q8" && s.Plan.Tight })
	if hot.Plan.Fusion == cool.Plan.Fusion {
		t.Errorf("the diagram's ops and passes are the same at f16 and q8: %+v", hot.Plan.Fusion)
	}
	at97 := p.changed(at60, "verdict", "thermal", "ladder", "map", "tiles", "fusion", "timeline")

	h.cpu(60)
	h.vram(4)
	p.until("tiles for want of memory", func(s snapshot) bool {
		return s.Plan.Precision == "q4" && !s.Plan.Fits && s.Plan.Tiles == 2 && s.Plan.Backend == "gpu"
	})
	squeezed := p.changed(at97, "verdict", "memory", "ladder", "map", "tiles")

	h.gpuGone()
	gone := p.until("the CPU, the GPU being gone", func(s snapshot) bool { return s.Plan.Backend == "cpu" && s.Plan.Fits })
	if gone.Plan.ZeroCopy != "mmap_direct" || cool.Plan.ZeroCopy != "staging_upload" {
		t.Errorf("zero-copy: %s with the card, %s without", cool.Plan.ZeroCopy, gone.Plan.ZeroCopy)
	}
	onCPU := p.changed(squeezed, "verdict", "memory", "ladder", "tiles")

	h.chargerPulled()
	pulled := p.until("the battery", func(s snapshot) bool { return s.Power.OnBattery && s.Plan.Tight })
	if pulled.Plan.Precision != "q8" || pulled.Budget.Power >= 15_000 {
		t.Errorf("on battery: %s with %v mW", pulled.Plan.Precision, pulled.Budget.Power)
	}
	p.changed(onCPU, "verdict", "power", "ladder")

	p.stop(syscall.SIGTERM)
}

func TestXvfbKeysHoldAnInputAndAreRemembered(t *testing.T) {
	h := newHost(t)
	home := t.TempDir()
	p := open(t, home, "--sysroot", h.dir, "--interval", "250ms")
	p.until("f16", func(s snapshot) bool { return s.Plan.Precision == "f16" })
	before := p.picture()
	p.keys("h", "ctrl+a", "3", "Return")
	held := p.until("a pinned headroom of 3 °C", func(s snapshot) bool { return s.Thermal.State == "pinned" && s.Budget.Thermal == 3 })
	if held.Plan.Precision != "q8" || !held.Plan.Tight {
		t.Errorf("pinned to 3 °C: %s, tight %v", held.Plan.Precision, held.Plan.Tight)
	}
	p.seen("the panel of pins", before, 0.05)
	p.stop(syscall.SIGINT)

	again := open(t, home, "--sysroot", h.dir, "--interval", "250ms")
	if first := again.next(); first.Thermal.State != "pinned" || first.Budget.Thermal != 3 {
		t.Errorf("the next run starts with headroom %v, %s", first.Budget.Thermal, first.Thermal.State)
	}
	again.next()
	again.keys("Escape", "u")
	again.until("the pin released", func(s snapshot) bool { return s.Thermal.State == "ok" && s.Plan.Precision == "f16" })
	again.stop(syscall.SIGTERM)
}

// Without a home, or with one that is no folder, the window leaves nothing behind, and says nothing of it.
func TestXvfbWithoutAHomeNothingIsWritten(t *testing.T) {
	h := newHost(t)
	for _, home := range []string{"", os.DevNull} {
		temporary := t.TempDir()
		t.Setenv("TMPDIR", temporary)
		t.Setenv("LANG", "xx_YY.bad")
		p := open(t, home, "--sysroot", h.dir, "--interval", "250ms")
		p.until("f16", func(s snapshot) bool { return s.Plan.Precision == "f16" })
		p.stop(syscall.SIGTERM)
		for _, dir := range []string{p.cmd.Dir, temporary} {
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("with the home %q, in %s stand %v, %v", home, dir, left, err)
			}
		}
	}
}

// keys types on the window, as a keyboard would.
func (p *program) keys(names ...string) {
	p.t.Helper()
	id, err := exec.Command("xdotool", "search", "--onlyvisible", "--name", "Headroom").Output()
	window := strings.Fields(string(id))
	if err != nil || len(window) == 0 {
		p.t.Fatalf("find the window: %v", err)
	}
	if out, err := exec.Command("xdotool", "windowfocus", "--sync", window[len(window)-1]).CombinedOutput(); err != nil {
		p.t.Fatalf("focus the window: %v\n%s", err, out)
	}
	for _, name := range names {
		if out, err := exec.Command("xdotool", "key", "--clearmodifiers", name).CombinedOutput(); err != nil {
			p.t.Fatalf("type %s: %v\n%s", name, err, out)
		}
		p.next()
	}
}
