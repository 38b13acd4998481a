package policy_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"headroom/policy"
)

// vector is one answer of the reference implementation: 64-bit numbers as strings, the float as its bits.
type vector struct {
	Fn              string
	ParamCount      uint64 `json:"param_count,string"`
	VRAMBudgetBytes uint64 `json:"vram_budget_bytes,string"`
	PowerBudgetMW   uint32 `json:"power_budget_mw"`
	HeadroomBits    uint32 `json:"thermal_headroom_c_bits"`

	GPUAvailable  bool   `json:"gpu_available"`
	VRAMAvailable uint64 `json:"vram_available,string"`
	NPUAvailable  bool   `json:"npu_available"`
	Bytes         uint64 `json:"bytes,string"`
	WantBackend   string `json:"want_backend"`
	WantTiles     uint32 `json:"want_tiles"`

	Ops []vectorOp

	DeviceType string `json:"device_type"`
	WantCopy   bool   `json:"want_copy"`

	Want json.RawMessage
}

// vectorOp is ["e", "shape"] for an element-wise op and ["b", "shape"] for a barrier.
type vectorOp policy.TensorOp

func (o *vectorOp) UnmarshalJSON(b []byte) error {
	var pair [2]string
	if err := json.Unmarshal(b, &pair); err != nil {
		return err
	}
	if pair[0] == "b" {
		o.Kind = policy.Barrier
	}
	var err error
	o.Shape, err = strconv.ParseUint(pair[1], 10, 64)
	return err
}

func TestReferenceVectors(t *testing.T) {
	f, err := os.Open("testdata/policy.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for scan := bufio.NewScanner(f); scan.Scan(); lines++ {
		var v vector
		if err := json.Unmarshal(scan.Bytes(), &v); err != nil {
			t.Fatalf("line %d: %v", lines+1, err)
		}
		v.check(t, lines+1)
	}
	if lines != 455 {
		t.Errorf("read %d vectors, want all 455", lines)
	}
}

func (v vector) check(t *testing.T, line int) {
	t.Helper()
	want := strings.ToLower(strings.Trim(string(v.Want), `"`))
	var got string
	switch v.Fn {
	case "select_precision":
		got = policy.SelectPrecision(v.ParamCount, policy.PowerThermalBudget{
			VRAMBudgetBytes:  v.VRAMBudgetBytes,
			PowerBudgetMW:    v.PowerBudgetMW,
			ThermalHeadroomC: math.Float32frombits(v.HeadroomBits),
		}).String()
	case "dispatch":
		d := policy.NewHeterogeneousDispatcher(policy.HostCapabilities{
			GPUAvailable: v.GPUAvailable, VRAMAvailable: v.VRAMAvailable, NPUAvailable: v.NPUAvailable,
		})
		if tiles := d.GPUTiles(v.Bytes); tiles != v.WantTiles {
			t.Errorf("line %d: %d tiles, want %d", line, tiles, v.WantTiles)
		}
		want, got = strings.ToLower(v.WantBackend), d.SelectBackend(v.Bytes).String()
	case "plan_fusion":
		ops := make([]policy.TensorOp, len(v.Ops))
		for i, op := range v.Ops {
			ops[i] = policy.TensorOp(op)
		}
		var passes uint32
		if err := json.Unmarshal(v.Want, &passes); err != nil {
			t.Fatalf("line %d: %v", line, err)
		}
		if n := policy.PlanFusion(ops); n != passes {
			t.Errorf("line %d: %d passes, want %d", line, n, passes)
		}
		return
	case "zero_copy":
		device, known := deviceTypes[v.DeviceType]
		if !known {
			t.Fatalf("line %d: unknown device %q", line, v.DeviceType)
		}
		s := policy.ZeroCopyForDeviceType(device)
		if s.RequiresHostCopy() != v.WantCopy {
			t.Errorf("line %d: host copy %v, want %v", line, s.RequiresHostCopy(), v.WantCopy)
		}
		got = strings.ReplaceAll(s.String(), "_", "")
	default:
		t.Fatalf("line %d: unknown function %q", line, v.Fn)
	}
	if got != want {
		t.Errorf("line %d: %s gave %s, want %s", line, v.Fn, got, want)
	}
}

var deviceTypes = map[string]policy.DeviceType{
	"Other":         policy.OtherDevice,
	"IntegratedGpu": policy.IntegratedGPU,
	"DiscreteGpu":   policy.DiscreteGPU,
	"VirtualGpu":    policy.VirtualGPU,
	"Cpu":           policy.CPUDevice,
}
