package gpu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/gpu/prove"
)

// jobProve is the child's job: one proof as its standard input asks.
const jobProve = "prove"

// ProveOptions say what to prove and on what.
type ProveOptions struct {
	Options
	// Adapter is one of those that Probe listed, Among all of them: equal ones are told apart by their order.
	Adapter sensors.Adapter
	Among   []sensors.Adapter
	// Proofs are names of prove.Names; empty is all.
	Proofs []string
	Effort prove.Effort
	// Workload is the model in use: its layer is run by the fusion proof.
	Workload workload.Workload
	// Progress is told of each step: the proof, the step in words, and the share of all proofs that is over. It may be nil.
	Progress func(proof, step string, done float64)
	// Dump is given kernels, raw times and the driver's messages by file name; nil keeps none.
	Dump func(name, text string)
	// Tuning holds kernel shapes found best earlier, by proof, and takes new ones.
	Tuning map[string]string

	// sabotage spoils kernels, to test that it is caught.
	sabotage bool
}

// Prove runs proofs one after another, each in a child of its own: one that crashes, hangs or loses the device costs itself
// alone, and leaves what it measured until then. The error is one that concerns all: no WebGPU, no such adapter, cancelled.
func Prove(ctx context.Context, o ProveOptions) (prove.Result, error) {
	if !engine.Available {
		return prove.Result{}, fmt.Errorf("prove the plan: %s", noWebGPU)
	}
	names := o.Proofs
	if len(names) == 0 {
		names = prove.Names()
	}
	result := prove.Result{
		Adapter: o.Adapter.Name, Backend: o.Adapter.Backend, Driver: o.Adapter.Driver, Date: time.Now().UTC().Truncate(time.Second),
		Effort: o.Effort,
	}
	for i, name := range names {
		if !slices.Contains(prove.Names(), name) {
			return result, fmt.Errorf("prove %q: there are %s", name, strings.Join(prove.Names(), ", "))
		}
		p := o.one(ctx, name, func(step string, done float64) {
			if o.Progress != nil {
				o.Progress(name, step, (float64(i)+done)/float64(len(names)))
			}
		})
		result.Proofs = append(result.Proofs, p)
		if err := ctx.Err(); err != nil {
			return result, fmt.Errorf("prove the plan: %w", context.Cause(ctx))
		}
	}
	return result, nil
}

// leastMemory is what every proof can do with, in bytes.
const leastMemory = 16 << 20

// allowance is how much longer than its measuring a proof may take: compiling, making data, checking on the CPU.
func allowance(e prove.Effort) time.Duration {
	switch e {
	case prove.Check, prove.Quick:
		return 2 * time.Minute
	case prove.Full:
		return 10 * time.Minute
	default:
		return 3 * time.Minute
	}
}

// one runs one proof. Whatever goes wrong is the proof's own error.
func (o ProveOptions) one(ctx context.Context, name string, step func(string, float64)) prove.Proof {
	p := prove.Proof{Name: name, MaxError: math.NaN()}
	all := ctx
	ctx, cancel := context.WithTimeout(ctx, allowance(o.Effort))
	defer cancel()
	devs, seen := look(o.Options)
	if why := sleeps(devs, o.Adapter); why != "" {
		p.Error = why
		return p
	}
	ask := o.request(name)
	if ask.Memory > 0 && ask.Memory < leastMemory {
		p.Error = fmt.Sprintf("the adapter has %s of memory free and a proof takes %s at least: end what fills it, then prove again",
			humanize.IBytes(ask.Memory), humanize.IBytes(leastMemory))
		return p
	}
	s, err := start(ctx, o.Options, seen, jobProve)
	if err != nil {
		p.Error = err.Error()
		return p
	}
	defer s.Close()
	request, err := json.Marshal(ask)
	if err == nil {
		err = s.Send(string(request))
	}
	for final := false; err == nil && !final; {
		var line []byte
		if line, err = s.Next(); err != nil {
			break
		}
		var e prove.Event
		if err = json.Unmarshal(line, &e); err != nil {
			err = fmt.Errorf("%s gave an event that cannot be used: %w", childName, err)
			break
		}
		if e.Proof != nil && e.Proof.Name == name {
			p = *e.Proof
			p.Error, p.Meaning = oneLine(p.Error), oneLine(p.Meaning)
		}
		if e.Step != "" {
			step(clean(e.Step), min(max(e.Done, 0), 1))
		}
		if e.DumpName != "" && o.Dump != nil {
			o.Dump(fileName(e.DumpName), e.DumpText)
		}
		if e.Tuning != "" && o.Tuning != nil {
			o.Tuning[name] = e.Tuning
		}
		final = e.Final
	}
	if o.Dump != nil {
		if notes := s.Notes(); notes != "" {
			o.Dump(name+"-messages.txt", notes)
		}
	}
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("%s ended before the proof did", childName)
		}
		p.Verified, p.Error = false, err.Error()
		if all.Err() != nil {
			p.Error = prove.Cancelled
		}
	}
	return p
}

