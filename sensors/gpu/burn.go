package gpu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/child"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/gpu/prove"
)

// jobBurn is the child's job: keep an adapter at work.
const jobBurn = "burn"

// burstPatience is how long a burst may take, the first one with opening the adapter, before the child is taken for hung.
const burstPatience = 30 * time.Second

// BurnOptions say which adapter is to be kept at work.
type BurnOptions struct {
	Options
	// Adapter is one of those that Probe listed, Among all of them: equal ones are told apart by their order.
	Adapter sensors.Adapter
	Among   []sensors.Adapter
}

// Burner keeps an adapter at work, burst by burst, in a child process. When no burst is asked for, the adapter rests: a
// caller that is stopped, hangs or dies cannot leave it at work. It is for one goroutine.
type Burner struct {
	session *child.Session
	cancel  context.CancelCauseFunc
}

// StartBurn starts the child, which lives until ctx ends or Close.
func StartBurn(ctx context.Context, o BurnOptions) (*Burner, error) {
	if !engine.Available {
		return nil, fmt.Errorf("load the GPU: %s", noWebGPU)
	}
	devs, seen := look(o.Options)
	if sleeps(devs, o.Adapter) != "" {
		return nil, errors.New("load the GPU: its card is asleep and is left so")
	}
	request, err := json.Marshal(prove.BurnRequest{Adapter: ProveOptions{Adapter: o.Adapter, Among: o.Among}.request("").Adapter})
	if err != nil {
		return nil, fmt.Errorf("load the GPU: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	s, err := start(ctx, o.Options, seen, jobBurn)
	if err != nil {
		cancel(err)
		return nil, err
	}
	b := &Burner{session: s, cancel: cancel}
	if err := s.Send(string(request)); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Burst has the adapter work for half a second and gives what it did. After an error the Burner is of no more use.
func (b *Burner) Burst() (prove.Burst, error) {
	late := time.AfterFunc(burstPatience, func() { b.cancel(context.DeadlineExceeded) })
	defer late.Stop()
	if err := b.session.Send("burst"); err != nil {
		return prove.Burst{}, err
	}
	line, err := b.session.Next()
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s ended by itself", childName)
	}
	if err != nil {
		return prove.Burst{}, err
	}
	var done prove.Burst
	if err := json.Unmarshal(line, &done); err != nil {
		return prove.Burst{}, fmt.Errorf("%s gave an answer that cannot be used: %.40q", childName, line)
	}
	return done, nil
}

// Close ends the child and waits for that.
func (b *Burner) Close() {
	b.session.Close()
	b.cancel(nil)
}
