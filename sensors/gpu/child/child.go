package child

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Command is what to run.
type Command struct {
	// Name is what errors call the child, e.g. "the WebGPU probe".
	Name string
	Path string
	Args []string
	// Env is the child's whole environment.
	Env []string
	// MaxLine bounds one line of its answer in bytes.
	MaxLine int
}

// grace is how long a pipe may stay open after the child itself has ended, held by a process that it left behind.
const grace = time.Second

// Session is a running child that answers in lines. Next, Send and Close are for one goroutine.
type Session struct {
	cmd    Command
	ctx    context.Context
	cancel context.CancelFunc
	stdin  *os.File
	stdout *os.File
	lines  *bufio.Reader
	notes  notes
	pid    int
	done   chan struct{}
	state  *os.ProcessState
	// broke is why the session was given up although the child may have been well: an answer that was too long.
	broke error
}

// Start starts the child. It is ended when ctx is, at Close, and when this process ends.
func Start(ctx context.Context, c Command) (*Session, error) {
	ctx, cancel := context.WithCancel(ctx)
	s := &Session{cmd: c, ctx: ctx, cancel: cancel, done: make(chan struct{})}
	if err := s.start(); err != nil {
		cancel()
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}
	return s, nil
}

func (s *Session) start() error {
	inR, inW, err := os.Pipe()
	if err != nil {
		return err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return errors.Join(err, inR.Close(), inW.Close())
	}
	cmd := exec.CommandContext(s.ctx, s.cmd.Path, s.cmd.Args...)
	cmd.Env = s.cmd.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, &s.notes
	cmd.WaitDelay = grace
	group(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }

	started := make(chan error)
	go func() {
		// On Linux the child is signalled when the thread that started it ends, so that thread is kept until then. It is
		// never given back: what was taken from it is of no use to others.
		runtime.LockOSThread()
		err := restrain()
		if err == nil {
			err = cmd.Start()
		}
		started <- err
		if err != nil {
			return
		}
		_ = cmd.Wait() // its fate is read from the process state
		s.state = cmd.ProcessState
		_ = outR.SetReadDeadline(time.Now().Add(grace))
		close(s.done)
	}()
	err = <-started
	_ = inR.Close()
	_ = outW.Close()
	if err != nil {
		return errors.Join(err, inW.Close(), outR.Close())
	}
	s.stdin, s.stdout, s.pid = inW, outR, cmd.Process.Pid
	s.lines = bufio.NewReaderSize(outR, min(s.cmd.MaxLine+1, 64<<10))
	// A child stuck in its driver does not die when it is killed: its caller stops waiting all the same.
	context.AfterFunc(s.ctx, func() { _ = outR.SetReadDeadline(time.Now().Add(grace)) })
	return nil
}

// ended waits until the child has ended, or has not although it was told to.
func (s *Session) ended() bool {
	select {
	case <-s.done:
		return true
	case <-s.ctx.Done():
	}
	select {
	case <-s.done:
		return true
	case <-time.After(2 * grace):
		return false
	}
}

// Send writes one line to the child.
func (s *Session) Send(line string) error {
	if _, err := io.WriteString(s.stdin, line+"\n"); err != nil {
		return s.fate(fmt.Errorf("write to %s: %w", s.cmd.Name, err))
	}
	return nil
}

// Next is the child's next line without its end. It is io.EOF when the child has ended well, and says what became of it
// when it has not. A line longer than MaxLine ends the child.
func (s *Session) Next() ([]byte, error) {
	var line []byte
	for late := false; ; {
		part, err := s.lines.ReadSlice('\n')
		if len(line)+len(part) > s.cmd.MaxLine+1 {
			s.broke = fmt.Errorf("%s printed more than %d bytes and was ended", s.cmd.Name, s.cmd.MaxLine)
			s.cancel()
			s.ended()
			return nil, s.broke
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, os.ErrDeadlineExceeded) && !late && s.ctx.Err() == nil:
			// A deadline refuses even what waits to be read, and this process may not have run until it was over.
			late = true
			_ = s.stdout.SetReadDeadline(time.Now().Add(grace))
		default:
			s.ended()
			if fate := s.fate(nil); fate != nil {
				return nil, fate
			}
			if len(line) > 0 {
				return nil, fmt.Errorf("%s ended in the middle of a line", s.cmd.Name)
			}
			return nil, io.EOF
		}
	}
}

// End tells the child to end by closing its input, which leaves what it still prints to Next.
func (s *Session) End() { _ = s.stdin.Close() }

// Close ends the child, and whatever it started, and waits for that.
func (s *Session) Close() {
	s.End()
	s.cancel()
	s.ended()
	_ = s.stdout.Close()
}

// Notes is what the child printed on standard error, bounded.
func (s *Session) Notes() string { return s.notes.String() }

// fate says what became of the child: nil when it ended well, otherwise when it is still running.
func (s *Session) fate(otherwise error) error {
	if s.broke != nil {
		return s.broke
	}
	if cause := context.Cause(s.ctx); cause != nil {
		if errors.Is(cause, context.DeadlineExceeded) {
			return s.explain(fmt.Errorf("%s gave no answer in time and was ended", s.cmd.Name))
		}
		return fmt.Errorf("%s was stopped: %w", s.cmd.Name, cause)
	}
	select {
	case <-s.done:
	default:
		return otherwise
	}
	switch crash, ended := crashed(s.state, s.notes.String()); {
	case crash != "":
		return s.explain(fmt.Errorf("%s crashed: %s", s.cmd.Name, crash))
	case ended != 0:
		return s.explain(fmt.Errorf("%s ended with status %d", s.cmd.Name, ended))
	}
	return otherwise
}

// explain adds what the child said of it.
func (s *Session) explain(err error) error {
	if said := Telling(s.Notes()); said != "" && !strings.Contains(err.Error(), said) {
		return fmt.Errorf("%w; it said: %s", err, said)
	}
	return err
}