// sleeps says why an adapter is not to be used: its card is asleep.
func sleeps(devs []device, a sensors.Adapter) string {
	for _, d := range devs {
		if d.asleep && a.PCI != "" && d.pci == a.PCI {
			return "the card is asleep and is left so; wake it by using it, then prove again"
		}
	}
	return ""
}

func (o ProveOptions) request(name string) prove.Request {
	nth := 0
	for _, a := range o.Among {
		if a.PCI == o.Adapter.PCI {
			break
		}
		if alikeListed(a, o.Adapter) {
			nth++
		}
	}
	var memory uint64
	if v, ok := o.Adapter.VRAMBudget.Get(); ok {
		memory = uint64(v)
		if used, ok := o.Adapter.VRAMUsage.Get(); ok {
			memory = uint64(max(v-used, 1)) // nothing free is not unknown
		}
	} else if v, ok := o.Adapter.VRAMTotal.Get(); ok {
		memory = uint64(v / 2)
	}
	return prove.Request{
		Proof: name, Effort: o.Effort, Memory: memory, Dir: os.TempDir(), Dump: o.Dump != nil, Tuning: o.Tuning[name],
		Break: o.sabotage, Layer: layerOps(o.Workload.Decode[policy.F16]),
		Adapter: prove.Selector{
			Name: o.Adapter.Name, Backend: o.Adapter.Backend, Type: o.Adapter.Type,
			VendorID: o.Adapter.VendorID, DeviceID: o.Adapter.DeviceID, Nth: nth,
		},
	}
}

func alikeListed(a, b sensors.Adapter) bool {
	return a.Name == b.Name && a.Backend == b.Backend && a.VendorID == b.VendorID && a.DeviceID == b.DeviceID
}

// layerOps gives the ops of a layer with their sizes, read from the shapes in words ("32×8192").
func layerOps(s workload.Sequence) []prove.LayerOp {
	var out []prove.LayerOp
	for i, o := range s.Ops {
		if i >= len(s.Names) || i >= len(s.Shapes) {
			return nil
		}
		n := uint64(1)
		for f := range strings.SplitSeq(s.Shapes[i], "×") {
			v, err := strconv.ParseUint(strings.TrimSpace(f), 10, 40)
			if err != nil || v == 0 || n > 1<<40/v {
				return nil
			}
			n *= v
		}
		out = append(out, prove.LayerOp{Name: s.Names[i], Kind: o.Kind, Shape: o.Shape, Elements: n})
	}
	return out
}

// oneLine makes a driver's message fit for one line.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if r := []rune(s); len(r) > 2*maxText {
		s = string(r[:2*maxText]) + "…"
	}
	return s
}

// fileName makes a name that stays in its folder.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, strings.TrimLeft(clean(s), "."))
}
