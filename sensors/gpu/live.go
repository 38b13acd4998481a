package gpu

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"headroom/sensors/gpu/child"
	"headroom/sensors/gpu/vulkan"
)

// jobMemory is the long-lived child's job: one line of memory figures for each line that it reads.
const jobMemory = "memory"

// memoryAnswer is one such line.
type memoryAnswer struct {
	Cards []vulkan.Card `json:"cards"`
}

// answerMemory is the child's side: it keeps Vulkan open and answers until its input closes, even while a driver hangs.
func answerMemory(in io.Reader, out io.Writer) error {
	asks := make(chan struct{})
	go func() {
		for lines := bufio.NewScanner(in); lines.Scan(); {
			asks <- struct{}{}
		}
		os.Exit(0)
	}()
	l, err := vulkan.Open()
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	for range asks {
		cards, err := l.Cards()
		if err != nil {
			return err
		}
		if err := enc.Encode(memoryAnswer{Cards: cards}); err != nil {
			return fmt.Errorf("write memory figures: %w", err)
		}
	}
	return nil
}

// live is the parent's side: a child that is asked for figures as long as it lives.
type live struct {
	session *child.Session
	since   time.Time
	cancel  context.CancelCauseFunc
}

// startLive starts the child, which lives until end.
func startLive(o Options, v view, now time.Time) (*live, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	s, err := start(ctx, o, v, jobMemory)
	if err != nil {
		cancel(err)
		return nil, err
	}
	return &live{session: s, since: now, cancel: cancel}, nil
}

// cards asks for the figures of this moment. After an error the child is of no more use.
func (l *live) cards(timeout time.Duration) ([]vulkan.Card, error) {
	late := time.AfterFunc(timeout, func() { l.cancel(context.DeadlineExceeded) })
	defer late.Stop()
	if err := l.session.Send("refresh"); err != nil {
		return nil, err
	}
	line, err := l.session.Next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s ended by itself", childName)
		}
		return nil, err
	}
	var a memoryAnswer
	if err := json.Unmarshal(line, &a); err != nil || len(a.Cards) > maxAdapters {
		return nil, fmt.Errorf("%s gave memory figures that cannot be used: %.40q", childName, line)
	}
	return a.Cards, nil
}

func (l *live) end() {
	l.session.Close()
	l.cancel(nil)
}
