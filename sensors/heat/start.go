package heat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"headroom/sensors/gpu/child"
)

// The command with which this program runs itself as a load, and its flag that ties the load to its standard input.
const (
	Command    = "heat"
	ParentFlag = "with-parent"
)

const (
	// stopPatience is how long a child that was told to stop may take before it is killed.
	stopPatience = 5 * time.Second
	// maxStatus bounds a Status line in bytes.
	maxStatus = 64 << 10
)

// Start loads this machine from a child process: this very program, run as Args says. The child ends when ctx does, at Stop,
// and when this process ends, however that happens.
func Start(ctx context.Context, o Options) (*Running, error) {
	return start(ctx, o, stopPatience)
}

func start(ctx context.Context, o Options, patience time.Duration) (*Running, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.program == "" {
		var err error
		if o.program, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("start a load: %w", err)
		}
		o.environ = os.Environ()
	}
	// The child is told to stop when ctx ends, so that it can say so, and killed when it does not.
	life, kill := context.WithCancel(context.WithoutCancel(ctx))
	s, err := child.Start(life, child.Command{Name: "the load", Path: o.program, Args: o.Args(), Env: o.environ, MaxLine: maxStatus})
	if err != nil {
		kill()
		return nil, err
	}
	p := &process{session: s, kill: kill, patience: patience, asked: make(chan struct{})}
	r := newRunning(p.stop)
	unwatch := context.AfterFunc(ctx, p.stop)
	go func() {
		err := p.follow(r.put)
		unwatch()
		s.Close()
		kill()
		r.end(err)
	}()
	return r, nil
}

// Args is the command line, without the program's name, that loads a machine as the options say and answers in lines.
func (o *Options) Args() []string {
	args := []string{Command, "--json", "--" + ParentFlag, "--cpu", strconv.Itoa(o.CPU)}
	if o.For != 0 {
		args = append(args, "--for", o.For.String())
	}
	if o.GPU {
		args = append(args, "--gpu")
	}
	if o.Insist {
		args = append(args, "--insist")
	}
	if o.Device != "" {
		args = append(args, "--device", o.Device)
	}
	if o.Sysroot != "" {
		args = append(args, "--sysroot", o.Sysroot)
	}
	for _, id := range slices.Sorted(maps.Keys(o.Limits)) {
		// Settings hold limits of power under the same roof, in mW: they are no matter of a load.
		if v := o.Limits[id]; v > 0 && v <= maxLimitC {
			args = append(args, "--limit", id+"="+strconv.FormatFloat(v, 'f', -1, 64))
		}
	}
	return args
}

// maxLimitC is what a limit of temperature is told from a limit of power by, in °C.
const maxLimitC = 200

// process is a load in a child.
type process struct {
	session *child.Session
	kill    context.CancelFunc
	// patience is how long it may take to stop.
	patience time.Duration
	once     sync.Once
	asked    chan struct{}
}

// stop tells the child to stop, by closing its input, and kills it when it does not.
func (p *process) stop() {
	p.once.Do(func() {
		close(p.asked)
		p.session.End()
		time.AfterFunc(p.patience, p.kill)
	})
}

// follow reads the child's lines to their end; the error says what was wrong with the load.
func (p *process) follow(tell func(Status)) error {
	last := Status{Phase: Heating}
	for {
		line, err := p.session.Next()
		if err == nil {
			last = Status{}
			if err = json.Unmarshal(line, &last); err == nil {
				p.put(&last, tell)
				continue
			}
			err = fmt.Errorf("the load gave a line that cannot be used: %w", err)
		}
		return p.fate(last, err, tell)
	}
}

// put hands a Status on. A child whose input closed cannot tell a wish from its parent's death.
func (p *process) put(s *Status, tell func(Status)) {
	if s.Reason == ReasonParent && p.told() {
		s.Reason, s.Words = ReasonStopped, (&Options{}).explain(ReasonStopped, s)
	}
	tell(*s)
}

// told is whether the child was told to stop.
func (p *process) told() bool {
	select {
	case <-p.asked:
		return true
	default:
		return false
	}
}

// fate is what became of a child whose lines ended with err after its last Status.
func (p *process) fate(last Status, err error, tell func(Status)) error {
	switch {
	case last.Phase == Refused:
		return refusal(last)
	case last.Reason == ReasonFailed:
		return fmt.Errorf("heat: %s", last.Words)
	case last.Phase == Ended:
		return nil
	}
	last.Phase = Ended
	if p.told() {
		last.Reason = ReasonParent
		p.put(&last, tell)
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("the load ended and did not say why")
	}
	last.Reason, last.Words = ReasonFailed, err.Error()
	tell(last)
	return fmt.Errorf("heat: %w", err)
}
