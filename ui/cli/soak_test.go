//go:build soak && cgo && !nogui && linux

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The soak: a window at 20 samples a second, with a user who never rests, on a machine where everything fails. A second
// window opens beside it again and again, in the same home, and is told to close in the midst of it. .ci/soak runs it.

// soaking says how long, and from what seed.
func soaking(t *testing.T) (length time.Duration, seed uint64) {
	length = time.Minute
	for name, take := range map[string]func(string) error{
		"HEADROOM_SOAK":      func(s string) (err error) { length, err = time.ParseDuration(s); return err },
		"HEADROOM_SOAK_SEED": func(s string) (err error) { seed, err = strconv.ParseUint(s, 10, 64); return err },
	} {
		if s := os.Getenv(name); s != "" {
			if err := take(s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	return length, seed
}

// closesWithin is how long a window may take from the word until its process has ended.
const closesWithin = time.Second

// crowd is how much longer things take here than on a machine of our own: runnable tasks for each processor, at least one.
func crowd() float64 {
	var load float64
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(text), &load) // 0 if the kernel does not tell
	}
	return max(load/float64(runtime.NumCPU()), 1)
}

// soaked is a running window.
type soaked struct {
	cmd    *exec.Cmd
	hands  *hands
	id     string
	tell   io.Writer
	answer *bufio.Reader
	stderr *lockedBuffer
	ended  chan struct{}
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// openSoaked opens a window and waits until it is seen.
func openSoaked(h *hands, home, sysroot string, seed uint64) (*soaked, error) {
	w := &soaked{hands: h, stderr: &lockedBuffer{}, ended: make(chan struct{})}
	w.cmd = exec.Command("/proc/self/exe", soakCommand, fmt.Sprint(seed), sysroot)
	w.cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "DISPLAY=" + h.display, "LIBGL_ALWAYS_SOFTWARE=1", "FYNE_SCALE=1", "LC_ALL=C.UTF-8", "HEADROOM_SOAK_HEAP=" + os.Getenv("HEADROOM_SOAK_HEAP")}
	w.cmd.Stderr = w.stderr
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.tell, w.answer = in, bufio.NewReader(out)
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = w.cmd.Wait() // its fate is read from the process state
		close(w.ended)
	}()
	for range 600 {
		if w.id = h.window(); w.id != "" {
			return w, nil
		}
		if w.gone(100 * time.Millisecond) {
			break
		}
	}
	return nil, fmt.Errorf("no window was opened: %s", w.stderr)
}

// gone waits, and reports whether the window's process has ended meanwhile.
func (w *soaked) gone(wait time.Duration) bool {
	select {
	case <-w.ended:
		return true
	case <-time.After(wait):
		return false
	}
}

// stops are the ways to ask a window to close.
var stops = []struct {
	name string
	ask  func(*soaked) error
}{
	{"SIGTERM", func(w *soaked) error { return w.cmd.Process.Signal(syscall.SIGTERM) }},
	{"SIGINT", func(w *soaked) error { return w.cmd.Process.Signal(os.Interrupt) }},
	{"Ctrl+Q", func(w *soaked) error { return w.hands.keys(w.id, "Escape", "Escape", "Escape", "ctrl+q") }},
}

// stop asks the window to close and says how long it took to be gone, with all that it started.
func (w *soaked) stop(how int) (time.Duration, error) {
	children := w.children()
	asked := time.Now()
	if err := stops[how].ask(w); err != nil {
		return 0, err
	}
	if !w.gone(closesWithin) {
		_, _ = io.WriteString(w.tell, "stacks\n") // it may end meanwhile
	}
	if !w.gone(4 * time.Second) {
		w.hands.picture(fmt.Sprintf("missed-%d.png", w.cmd.Process.Pid))
	}
	if !w.gone(30 * time.Second) {
		_ = w.cmd.Process.Kill()
		<-w.ended
		return 0, fmt.Errorf("%s was missed:\n%s", stops[how].name, w.stderr)
	}
	took := time.Since(asked)
	if c := crowd(); took.Seconds() > closesWithin.Seconds()*c {
		return took, fmt.Errorf("%s took %v, with %.1f tasks a processor:\n%s", stops[how].name, took, c, w.stderr)
	}
	if !w.cmd.ProcessState.Success() {
		return took, fmt.Errorf("ended on %s with %v:\n%s", stops[how].name, w.cmd.ProcessState, w.stderr)
	}
	for _, pid := range children {
		if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil && strings.Contains(exe, ".test") {
			return took, fmt.Errorf("the child %d outlived its parent", pid)
		}
	}
	return took, nil
}

