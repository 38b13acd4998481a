package nvidiasmi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Deadline is how long one call may take: without a client the driver first wakes the cards.
const Deadline = 5 * time.Second

// maxAnswer is how much of an answer is read.
const maxAnswer = 1 << 20

// Tool is one nvidia-smi. It is used by one goroutine at a time.
type Tool struct {
	Path string
	// Answer is told what the tool said of the cards, as ParseGPUs reads it; nil tells nobody.
	Answer func(text string)
	// unknown are fields that this driver refused.
	unknown []string
}

// Query asks for the cards.
func (t *Tool) Query(ctx context.Context) ([]GPU, error) {
	for {
		fields := t.fields()
		out, err := t.run(ctx, "--query-gpu="+strings.Join(fields, ","), "--format=csv,nounits")
		if bad := refused(out, fields); bad != "" {
			t.unknown = append(t.unknown, bad)
			continue
		}
		if err != nil {
			return nil, err
		}
		if t.Answer != nil {
			t.Answer(out)
		}
		return ParseGPUs(out)
	}
}

// fields are those that this driver has not refused, newer names in place of older ones.
func (t *Tool) fields() []string {
	var list []string
	for _, f := range Fields {
		if slices.Contains(t.unknown, f) {
			f = newer[f]
		}
		if f != "" && !slices.Contains(t.unknown, f) {
			list = append(list, f)
		}
	}
	return list
}

// newer are the names that later drivers use.
var newer = map[string]string{"clocks_throttle_reasons.active": "clocks_event_reasons.active"}

// Processes asks for the compute processes.
func (t *Tool) Processes(ctx context.Context) ([]Process, error) {
	out, err := t.run(ctx, "--query-compute-apps=pid,gpu_bus_id,used_memory", "--format=csv,nounits")
	if err != nil {
		return nil, err
	}
	return ParseProcesses(out)
}

// refused gives the field that the driver does not know; the first, pci.bus_id, it always does.
func refused(out string, fields []string) string {
	if !strings.Contains(out, "is not a valid field") {
		return ""
	}
	for _, f := range fields[1:] {
		if strings.Contains(out, `"`+f+`"`) {
			return f
		}
	}
	return ""
}

// run runs the tool once. The answer comes back with an error, as the tool explains itself there.
func (t *Tool) run(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.Path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = 500 * time.Millisecond
	hideWindow(cmd)
	out := &bounded{limit: maxAnswer}
	cmd.Stdout, cmd.Stderr = out, out
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("run nvidia-smi: no answer within %s: %w", Deadline, ctx.Err())
	case err != nil:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return out.String(), fmt.Errorf("run nvidia-smi: it says %q: %w", firstLine(out.String()), err)
		}
		return out.String(), fmt.Errorf("run nvidia-smi: %w", err)
	}
	return out.String(), nil
}

// bounded keeps the start of what is written to it.
type bounded struct {
	strings.Builder
	limit int
}

func (b *bounded) Write(p []byte) (int, error) {
	if room := b.limit - b.Len(); room > 0 {
		b.Builder.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
