package heat

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain makes this test program its own load: with HEADROOM_HEAT set it answers as told.
func TestMain(m *testing.M) {
	if act := os.Getenv("HEADROOM_HEAT"); act != "" {
		pretend(act)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func pretend(act string) {
	say := func(s Status) {
		if err := json.NewEncoder(os.Stdout).Encode(s); err != nil {
			os.Exit(1)
		}
	}
	if act == "refuse" {
		say(Status{Phase: Refused, Reason: ReasonTemperatureUnknown, Words: "the temperature of the CPU is unknown"})
		fmt.Fprintln(os.Stderr, "headroom: heat: not started")
		os.Exit(1)
	}
	say(Status{Phase: Heating, Left: 10, Words: strings.Join(os.Args[1:], " ")})
	switch act {
	case "obey":
		_, _ = io.Copy(io.Discard, os.Stdin)
		say(Status{Phase: Ended, Reason: ReasonParent, Words: "what started it is gone"})
	case "end":
		say(Status{Phase: Ended, Reason: ReasonTime, Words: "its time is over"})
	case "fail":
		say(Status{Phase: Ended, Reason: ReasonFailed, Words: "the device was lost"})
		os.Exit(1)
	case "vanish":
	case "crash":
		panic("no luck")
	case "babble":
		fmt.Println("this is no status")
		hang()
	case "deaf":
		hang()
	}
}

// hang never returns, whatever becomes of its input.
func hang() {
	r, _, err := os.Pipe()
	if err == nil {
		_, _ = r.Read(make([]byte, 1))
	}
}

// childLoad starts this test program as a load, which has patience to stop.
func childLoad(t *testing.T, ctx context.Context, act string, patience time.Duration) *Running {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{CPU: 1, For: 10 * time.Second, program: exe, environ: append(os.Environ(), "HEADROOM_HEAT="+act, "GORACE=atexit_sleep_ms=0")}
	r, err := start(ctx, o, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Stop)
	return r
}

// lastOf reads to the end.
func lastOf(r *Running) (last Status) {
	for s := range r.Status() {
		last = s
	}
	return last
}

func TestWhatBecomesOfAChildIsTold(t *testing.T) {
	for _, c := range []struct {
		act   string
		phase Phase
		why   Reason
		// err is part of the error; empty where there is none.
		err string
	}{
		{"end", Ended, ReasonTime, ""},
		{"refuse", Refused, ReasonTemperatureUnknown, "not started: the temperature of the CPU is unknown"},
		{"fail", Ended, ReasonFailed, "the device was lost"},
		{"vanish", Ended, ReasonFailed, "did not say why"},
		{"crash", Ended, ReasonFailed, "panic: no luck"},
		{"babble", Ended, ReasonFailed, "a line that cannot be used"},
	} {
		t.Run(c.act, func(t *testing.T) {
			r := childLoad(t, t.Context(), c.act, time.Minute)
			if last := lastOf(r); last.Phase != c.phase || last.Reason != c.why || last.Words == "" {
				t.Errorf("the last status is %+v", last)
			}
			err := r.Err()
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("the error is %v, want %q", err, c.err)
			}
		})
	}
}

func TestAChildIsStopped(t *testing.T) {
	for name, stop := range map[string]func(r *Running, cancel func()){
		"by Stop":              func(r *Running, _ func()) { r.Stop() },
		"by its context":       func(_ *Running, cancel func()) { cancel() },
		"by Stop, though deaf": func(r *Running, _ func()) { r.Stop() },
	} {
		t.Run(name, func(t *testing.T) {
			act, patience := "obey", time.Minute
			if strings.Contains(name, "deaf") {
				act, patience = "deaf", time.Millisecond
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r := childLoad(t, ctx, act, patience)
			<-r.Status()
			stop(r, cancel)
			if last := lastOf(r); last.Phase != Ended || last.Reason != ReasonStopped {
				t.Errorf("the last status is %+v", last)
			}
			if err := r.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheCommandLineSaysAllThatWasAskedFor(t *testing.T) {
	o := Options{
		CPU: 3, GPU: true, For: 90 * time.Second, Insist: true, Device: "pci/0000:03:00.0", Sysroot: "tree",
		Limits: map[string]float64{"b": 90.5, "a=1": 80, "package-0": 28_000},
	}
	want := strings.Fields("heat --json --with-parent --cpu 3 --for 1m30s --gpu --insist --device pci/0000:03:00.0 --sysroot tree --limit a=1=80 --limit b=90.5")
	if got := o.Args(); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