// children are the processes that the window has started and not waited for.
func (w *soaked) children() (pids []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", w.cmd.Process.Pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread that ended meanwhile
		for _, s := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(s); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// recording reports whether the window writes a recording.
func (w *soaked) recording(h *soakHome) bool {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", w.cmd.Process.Pid))
	return slices.ContainsFunc(files, func(fd string) bool {
		file, err := os.Readlink(fd)
		return err == nil && strings.HasPrefix(file, h.documents()+"/")
	})
}

// soakUse is what the window's process holds, at rest.
type soakUse struct {
	innerUse
	At       time.Duration
	RSS      int
	Threads  int
	Files    int
	Children int
}

func (w *soaked) use(at time.Duration) (u soakUse, err error) {
	u.At = at
	if _, err = io.WriteString(w.tell, "measure\n"); err != nil {
		return u, err
	}
	line, err := w.answer.ReadBytes('\n')
	if err != nil {
		return u, err
	}
	if err = json.Unmarshal(line, &u.innerUse); err != nil {
		return u, err
	}
	dir := fmt.Sprintf("/proc/%d/", w.cmd.Process.Pid)
	files, err := os.ReadDir(dir + "fd")
	if err != nil {
		return u, err
	}
	u.Files, u.Children = len(files), len(w.children())
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		_, _ = fmt.Sscanf(line, "VmRSS: %d kB", &u.RSS)
		_, _ = fmt.Sscanf(line, "Threads: %d", &u.Threads)
	}
	return u, nil
}

func (u soakUse) String() string {
	return fmt.Sprintf("%6s: heap %5.1f MiB, resident %4d MiB, goroutines %3d, threads %3d, files %3d, children %d; %d samples, %d panics, %d hangs, %d probes so far",
		u.At.Round(time.Second), float64(u.Heap)/(1<<20), u.RSS>>10, u.Goroutines, u.Threads, u.Files, u.Children, u.Samples, u.Panics, u.Hangs, u.Probes)
}

// soak is one run.
type soak struct {
	*testing.T
	seed     uint64
	host     *soakHost
	home     *soakHome
	a, b     *hands
	main     *soaked
	rand     *rand.Rand
	began    time.Time
	stopped  []time.Duration
	sessions uint64
	// What was done: acts of the user, children killed or halted, faults of the disk and those while it was recorded to.
	acts, killed, disk, recording int
}

