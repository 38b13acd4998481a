package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a program that runs until it is stopped.
type process struct {
	cmd   *exec.Cmd
	began time.Time
	err   bytes.Buffer
}

// start runs a program with a home of its own and software OpenGL, in a group of its own.
func (b *bench) begin(name string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(name, args...)}
	p.cmd.Env = append(os.Environ(), "HOME="+b.home, "XDG_CONFIG_HOME="+filepath.Join(b.home, "config"), "XDG_CACHE_HOME="+filepath.Join(b.home, "cache"),
		"LIBGL_ALWAYS_SOFTWARE=1", "WAYLAND_DISPLAY=", "FYNE_SCALE=1")
	p.cmd.Stderr = &p.err
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.began = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

// usage is what the kernel charged a program that ended, and its children that ended before it.
type usage struct {
	wall, cpu time.Duration
}

// wait is for a program that ends by itself.
func (p *process) wait() (usage, error) {
	if err := p.cmd.Wait(); err != nil {
		return usage{}, fmt.Errorf("%s: %w: %s", filepath.Base(p.cmd.Path), err, bytes.TrimSpace(p.err.Bytes()))
	}
	s := p.cmd.ProcessState
	return usage{time.Since(p.began), s.UserTime() + s.SystemTime()}, nil
}

// stop asks the program to end, and waits for it.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	ended := make(chan struct{})
	go func() {
		p.cmd.Wait() //nolint:errcheck // a program that SIGTERM ends says so
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
		<-ended
	}
	return nil
}

// cpu is the processor time that the program's threads and its living children have taken, in the kernel's nanoseconds.
func (p *process) cpu() (time.Duration, error) { return cpuOf(p.cmd.Process.Pid) }

func cpuOf(pid int) (time.Duration, error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(lists) == 0 {
		return 0, fmt.Errorf("read the processor time of process %d: it has ended", pid)
	}
	var sum time.Duration
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // a thread that just ended
		}
		ns, _, _ := strings.Cut(string(text), " ")
		n, err := strconv.ParseInt(ns, 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n)
		children, err := os.ReadFile(filepath.Join(filepath.Dir(list), "children"))
		if err != nil {
			continue
		}
		for child := range strings.FieldsSeq(string(children)) {
			if id, err := strconv.Atoi(child); err == nil {
				if of, err := cpuOf(id); err == nil {
					sum += of
				}
			}
		}
	}
	return sum, nil
}

// share is the processor time taken over a span, in percent of one core.
func (p *process) share(span time.Duration) (float64, error) {
	before, err := p.cpu()
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, p.err.Bytes())
	}
	began := time.Now()
	time.Sleep(span)
	after, err := p.cpu()
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, p.err.Bytes())
	}
	return 100 * float64(after-before) / float64(time.Since(began)), nil
}

// peak is the most memory that the program itself has held, in MiB.
func (p *process) peak() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(text), "VmHWM:")
	if !found {
		return 0, fmt.Errorf("the kernel does not tell the peak of process %d", p.cmd.Process.Pid)
	}
	kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kib / 1024, err
}
