package bandwidth

import (
	"context"
	"strings"
	"testing"

	"headroom/sensors"
)

func TestRAM(t *testing.T) {
	r := RAM(context.Background(), 1<<30)
	v, ok := r.Value.Get()
	// No RAM reads 10 TB/s; how slowly a busy machine reads its own is nobody's fault.
	if !ok || v <= 0 || v > 1e13 || r.State != sensors.StateOK || r.Unit != "B/s" || r.Detail == "" {
		t.Errorf("measured %+v", r)
	}
}

func TestTooLittleMemory(t *testing.T) {
	for _, available := range []uint64{0, 100 << 20} {
		if r := RAM(context.Background(), available); r.Value.Known() || r.State != sensors.StateNotOffered || !strings.Contains(r.Detail, "too little") {
			t.Errorf("with %d bytes: %+v", available, r)
		}
	}
}

func TestStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if r := RAM(ctx, 8<<30); r.Value.Known() || r.State != sensors.StateError {
		t.Errorf("after the end: %+v", r)
	}
}

func TestSum(t *testing.T) {
	for n := range 40 {
		s := make([]uint64, n)
		var want uint64
		for i := range s {
			s[i] = uint64(i*i + 1)
			want += s[i]
		}
		if got := sum(s); got != want {
			t.Errorf("%d numbers sum to %d, want %d", n, got, want)
		}
	}
}
