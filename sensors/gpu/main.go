package gpu

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"headroom/sensors/gpu/engine"
	"headroom/sensors/gpu/prove"
	"headroom/sensors/gpu/vulkan"
)

// ChildCommand is the hidden command with which this program runs itself again as the child.
const ChildCommand = "__webgpu"

// The child's jobs: list the adapters of the platform's own API, or those of OpenGL.
const (
	jobAdapters = "adapters"
	jobOpenGL   = "adapters-opengl"
)

// ChildMain is the body of the hidden command: args are what follows ChildCommand. It answers on stdout in JSON lines, ends
// when its standard input closes, and returns the exit status.
func ChildMain(args []string, stdout, stderr io.Writer) int {
	if os.Getenv(childMark) == "" || len(args) == 0 {
		fmt.Fprintf(stderr, "headroom: %s is for headroom itself\n", ChildCommand)
		return 2
	}
	if hidden := os.Getenv(hideVar); hidden != "" {
		if err := os.Unsetenv(hideVar); err == nil {
			err = hideAndRestart(strings.Split(hidden, "\n"), os.Environ())
			fmt.Fprintln(stderr, "headroom:", err)
		}
		return 1
	}
	out, err := private(stdout)
	if err == nil {
		err = keepNoCore()
	}
	if err != nil {
		fmt.Fprintln(stderr, "headroom:", err)
		return 1
	}
	switch args[0] {
	case jobAdapters:
		go endWithParent()
		err = answerAdapters(engine.Native, out)
	case jobOpenGL:
		go endWithParent()
		err = answerAdapters(engine.OpenGL, out)
	case jobMemory:
		err = answerMemory(os.Stdin, out)
	case jobProve:
		err = prove.Child(os.Stdin, out)
	case jobBurn:
		err = prove.Burn(os.Stdin, out)
	default:
		err = fmt.Errorf("unknown job %q", args[0])
	}
	if err != nil {
		fmt.Fprintln(stderr, "headroom:", err)
		return 1
	}
	return 0
}

// endWithParent ends this process when its input closes: its parent is gone, or wants no more.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func answerAdapters(api engine.API, out io.Writer) error {
	a, err := list(api)
	if err != nil {
		return err
	}
	if len(a.Adapters) > 0 {
		if cards, err := cardsByVulkan(); err != nil {
			a.Notes = append(a.Notes, "adapter memory is unknown: "+err.Error())
		} else {
			addMemory(a.Adapters, cards)
		}
	}
	if err := json.NewEncoder(out).Encode(a); err != nil {
		return fmt.Errorf("write the adapters: %w", err)
	}
	return nil
}

func cardsByVulkan() ([]vulkan.Card, error) {
	l, err := vulkan.Open()
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return l.Cards()
}
