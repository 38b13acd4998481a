//go:build linux

package gpu

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/engine"
)

// misbehaveLive is a child with one discrete card, whose memory in use grows by 1 MiB with each question. It writes each
// job that it was started for to a log.
func misbehaveLive(fault, job string) {
	log, err := os.OpenFile(filepath.Join(os.Getenv("VK_HEADROOM_TEST_TREE"), "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(log, job)
	switch job {
	case jobAdapters:
		fmt.Println(`{"adapters":[{"name":"Test Card","type":"discrete","backend":"vulkan","vendor_id":4098,"device_id":7,` +
			`"vram_total":8589934592,"vram_budget":7516192768,"vram_usage":0}]}`)
	case jobMemory:
		asks := bufio.NewScanner(os.Stdin)
		for n := 1; asks.Scan(); n++ {
			fmt.Fprintln(log, "ask")
			switch {
			case fault == "live-dies" && n == 2:
				fmt.Fprintln(os.Stderr, "driver gone")
				os.Exit(3)
			case fault == "live-hangs" && n == 2:
				misbehave("hang")
			case fault == "live-garbage" && n == 2:
				fmt.Println(`{"cards":"many"}`)
				continue
			}
			fmt.Printf(`{"cards":[{"Name":"Test Card","Type":"discrete","VendorID":4098,"DeviceID":7,"Heap":8589934592,`+
				`"HasBudget":true,"Budget":7516192768,"Usage":%d}]}`+"\n", n<<20)
		}
	}
}

// watched is a Watcher over a tree with one card, whose clock the test moves.
type watched struct {
	*Watcher
	t    *testing.T
	root string
	time time.Time
}

func watch(t *testing.T, fault string) *watched {
	t.Helper()
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	o := faulty(fault)
	o.Sysroot = tree(t, map[string]string{
		"sys/class/drm/card0/device/uevent":               "DRIVER=amdgpu\nPCI_SLOT_NAME=0000:03:00.0\n",
		"sys/class/drm/card0/device/power/runtime_status": "active\n",
		"sys/class/drm/card0/device/power/control":        "on\n",
	})
	o.environ = append(o.environ, "VK_HEADROOM_TEST_TREE="+o.Sysroot)
	w := &watched{Watcher: NewWatcher(o), t: t, root: o.Sysroot, time: time.Unix(1_000_000, 0)}
	w.now = func() time.Time { return w.time }
	w.Watcher.wait = time.Minute
	t.Cleanup(w.Close)
	return w
}

func (w *watched) set(file, content string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.root, "sys/class/drm/card0/device", file), []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// look probes and gives the memory in use, −1 where it is unknown, with the reading.
func (w *watched) look() (float64, sensors.Reading) {
	w.t.Helper()
	adapters, r := w.Probe(w.t.Context())
	if len(adapters) != 1 {
		w.t.Fatalf("got %+v, %+v", adapters, r)
	}
	if total := adapters[0].VRAMTotal; total != sensors.Num(8<<30) {
		w.t.Fatalf("total is %v", total)
	}
	return adapters[0].VRAMUsage.Or(-1), r
}

func (w *watched) log() string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.root, "log"))
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(b)), " ")
}

func TestMemoryInUseMovesThroughOneChild(t *testing.T) {
	w := watch(t, "live-well")
	for i, want := range []float64{0, 1 << 20, 2 << 20, 3 << 20} {
		if got, r := w.look(); got != want || r.State != sensors.StateOK || r.Detail != "" {
			t.Fatalf("look %d: got %v, %+v", i, got, r)
		}
	}
	if got := w.log(); got != "adapters memory ask ask ask" {
		t.Fatalf("children and questions: %s", got)
	}
}

func TestSharedListingsAreNotChangedLater(t *testing.T) {
	w := watch(t, "live-well")
	first, _ := w.Probe(t.Context())
	before := first[0].VRAMUsage
	w.look()
	if first[0].VRAMUsage != before {
		t.Fatal("an earlier Sample's adapter changed")
	}
}

func TestAChildThatFailsIsStartedAgainLater(t *testing.T) {
	for fault, say := range map[string]string{
		"live-dies":    "ended with status 3; it said: driver gone",
		"live-hangs":   "gave no answer in time",
		"live-garbage": "cannot be used",
	} {
		t.Run(fault, func(t *testing.T) {
			w := watch(t, fault)
			w.look()
			w.look()
			if fault == "live-hangs" {
				w.Watcher.wait = 100 * time.Millisecond
			}
			got, r := w.look()
			if got != 1<<20 || r.State != sensors.StateOK || !strings.Contains(r.Detail, say) {
				t.Fatalf("after the fault: %v, %+v, want %q", got, r, say)
			}
			w.Watcher.wait = time.Minute
			w.time = w.time.Add(backOff - time.Second)
			w.look()
			if got := w.log(); got != "adapters memory ask ask" {
				t.Fatalf("before the wait is over: %s", got)
			}
			w.time = w.time.Add(2 * time.Second)
			if got, r := w.look(); got != 1<<20 || r.Detail != "" {
				t.Fatalf("after the wait: %v, %+v", got, r)
			}
			if got := w.log(); got != "adapters memory ask ask memory ask" {
				t.Fatalf("children and questions: %s", got)
			}
		})
	}
}

