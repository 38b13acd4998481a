//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
)

// maxRequest bounds the request's line.
const maxRequest = 1 << 20

// Child is the child's side: it reads one Request from in, writes Events to out, and ends this process when in closes.
func Child(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxRequest)
	if !lines.Scan() {
		return errors.New("no request to prove anything")
	}
	var req Request
	if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(0)
	}()
	proofs := map[string]func(*run) error{
		Bandwidth: (*run).bandwidth, Fusion: (*run).fusion, Precision: (*run).precision,
		ZeroCopy: (*run).zeroCopy, Tiles: (*run).tiles,
	}
	do := proofs[req.Proof]
	if do == nil {
		return fmt.Errorf("no proof is called %q", req.Proof)
	}
	// The engine says on standard error what its errors leave out.
	wgpu.SetLogLevel(wgpu.LogLevelWarn)

	r := &run{req: req, out: json.NewEncoder(out), proof: Proof{Name: req.Proof, MaxError: math.NaN()}}
	d, err := open(req.Adapter)
	if err == nil {
		r.device = d
		d.budget = req.Memory
		d.deadline = time.Now().Add(time.Duration(req.Effort.seconds() * float64(time.Second)))
		if req.Dump {
			d.dump = func(name, text string) { r.emit(Event{DumpName: req.Proof + "-" + name, DumpText: text}) }
		}
		err = do(r)
	}
	if err != nil {
		r.proof.Verified = false
		r.proof.Error = err.Error()
	}
	r.emit(Event{Proof: &r.proof, Final: true})
	return r.broken
}

// run is one proof under way.
type run struct {
	*device
	req   Request
	out   *json.Encoder
	proof Proof
	// broken is why the parent can no longer be told anything.
	broken error
}

func (r *run) emit(e Event) {
	if err := r.out.Encode(e); err != nil && r.broken == nil {
		r.broken = fmt.Errorf("write an event: %w", err)
	}
}

// step says what is done next, and what is known so far.
func (r *run) step(name string, done float64) {
	p := r.proof
	r.emit(Event{Step: name, Done: done, Proof: &p})
}

// oneKernel is whether only one kernel of a kind is tried: compiling one for a processor takes a second or more.
func (r *run) oneKernel() bool { return r.info.Type == "cpu" && r.req.Effort.brief() }

// part is the time that one of n equal parts of the proof may take.
func (r *run) part(n int) float64 { return r.req.Effort.seconds() / float64(n) }

// compare takes the adapter's and the CPU's numbers into the proof's largest error, and reports whether they agree.
// Where exact, every bit has to.
func (r *run) compare(got, want []float32, tolerance float64, exact bool) bool {
	if len(got) != len(want) {
		return false
	}
	ok := true
	if math.IsNaN(r.proof.MaxError) {
		r.proof.MaxError = 0
	}
	for i := range got {
		g, w := float64(got[i]), float64(want[i])
		diff := math.Abs(g-w) / max(math.Abs(w), 1)
		if math.IsNaN(diff) {
			diff = math.MaxFloat32
		}
		r.proof.MaxError = max(r.proof.MaxError, diff)
		if diff > tolerance || exact && got[i] != want[i] {
			ok = false
		}
	}
	return ok
}
