package cli

import (
	"testing"
	"testing/synctest"
	"time"
)

// A driver that takes its time to answer takes nothing off the time that was asked for.
func TestASpanBeginsWithTheFirstSample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, begun, cancel := within(t.Context(), time.Second)
		defer cancel()
		time.Sleep(time.Minute)
		begun()
		time.Sleep(time.Second - time.Millisecond)
		begun()
		if err := ctx.Err(); err != nil {
			t.Fatalf("before its time: %v", err)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if ctx.Err() == nil {
			t.Fatal("it does not end")
		}
	})
}

func TestNoSpanIsNoEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, begun, cancel := within(t.Context(), 0)
		begun()
		time.Sleep(24 * time.Hour)
		if err := ctx.Err(); err != nil {
			t.Fatal(err)
		}
		cancel()
		if ctx.Err() == nil {
			t.Fatal("it cannot be ended")
		}
	})
}
