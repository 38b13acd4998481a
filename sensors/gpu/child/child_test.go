//go:build unix

package child

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain makes this test program its own child: with HEADROOM_FAULT set it misbehaves as told.
func TestMain(m *testing.M) {
	if fault := os.Getenv("HEADROOM_FAULT"); fault != "" {
		misbehave(fault)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func misbehave(fault string) {
	switch fault {
	case "well":
		fmt.Println("one")
		fmt.Println("two")
	case "rights":
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			panic(err)
		}
		os.Stdout.Write(status)
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			panic(err)
		}
		for _, f := range files {
			to, _ := os.Readlink("/proc/self/fd/" + f.Name()) // the folder itself is closed by now
			fmt.Println("file", f.Name(), to)
		}
	case "hang":
		hang()
	case "hang-with-grandchild":
		// The grandchild holds the same output open: ending the child alone would leave the reader waiting.
		g := exec.Command(os.Args[0])
		g.Env = append(os.Environ(), "HEADROOM_FAULT=hang")
		g.Stdout, g.Stderr = os.Stdout, os.Stderr
		if err := g.Start(); err != nil {
			panic(err)
		}
		fmt.Println(g.Process.Pid)
		hang()
	case "parent":
		exe, err := os.Executable()
		if err != nil {
			panic(err)
		}
		s, err := Start(context.Background(), Command{
			Name: "the test child", Path: exe, MaxLine: 1024,
			Env: append(os.Environ(), "HEADROOM_FAULT=hang"),
		})
		if err != nil {
			panic(err)
		}
		fmt.Println(s.pid)
		hang()
	case "killed":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		hang()
	case "abort":
		fmt.Fprintln(os.Stderr, "thread '<unnamed>' panicked at src/lib.rs:1:2:")
		fmt.Fprintln(os.Stderr, "device lost")
		_ = syscall.Kill(os.Getpid(), syscall.SIGABRT)
		hang()
	case "status":
		fmt.Fprintln(os.Stderr, "no luck\x1b[31m today")
		fmt.Fprintln(os.Stderr, "error: XDG_RUNTIME_DIR is invalid or not set in the environment.")
		os.Exit(3)
	case "flood":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 4096)); err != nil {
				return
			}
		}
	case "chatter":
		for range 10_000 {
			fmt.Fprintln(os.Stderr, strings.Repeat("warning ", 20))
		}
		fmt.Println("answer")
	case "cut":
		fmt.Print("half a li")
	case "echo":
		in := bufio.NewScanner(os.Stdin)
		for in.Scan() {
			fmt.Println("got " + in.Text())
		}
	}
}

// hang never returns: its own input stays open and silent.
func hang() {
	r, _, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	_, _ = r.Read(make([]byte, 1))
	select {}
}

func start(t *testing.T, ctx context.Context, fault string) *Session {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(ctx, Command{
		Name: "the test child", Path: exe, MaxLine: 1024,
		Env: append(os.Environ(), "HEADROOM_FAULT="+fault, "GORACE=atexit_sleep_ms=0"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// drain reads to the end and gives the lines and what ended them.
func drain(s *Session) (lines []string, err error) {
	for {
		line, err := s.Next()
		if err != nil {
			return lines, err
		}
		lines = append(lines, string(line))
	}
}

func TestAChildThatEndsWellGivesItsLines(t *testing.T) {
	lines, err := drain(start(t, t.Context(), "well"))
	if err != io.EOF || len(lines) != 2 || lines[0] != "one" || lines[1] != "two" {
		t.Fatalf("got %q, %v", lines, err)
	}
}

func TestEveryFaultIsOnePlainError(t *testing.T) {
	for _, c := range []struct{ fault, want string }{
		{"killed", "crashed: signal killed"},
		{"abort", "device lost"},
		{"abort", "crashed: SIGABRT"},
		{"status", "ended with status 3; it said: no luck [31m today"},
		{"flood", "printed more than 1024 bytes"},
		{"cut", "ended in the middle of a line"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			_, err := drain(start(t, t.Context(), c.fault))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q in it", err, c.want)
			}
			if strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Fatalf("%q holds control characters", err)
			}
		})
	}
}

func TestTheDeadlineEndsTheChild(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	s := start(t, ctx, "hang")
	if _, err := s.Next(); err == nil || err.Error() != "the test child gave no answer in time and was ended" {
		t.Fatalf("got %v", err)
	}
	<-s.done // or the child still runs
}

func TestTheDeadlineEndsTheWholeGroup(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := start(t, ctx, "hang-with-grandchild")
	line, err := s.Next()
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(line))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	// Only the grandchild's end closes the output, so reaching the end here shows that it is gone.
	if _, err := s.Next(); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	awaitEnd(t, pid)
}

func TestTheChildEndsWithItsParent(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(exe)
	parent.Env = append(os.Environ(), "HEADROOM_FAULT=parent")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	// Only the parent is killed: it cannot take its child along.
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	awaitEnd(t, pid)
}

// awaitEnd waits until the process is dead, at most until the test's own deadline.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for !gone(pid) {
		if ctx.Err() != nil {
			t.Fatalf("process %d still runs", pid)
		}
		runtime.Gosched()
	}
}

// gone reports whether the process is dead; a zombie that nobody reaps is.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) != nil
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(after, "Z") || strings.HasPrefix(after, "X")
}

// What a child printed before it ended is read, however late this process comes to it.
func TestAnAnswerWaitsForALateReader(t *testing.T) {
	s := start(t, t.Context(), "well")
	<-s.done
	if err := s.stdout.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if lines, err := drain(s); err != io.EOF || len(lines) != 2 {
		t.Fatalf("got %q, %v", lines, err)
	}
}

func TestChatterOnStandardErrorIsBoundedAndHarmless(t *testing.T) {
	s := start(t, t.Context(), "chatter")
	lines, err := drain(s)
	if err != io.EOF || len(lines) != 1 || lines[0] != "answer" {
		t.Fatalf("got %q, %v", lines, err)
	}
	if n := len(s.Notes()); n == 0 || n > notesHead+notesTail {
		t.Fatalf("kept %d bytes", n)
	}
}

func TestAChildAnswersWhileItLives(t *testing.T) {
	s := start(t, t.Context(), "echo")
	for _, ask := range []string{"a", "b"} {
		if err := s.Send(ask); err != nil {
			t.Fatal(err)
		}
		line, err := s.Next()
		if err != nil || string(line) != "got "+ask {
			t.Fatalf("got %q, %v", line, err)
		}
	}
	s.End()
	if _, err := s.Next(); err != io.EOF {
		t.Fatalf("after its input closed: %v", err)
	}
}

func TestAMissingProgramIsAnError(t *testing.T) {
	_, err := Start(t.Context(), Command{Name: "the test child", Path: "/nonexistent/program", MaxLine: 10})
	if err == nil || !strings.Contains(err.Error(), "start the test child") {
		t.Fatalf("got %v", err)
	}
}
