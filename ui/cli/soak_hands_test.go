//go:build soak && cgo && !nogui && linux

package cli

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// hands are a user at a display of their own: keys, mouse and the window's edges.
type hands struct {
	display string
	xvfb    *exec.Cmd
	rand    *rand.Rand
}

func newHands(r *rand.Rand) (*hands, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	h := &hands{xvfb: exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1920x1200x24", "-nolisten", "tcp", "-noreset"), rand: r}
	h.xvfb.ExtraFiles = []*os.File{write}
	err = h.xvfb.Start()
	write.Close()
	if err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("no display: %w", err)
	}
	h.display = ":" + strings.TrimSpace(line)
	return h, nil
}

func (h *hands) close() {
	_ = h.xvfb.Process.Kill()
	_ = h.xvfb.Wait()
}

func (h *hands) xdotool(args ...string) (string, error) {
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+h.display)
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("xdotool %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), err
}

// picture keeps what the display shows in the folder that HEADROOM_PICTURES names, if it does.
func (h *hands) picture(name string) {
	dir := os.Getenv("HEADROOM_PICTURES")
	if dir == "" {
		return
	}
	cmd := exec.Command("import", "-window", "root", filepath.Join(dir, name))
	cmd.Env = append(os.Environ(), "DISPLAY="+h.display)
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "soak: take a picture: %v: %s\n", err, out)
	}
}

// window is the identity of the window on the display, empty where there is none.
func (h *hands) window() string {
	out, err := h.xdotool("search", "--onlyvisible", "--name", "Headroom")
	if err != nil {
		return ""
	}
	ids := strings.Fields(out)
	return ids[len(ids)-1]
}

func (h *hands) keys(window string, names ...string) error {
	_, err := h.xdotool(append([]string{"windowfocus", window, "key", "--clearmodifiers"}, names...)...)
	return err
}

// strokes are what is typed: each page, theme and figure, models, pins, recordings, marks, menus, and proofs now and then.
var strokes = [][]string{
	{"1"},
	{"1"},
	{"2"},
	{"3"},
	{"4"},
	{"t"},
	{"t"},
	{"p"},
	{"s"},
	{"g"},
	{"l"},
	{"a"},
	{"x"},
	{"bracketleft"},
	{"bracketright"},
	{"z"},
	{"space"},
	{"u"},
	{"r"},
	{"o"},
	{"o"},
	{"o"},
	{"j"},
	{"b", "h", "i", "Return"},
	{"h", "ctrl+a", "3", "Return"},
	{"w", "ctrl+a", "1", "2", "Return"},
	{"v", "ctrl+a", "8", "Return"},
	{"m", "7", "0", "b", "Return"},
	{"m", "l", "l", "a", "m", "a", "Down", "Return"},
	{"m", "q", "w", "Return"},
	{"c", "Down", "Down", "Return"},
	{"k", "Down", "Return"},
	{"slash", "g", "p", "u"},
	{"ctrl+k", "t", "h", "Escape"},
	{"question"},
	{"e"},
	{"Tab", "Tab", "Return"},
	{"Tab", "Right", "Right", "Return"},
	{"ctrl+equal"},
	{"ctrl+minus"},
	{"ctrl+0"},
	{"F11"},
	{"Next"},
	{"Escape"},
	{"Escape", "Escape"},
}

// act does one thing that a user could do. What is open is closed first: an act must not choose to close the window in a menu
// that the act before it has opened.
func (h *hands) act(window string) error {
	x, y := fmt.Sprint(h.rand.IntN(1900)), fmt.Sprint(h.rand.IntN(1180))
	var err error
	switch h.rand.IntN(12) {
	case 0:
		_, err = h.xdotool("windowsize", window, fmt.Sprint(700+h.rand.IntN(1200)), fmt.Sprint(450+h.rand.IntN(740)))
	case 1, 2:
		_, err = h.xdotool("mousemove", x, y)
	case 3:
		if err = h.keys(window, "Escape", "Escape"); err == nil {
			_, err = h.xdotool("mousemove", x, y, "click", fmt.Sprint(1+h.rand.IntN(5)))
		}
	case 4:
		if h.rand.IntN(20) == 0 {
			err = h.keys(window, "Escape", "Escape", "d")
		}
	default:
		err = h.keys(window, append([]string{"Escape"}, strokes[h.rand.IntN(len(strokes))]...)...)
	}
	return err
}

// rest leaves the window as it opened: nothing open, the Live page, its usual size.
func (h *hands) rest(window string) error {
	_, err := h.xdotool("mousemove", "1", "1", "windowsize", window, "1180", "740")
	if err != nil {
		return err
	}
	return h.keys(window, "Escape", "Escape", "Escape", "Escape", "Escape", "1", "u")
}
