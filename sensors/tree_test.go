package sensors

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// files is a recorded tree; a path that ends in "/" is a folder where a file is expected.
type files map[string]string

// tree writes files under a temporary folder.
func tree(t testing.TB, f files) string {
	t.Helper()
	root := t.TempDir()
	write(t, root, f)
	return root
}

func write(t testing.TB, root string, f files) {
	t.Helper()
	for name, body := range f {
		file := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(file, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t testing.TB, root string, names ...string) {
	t.Helper()
	for _, n := range names {
		if err := os.RemoveAll(filepath.Join(root, filepath.FromSlash(n))); err != nil {
			t.Fatal(err)
		}
	}
}

// under puts a folder's name before each path.
func under(dir string, f files) files {
	out := files{}
	for k, v := range f {
		out[dir+"/"+k] = v
	}
	return out
}

// join makes one tree of several.
func join(parts ...files) files {
	out := files{}
	for _, p := range parts {
		for k, v := range p {
			out[k] = v
		}
	}
	return out
}

// stepClock moves only by hand, except that waiting for the second reading of a counter passes at once, as a quarter of a
// second whichever wait it is.
type stepClock struct {
	mu  sync.Mutex
	now time.Time
	// wait is called when someone waits for the counters.
	wait func()
}

func newStepClock() *stepClock {
	return &stepClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

func (c *stepClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stepClock) step(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *stepClock) After(d time.Duration) <-chan time.Time {
	if d > longerGap {
		// No deadline passes: how long a loaded machine takes is no matter.
		return nil
	}
	c.step(longerGap)
	if c.wait != nil {
		c.wait()
	}
	ch := make(chan time.Time, 1)
	ch <- c.Now()
	return ch
}

// sampleOf makes one sample of a tree.
func sampleOf(t testing.TB, f files) Sample {
	t.Helper()
	return NewPoller(Options{Sysroot: tree(t, f), Clock: newStepClock()}).Once(t.Context())
}

// reading finds a reading by its ID.
func reading(t testing.TB, s Sample, id string) Reading {
	t.Helper()
	for _, r := range Readings(s) {
		if r.ID == id {
			return r
		}
	}
	var ids []string
	for _, r := range Readings(s) {
		ids = append(ids, r.ID)
	}
	t.Fatalf("no reading %q among %q", id, ids)
	return Reading{}
}

// want checks a reading's value and state; an unknown value is given as unknown.
func want(t testing.TB, s Sample, id string, value Number, state State) Reading {
	t.Helper()
	r := reading(t, s, id)
	if r.State != state || r.Value != value {
		t.Errorf("%s is %v (%s, %q), want %v (%s)", id, r.Value, r.State, r.Detail, value, state)
	}
	if r.State != StateOK && r.Detail == "" {
		t.Errorf("%s is %s without saying why", id, r.State)
	}
	return r
}

var unknown Number
