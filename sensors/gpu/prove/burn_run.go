//go:build cgo && !nowebgpu && ((linux && (amd64 || arm64)) || (windows && (amd64 || arm64)) || darwin)

package prove

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
)

// burnWGSL is arithmetic alone, in chains that do not wait for one another. x ← c − x² stays between −2 and 2 for these c and
// never settles, so that the multipliers see new bits each time. What is written keeps it all from being left out.
const burnWGSL = `
@group(0) @binding(0) var<storage, read_write> result: array<vec4<f32>>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
	let i = id.y * groups.x * 256u + id.x;
	let k = vec4<f32>(1.9, 1.85, 1.8, 1.75) + f32(i & 255u) * 0.0002;
	var a = vec4<f32>(0.1);
	var b = vec4<f32>(0.2);
	var c = vec4<f32>(0.3);
	var d = vec4<f32>(0.4);
	for (var n = 0u; n < 4096u; n += 1u) {
		a = fma(-a, a, k);
		b = fma(-b, b, k);
		c = fma(-c, c, k);
		d = fma(-d, d, k);
	}
	result[i % arrayLength(&result)] = a + b + c + d;
}
`

// burnBytes is the size of what the load writes to.
const burnBytes = 1 << 20

// Burn is the child's side of a load: it reads a BurnRequest from in, then works for a while for each line that follows and
// writes the Burst. It ends this process when in closes.
func Burn(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	if !lines.Scan() {
		return errors.New("no request to burn")
	}
	var req BurnRequest
	if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	asks := make(chan struct{})
	go func() {
		for lines.Scan() {
			asks <- struct{}{}
		}
		os.Exit(0)
	}()
	wgpu.SetLogLevel(wgpu.LogLevelWarn)
	d, err := open(req.Adapter)
	if err != nil {
		return err
	}
	c, err := d.burnCall()
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	groups := uint64(1)
	for range asks {
		var b Burst
		if b, groups, err = d.burst(c, groups); err != nil {
			return err
		}
		if err := enc.Encode(b); err != nil {
			return fmt.Errorf("write what was done: %w", err)
		}
	}
	return nil
}

func (d *device) burnCall() (call, error) {
	k, err := d.compile("burn", burnWGSL)
	if err != nil {
		return call{}, err
	}
	b, err := d.buffer(burnBytes)
	if err != nil {
		return call{}, err
	}
	return d.on(k, 1, 1, b)
}

// burst dispatches for burstTime, beginning with that many workgroups, and gives how many to go on with.
func (d *device) burst(c call, groups uint64) (Burst, uint64, error) {
	var b Burst
	for begin := time.Now(); time.Since(begin) < burstTime; {
		c.x, c.y = grid(groups)
		took, err := d.run(func(e *wgpu.CommandEncoder) error { return pass(e, c) })
		if err != nil {
			return b, groups, err
		}
		b.Dispatches++
		b.Seconds += took
		b.Longest = max(b.Longest, took)
		groups = nextGroups(groups, took)
	}
	return b, groups, nil
}