func TestOldFiguresAreUnknown(t *testing.T) {
	w := watch(t, "live-dies")
	w.look()
	w.look()
	w.look() // fails
	w.retryAt = w.time.Add(time.Hour)
	w.time = w.time.Add(figuresFor + time.Second)
	if got, r := w.look(); got != -1 || !strings.Contains(r.Detail, "memory in use is unknown") {
		t.Fatalf("got %v, %+v", got, r)
	}
}

func TestAdaptersAreListedAgainWhenACardFallsAsleepOrWakes(t *testing.T) {
	w := watch(t, "live-well")
	w.look()
	w.look()
	w.set("power/runtime_status", "suspended\n")
	if _, r := w.look(); !strings.Contains(r.Detail, "is asleep and was left so") {
		t.Fatalf("asleep: %+v", r)
	}
	if w.live != nil {
		t.Fatal("the child that knows the sleeping card's driver still runs")
	}
	w.set("power/runtime_status", "active\n")
	if _, r := w.look(); r.Detail != "" {
		t.Fatalf("awake: %+v", r)
	}
	if got := w.log(); got != "adapters memory ask adapters adapters" {
		t.Fatalf("children and questions: %s", got)
	}
}

func TestRelistListsAgain(t *testing.T) {
	w := watch(t, "live-well")
	w.look()
	w.Relist()
	w.look()
	if got := w.log(); got != "adapters adapters" {
		t.Fatalf("children and questions: %s", got)
	}
}

func TestACardThatCouldSleepIsLeftAloneNowAndThen(t *testing.T) {
	w := watch(t, "live-well")
	w.set("power/control", "auto\n")
	w.look()
	w.look()
	w.time = w.time.Add(wakeFor)
	if _, r := w.look(); !strings.Contains(r.Detail, "left alone so that it can fall asleep") {
		t.Fatalf("got %+v", r)
	}
	if w.live != nil {
		t.Fatal("the child still runs")
	}
	w.time = w.time.Add(restFor / 2)
	w.look()
	if got := w.log(); got != "adapters memory ask" {
		t.Fatalf("while it rests: %s", got)
	}
	w.time = w.time.Add(restFor)
	if _, r := w.look(); r.Detail != "" {
		t.Fatalf("after its rest: %+v", r)
	}
	if got := w.log(); got != "adapters memory ask memory ask" {
		t.Fatalf("children and questions: %s", got)
	}
}

func TestAPausedWatcherTouchesNothing(t *testing.T) {
	w := watch(t, "live-well")
	w.look()
	w.look()
	w.Pause()
	if w.live != nil {
		t.Fatal("the child still runs")
	}
	w.set("power/runtime_status", "suspended\n")
	if got, r := w.look(); got != 1<<20 || !strings.Contains(r.Detail, "nobody looked") {
		t.Fatalf("paused: %v, %+v", got, r)
	}
	w.set("power/runtime_status", "active\n")
	w.Resume()
	if got, r := w.look(); got != 1<<20 || r.Detail != "" {
		t.Fatalf("resumed: %v, %+v", got, r)
	}
	if got := w.log(); got != "adapters memory ask memory ask" {
		t.Fatalf("children and questions: %s", got)
	}
}

// The window asks for a new listing in the goroutine that paints it.
func TestRelistDoesNotWaitForAListing(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := faulty("hang")
	o.Sysroot = t.TempDir()
	w := NewWatcher(o)
	defer w.Close()
	w.Relist()
	over := make(chan struct{})
	go func() {
		defer close(over)
		w.Probe(ctx)
	}()
	for w.relist.Load() {
		runtime.Gosched() // the listing that was asked for has not begun
	}
	w.Relist()
	select {
	case <-over:
		t.Error("it waited until the listing was over")
	default:
	}
	cancel()
	<-over
	if !w.due(w.now(), w.kernel, 1) {
		t.Error("what was asked for during a listing is forgotten")
	}
}

func TestAFailedListingIsTriedAgain(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	o := faulty("crash")
	o.Sysroot = t.TempDir()
	w := NewWatcher(o)
	at := time.Unix(1_000_000, 0)
	w.now = func() time.Time { return at }
	defer w.Close()
	if _, r := w.Probe(t.Context()); r.State != sensors.StateError {
		t.Fatalf("got %+v", r)
	}
	w.opts = faulty("good")
	w.opts.Sysroot = o.Sysroot
	at = at.Add(relistFailed)
	if _, r := w.Probe(t.Context()); r.State != sensors.StateOK {
		t.Fatalf("got %+v", r)
	}
}

func TestTheMemoryChildAnswersOnARealDriver(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	found, err := filepath.Glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
	if err != nil || len(found) == 0 {
		t.Skip("Mesa's software Vulkan driver is not installed")
	}
	env := append(childEnv(os.Environ()), "VK_DRIVER_FILES="+found[0], "VK_ICD_FILENAMES="+found[0], "GORACE=atexit_sleep_ms=0")
	l, err := startLive(Options{}, view{env: env}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer l.end()
	for range 3 {
		cards, err := l.cards(time.Minute)
		if err != nil || len(cards) != 1 || cards[0].Heap == 0 {
			t.Fatalf("got %+v, %v", cards, err)
		}
	}
}
