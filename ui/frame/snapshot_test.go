package frame_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sort"
	"strings"
	"testing"

	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// contract is every key that scripts may rely on, as the design lists them.
const contract = `schema time host.os host.arch host.cpu host.threads throttle.state throttle.now throttle.reasons readings
	thermal.state thermal.headroom_c thermal.temperature_c thermal.limit_c thermal.limit_state thermal.source
	power.state power.budget_mw power.limit_mw power.draw_mw power.on_battery power.source
	battery.state battery.present battery.percent battery.rate_mw battery.status battery.packs
	memory.state memory.ram_total memory.ram_available gpu gpus_asleep npu.state npu.name
	workload.name workload.params workload.active_params workload.context workload.kv_bytes workload.overhead_bytes
	budget.vram_budget_bytes budget.power_budget_mw budget.thermal_headroom_c
	capabilities.gpu_available capabilities.vram_available capabilities.npu_available capabilities.cpu_threads
	plan.precision plan.fits plan.tight plan.backend plan.tiles plan.binding_tiles plan.zero_copy plan.requires_host_copy
	plan.fusion.ops plan.fusion.passes plan.reasons`

const gpuContract = `gpu.state gpu.name gpu.type gpu.backend gpu.unified gpu.vram_total gpu.vram_available gpu.vram_source
	gpu.max_buffer_size gpu.max_storage_binding`

func snapshotOf(t *testing.T, f frame.Frame) map[string]any {
	t.Helper()
	b, err := json.Marshal(f.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	var o map[string]any
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func lookUp(o map[string]any, path string) (any, bool) {
	var v any = o
	for _, key := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[key]; !ok {
			return nil, false
		}
	}
	return v, true
}

func TestSnapshotHasEveryKey(t *testing.T) {
	empty := snapshotOf(t, frame.New(sensors.Sample{}, budget.Settings{}))
	full := snapshotOf(t, frame.New(apu.sample(), llama))
	for _, key := range strings.Fields(contract) {
		if _, ok := lookUp(empty, key); !ok {
			t.Errorf("%s is missing where nothing is known", key)
		}
	}
	for _, key := range strings.Fields(contract + " " + gpuContract) {
		if _, ok := lookUp(full, key); !ok {
			t.Errorf("%s is missing", key)
		}
	}
	for _, r := range full["readings"].([]any) {
		for _, key := range strings.Fields("id kind value unit state source detail") {
			if _, ok := r.(map[string]any)[key]; !ok {
				t.Errorf("%s is missing of the reading %v", key, r)
			}
		}
	}
}

// On a machine that tells nothing, what is unknown is null, and lists are empty, not null.
func TestSnapshotOfNothing(t *testing.T) {
	o := snapshotOf(t, frame.New(sensors.Sample{}, budget.Settings{}))
	for key, want := range map[string]any{
		"schema": "headroom.snapshot/1", "throttle.now": nil, "throttle.state": "not_offered", "thermal.temperature_c": nil, "thermal.limit_c": nil,
		"thermal.headroom_c": 30.0, "thermal.state": "assumed", "power.limit_mw": nil, "power.draw_mw": nil, "power.budget_mw": 60_000.0,
		"battery.present": false, "battery.percent": nil, "battery.rate_mw": nil, "battery.status": "unknown", "battery.state": "not_offered",
		"memory.ram_total": nil, "memory.ram_available": nil, "memory.state": "not_offered", "gpu": nil, "npu.name": nil, "npu.state": "not_offered",
		"workload.context": nil, "workload.active_params": nil, "budget.vram_budget_bytes": nil, "plan.fits": nil, "plan.binding_tiles": nil,
		"plan.fusion.ops": nil, "plan.fusion.passes": nil, "capabilities.vram_available": 0.0, "gpus_asleep": 0.0,
	} {
		if got, _ := lookUp(o, key); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, not %v", key, got, want)
		}
	}
	for _, key := range []string{"readings", "throttle.reasons", "battery.packs", "gpus", "budget.parts", "budget.assumed", "budget.pinned"} {
		if list, _ := lookUp(o, key); reflect.TypeOf(list) != reflect.TypeFor[[]any]() {
			t.Errorf("%s is %v, not a list", key, list)
		}
	}
}

func TestSnapshotOfALaptop(t *testing.T) {
	o := snapshotOf(t, frame.New(apu.sample(), llama))
	for key, want := range map[string]any{
		"gpu.type": "integrated", "gpu.unified": true, "gpu.vram_source": "amdgpu sysfs", "gpu.max_buffer_size": nil,
		"plan.precision": "q8", "plan.fits": true, "plan.tight": true, "plan.backend": "gpu", "plan.tiles": 1.0, "plan.zero_copy": "mmap_direct",
		"plan.requires_host_copy": false, "thermal.limit_state": "assumed", "power.on_battery": false, "workload.context": 8192.0,
		"capabilities.cpu_threads": 8.0, "device.backend": "gpu", "device.asked": nil,
	} {
		if got, _ := lookUp(o, key); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, not %v", key, got, want)
		}
	}
	reasons, _ := lookUp(o, "plan.reasons")
	var decisions []string
	for _, r := range reasons.([]any) {
		m := r.(map[string]any)
		decisions = append(decisions, m["decision"].(string))
		if m["because"] == "" {
			t.Errorf("%s has no reason", m["decision"])
		}
	}
	sort.Strings(decisions)
	equal(t, "decisions", strings.Join(decisions, " "), "backend fusion precision tiles zero_copy")
}

func TestSnapshotReadsBack(t *testing.T) {
	want := frame.New(apu.sample(), llama).Snapshot()
	line, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsAny(line, "\n") {
		t.Error("a snapshot must fit on one line")
	}
	var got frame.Snapshot
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "read and written again", string(again), string(line))
}

// FuzzFrame feeds recordings as anyone may write them: whatever the numbers, there is an answer that can be written.
func FuzzFrame(f *testing.F) {
	for _, h := range []host{apu, desktop, server, {}} {
		sample, err := json.Marshal(h.sample())
		if err != nil {
			f.Fatal(err)
		}
		settings, err := json.Marshal(llama)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(sample, settings)
	}
	f.Fuzz(func(t *testing.T, sample, settings []byte) {
		var s sensors.Sample
		var set budget.Settings
		if json.Unmarshal(sample, &s) != nil || json.Unmarshal(settings, &set) != nil {
			return
		}
		fr := frame.New(s, set)
		if _, err := json.Marshal(fr.Snapshot()); err != nil && s.Time.Year() >= 0 && s.Time.Year() < 10_000 {
			t.Error(err)
		}
		if v := fr.Verdict(); v.Headline() == "" || v.Because == "" || strings.Contains(v.Headline()+v.Because+v.Change, "NaN") {
			t.Errorf("%+v", v)
		}
		h := frame.NewHistory()
		h.Add(fr)
		h.Add(frame.New(sensors.Sample{Time: s.Time}, budget.Settings{}))
	})
}