func TestSoak(t *testing.T) {
	length, seed := soaking(t)
	draw := func(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }
	s := &soak{T: t, seed: seed, rand: draw(1), began: time.Now()}
	dir := t.TempDir()
	var err error
	must := func() {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s.host, err = newSoakHost(filepath.Join(dir, "machine"), draw(2))
	must()
	s.home, err = newSoakHome(filepath.Join(dir, "home"), draw(3))
	must()
	t.Cleanup(func() {
		if err := s.home.unmount(); err != nil {
			t.Error(err)
		}
	})
	s.a, err = newHands(draw(4))
	must()
	t.Cleanup(s.a.close)
	s.b, err = newHands(draw(5))
	must()
	t.Cleanup(s.b.close)
	s.main, err = openSoaked(s.a, s.home.dir, s.host.dir, seed)
	must()
	t.Cleanup(func() {
		_ = s.main.cmd.Process.Kill()
		<-s.main.ended
	})

	turn := max(length/30, 15*time.Second)
	var uses []soakUse
	for time.Since(s.began) < length {
		s.wild(turn)
		uses = append(uses, s.calm())
		t.Log(uses[len(uses)-1])
	}
	s.judge(uses, length)
	s.word("wild")
	s.stop(s.main, 0)
	for _, complaint := range []string{"panic", "fatal error", "DATA RACE", "SIG"} {
		if strings.Contains(s.main.stderr.String(), complaint) {
			t.Errorf("the window complained:\n%s", s.main.stderr)
			break
		}
	}
	slices.Sort(s.stopped)
	t.Logf("seed %d: %d acts of the user, %d children killed or halted, %d faults of the disk, %d while recording; %d windows told to close: within %v, in the middle, and %v at most",
		seed, s.acts, s.killed, s.disk, s.recording, len(s.stopped), s.stopped[len(s.stopped)/2].Round(time.Millisecond), s.stopped[len(s.stopped)-1].Round(time.Millisecond))
	if testing.Verbose() && s.main.stderr.String() != "" {
		t.Logf("standard error of the window:\n%s", s.main.stderr)
	}
}

func (s *soak) word(w string) {
	s.Helper()
	if _, err := io.WriteString(s.main.tell, w+"\n"); err != nil {
		s.alive(0)
		s.Fatal(err)
	}
}

// alive waits and fails if the window has ended meanwhile.
func (s *soak) alive(wait time.Duration) {
	s.Helper()
	if s.main.gone(wait) {
		s.Fatalf("the window ended by itself with %v:\n%s", s.main.cmd.ProcessState, s.main.stderr)
	}
}

func (s *soak) check(err error) {
	s.Helper()
	if err != nil {
		s.alive(0)
		s.Fatal(err)
	}
}

// wild lets everything happen for a while, with a second window in its midst.
func (s *soak) wild(length time.Duration) {
	s.word("wild")
	end := time.Now().Add(length)
	var second *soaked
	var until time.Time
	s.sessions++
	for again := true; again || second != nil; again = time.Now().Before(end) {
		s.check(s.host.harm())
		if s.rand.IntN(8) == 0 {
			s.disk++
			if s.main.recording(s.home) {
				s.recording++
			}
			s.check(s.home.harm())
		}
		s.check(s.a.act(s.main.id))
		s.acts++
		s.harmChildren(s.main)
		if second == nil && until.IsZero() {
			var err error
			second, err = openSoaked(s.b, s.home.dir, s.host.dir, s.seed+s.sessions)
			s.check(err)
			until = time.Now().Add(time.Duration(2+s.rand.IntN(6)) * time.Second)
		}
		if second != nil {
			if second.gone(0) {
				s.Fatalf("the second window ended by itself with %v:\n%s", second.cmd.ProcessState, second.stderr)
			}
			s.check(s.b.act(second.id))
			s.acts++
			s.harmChildren(second)
			if time.Now().After(until) {
				s.stop(second, int(s.sessions)%len(stops))
				second = nil
			}
		}
		s.alive(time.Duration(50+s.rand.IntN(300)) * time.Millisecond)
	}
}

// harmChildren kills a child of a window now and then, or halts it, as a driver would that hangs.
func (s *soak) harmChildren(w *soaked) {
	for _, pid := range w.children() {
		switch s.rand.IntN(6) {
		case 0:
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended meanwhile
			s.killed++
		case 1:
			_ = syscall.Kill(pid, syscall.SIGSTOP)
			s.killed++
		}
	}
}

func (s *soak) stop(w *soaked, how int) {
	s.Helper()
	took, err := w.stop(how)
	if err != nil {
		s.Errorf("after %v: %v", time.Since(s.began).Round(time.Second), err)
	}
	s.stopped = append(s.stopped, took)
}

// calm ends all faults, lets the window rest, and measures.
func (s *soak) calm() soakUse {
	s.Helper()
	s.word("calm")
	s.check(s.host.mend())
	s.check(s.home.mend())
	s.check(s.a.rest(s.main.id))
	for _, pid := range s.main.children() {
		_ = syscall.Kill(pid, syscall.SIGKILL) // proofs that would run on; it may have ended meanwhile
	}
	s.alive(8 * time.Second)
	u, err := s.main.use(time.Since(s.began))
	s.check(err)
	s.word("heap")
	return u
}

// judge fails where something has grown between the time when all that is kept has been kept once, and the end. The last ten
// minutes are kept, so that in a run of less than twice that the heap still fills.
func (s *soak) judge(uses []soakUse, length time.Duration) {
	warm := max(length*4/10, time.Minute/2)
	first := slices.IndexFunc(uses, func(u soakUse) bool { return u.At >= warm })
	if first < 0 || len(uses)-first < 2 {
		s.Fatalf("%v is too short for a soak", length)
	}
	uses = uses[first:]
	fills := 0.0
	if length < 20*time.Minute {
		fills = 32
	}
	early, late := uses[:(len(uses)+1)/2], uses[len(uses)/2:]
	for _, c := range []struct {
		name  string
		of    func(soakUse) float64
		slack float64
	}{
		{"heap, in MiB", func(u soakUse) float64 { return float64(u.Heap) / (1 << 20) }, 4 + fills},
		{"resident memory, in MiB", func(u soakUse) float64 { return float64(u.RSS) / 1024 }, 32 + fills},
		{"goroutines", func(u soakUse) float64 { return float64(u.Goroutines) }, 3},
		{"threads", func(u soakUse) float64 { return float64(u.Threads) }, 4},
		{"open files", func(u soakUse) float64 { return float64(u.Files) }, 3},
		{"children", func(u soakUse) float64 { return float64(u.Children) }, 1},
	} {
		before, after := middle(early, c.of), middle(late, c.of)
		if after > before+c.slack {
			s.Errorf("%s grew from %.1f to %.1f", c.name, before, after)
			if c.name == "goroutines" {
				s.word("stacks")
				s.alive(time.Second)
				s.Log(s.main.stderr)
			}
		}
		s.Logf("%s: %.1f, later %.1f", c.name, before, after)
	}
}

// middle is the median.
func middle(uses []soakUse, of func(soakUse) float64) float64 {
	var all []float64
	for _, u := range uses {
		all = append(all, of(u))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
