package gpu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/child"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/sysfs"
)

// Options say how adapters are probed. The zero value is right for the running machine.
type Options struct {
	// Timeout ends a probe that gives no answer; 0 is 10 seconds: a driver that starts cold takes several.
	Timeout time.Duration
	// OpenGL lists what OpenGL reaches in place of the platform's own API, on Linux and while no card sleeps.
	OpenGL bool
	// Sysroot is the folder that holds the sys, dev, etc and usr in which sleeping cards and drivers are looked for; empty is
	// the machine's own.
	Sysroot string
	// Kept is the file in which a Watcher keeps its listing for later runs; empty keeps none.
	Kept string

	// program and environ replace this program and its environment in tests.
	program string
	environ []string
}

const defaultTimeout = 10 * time.Second

// Probe lists the WebGPU adapters by running a child process once; where that crashes, hangs or talks nonsense, once more for
// each Vulkan driver alone. Nothing of a runtime-suspended card is opened. The Reading says how many adapters there are, or
// why none could be listed: not_offered where the build or the machine has none, asleep where only suspended cards are left,
// error where drivers failed, be it beside adapters of others.
func Probe(ctx context.Context, o Options) ([]sensors.Adapter, sensors.Reading) {
	if !engine.Available {
		return nil, missing(sensors.StateNotOffered, probeSource(), noWebGPU)
	}
	_, seen := look(o)
	a, state, err := listAll(ctx, o, seen)
	if err != nil {
		return nil, missing(sensors.StateError, probeSource(), err.Error())
	}
	return reported(a, state, probeSource())
}

// listAll runs the child, or more, until there is an answer. The state is what it means that there are no adapters.
func listAll(whole context.Context, o Options, seen view) (answer, sensors.State, error) {
	timeout := o.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(whole, timeout)
	defer cancel()
	job := jobAdapters
	if o.OpenGL && runtime.GOOS == "linux" && len(seen.notes) == 0 {
		job = jobOpenGL
	}
	a, err := ask(ctx, o, seen, job)
	if err == nil {
		leaveOut(nil)
	} else if job == jobAdapters && runtime.GOOS == "linux" && whole.Err() == nil && !errors.As(err, new(notStarted)) {
		// A card may have fallen asleep meanwhile.
		_, seen = look(o)
		a, err = listEachAlone(whole, o, seen, timeout, err)
	}
	if err != nil {
		return answer{}, sensors.StateError, err
	}
	state := sensors.StateNotOffered
	if len(seen.notes) > 0 {
		state = sensors.StateAsleep
	} else if len(a.Adapters) == 0 && job == jobAdapters && runtime.GOOS == "linux" {
		// An old card may have OpenGL alone. The engine can abort here, which takes nothing away; it reaches for any
		// card, so it is not asked while one sleeps.
		if gl, err := ask(ctx, o, seen, jobOpenGL); err == nil {
			a = gl
		}
	}
	a.Adapters = distinct(a.Adapters)
	a.Notes = append(a.Notes, seen.notes...)
	return a, state, nil
}

// look finds which cards sleep and what a child may therefore see.
func look(o Options) ([]device, view) {
	root := sysfs.New(o.Sysroot, nil)
	devs := devices(root)
	return devs, awakeView(root, childEnv(o.environment()), devs, canHide())
}

func (o Options) environment() []string {
	if o.environ != nil {
		return o.environ
	}
	return os.Environ()
}

// noWebGPU says what a build without the engine lacks.
const noWebGPU = "this build has no WebGPU"

// ask runs the child with a job and reads its one answer.
func ask(ctx context.Context, o Options, v view, job string) (answer, error) {
	s, err := start(ctx, o, v, job)
	if err != nil {
		return answer{}, notStarted{err}
	}
	defer s.Close()
	line, err := s.Next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("%s ended without an answer", childName)
		}
		return answer{}, err
	}
	a, err := decode(line)
	if err != nil {
		return answer{}, fmt.Errorf("%s gave an answer that cannot be used: %w", childName, err)
	}
	// What it says after its answer, or how it ends, tells whether the answer can be trusted.
	switch _, err := s.Next(); {
	case err == nil:
		return answer{}, fmt.Errorf("%s answered twice", childName)
	case !errors.Is(err, io.EOF):
		return answer{}, err
	}
	return a, nil
}

// childName is what errors call the child.
const childName = "the WebGPU child process"

// start runs this program again as a child with a job.
func start(ctx context.Context, o Options, v view, job string) (*child.Session, error) {
	program := o.program
	if program == "" {
		var err error
		if program, err = thisProgram(); err != nil {
			return nil, fmt.Errorf("start %s: %w", childName, err)
		}
	}
	if os.Getenv(childMark) != "" {
		return nil, fmt.Errorf("start %s: this is one already", childName)
	}
	env := v.env
	if job != jobAdapters && job != jobOpenGL {
		env = withoutLeftOut(o, env)
	}
	env = append(slices.Clip(env), childMark+"=1")
	if len(v.hide) > 0 {
		env = append(env, hideVar+"="+strings.Join(v.hide, "\n"))
	}
	return child.Start(ctx, child.Command{
		Name: childName, Path: program, Args: []string{ChildCommand, job}, Env: env, MaxLine: maxAnswer,
	})
}

// thisProgram is the file to run again. The kernel's own link to it is still right when the file was replaced by an
// update while this process runs.
func thisProgram() (string, error) {
	if runtime.GOOS == "linux" {
		const self = "/proc/self/exe"
		if _, err := os.Stat(self); err == nil {
			return self, nil
		}
	}
	return os.Executable()
}
