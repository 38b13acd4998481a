//go:build linux && cgo && !nowebgpu

package gpu

import (
	"context"
	"errors"
	"strings"
	"testing"

	"headroom/sensors"
)

// burnOn gives options to load Mesa's software adapter.
func burnOn(t *testing.T) BurnOptions {
	t.Helper()
	o := BurnOptions{Options: lavapipe(t)}
	adapters, r := Probe(t.Context(), o.Options)
	if r.State != sensors.StateOK || len(adapters) == 0 {
		t.Fatalf("no adapter: %+v", r)
	}
	o.Adapter, o.Among = adapters[0], adapters
	return o
}

func TestBurstsKeepTheAdapterAtWork(t *testing.T) {
	b, err := StartBurn(t.Context(), burnOn(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 2 {
		done, err := b.Burst()
		if err != nil {
			t.Fatal(err)
		}
		if done.Dispatches < 1 || done.Seconds <= 0 || done.Longest > done.Seconds {
			t.Fatalf("a burst of %+v", done)
		}
		t.Logf("%+v", done)
	}
}

func TestALoadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b, err := StartBurn(ctx, burnOn(t))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	cancel()
	for range 100 {
		if _, err = b.Burst(); err != nil {
			break
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func TestALoadOnAnAdapterThatIsGoneSaysSo(t *testing.T) {
	o := burnOn(t)
	o.Adapter.Name = "a card that was pulled out"
	b, err := StartBurn(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.Burst(); err == nil || !strings.Contains(err.Error(), `open adapter "a card that was pulled out": it is no longer listed`) {
		t.Fatalf("got %v", err)
	}
}
