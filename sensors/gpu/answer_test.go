package gpu

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"headroom/sensors"
)

func TestAnAnswerIsReadOrRefusedWithOneReason(t *testing.T) {
	for _, c := range []struct{ name, in, refuse string }{
		{"empty list", `{"adapters":[]}`, ""},
		{"limits as numbers", `{"adapters":[{"max_buffer_size":2147483647}]}`, ""},
		{"memory as strings", `{"adapters":[{"vram_total":"25769803776","vram_budget":"21474836480"}]}`, ""},
		{"memory as text", `{"adapters":[{"vram_total":"24 GB"}]}`, "adapter 1: read a number"},
		{"limits unknown", `{"adapters":[{"max_buffer_size":null}]}`, ""},
		{"strange type and address", `{"adapters":[{"type":"Quantum","pci":"../../etc"}]}`, ""},
		{"nothing", ``, "not the expected JSON"},
		{"another object", `{"gpus":[]}`, `no key "adapters"`},
		{"a list", `[]`, "not the expected JSON"},
		{"null adapters", `{"adapters":null}`, `no key "adapters"`},
		{"two objects", `{"adapters":[]}{"adapters":[]}`, "something follows"},
		{"negative limit", `{"adapters":[{"max_buffer_size":"-1"}]}`, "adapter 1: read the limit"},
		{"limit of 2^64", `{"adapters":[{"max_buffer_size":"18446744073709551616"}]}`, "adapter 1: read the limit"},
		{"infinite VRAM", `{"adapters":[{"vram_total":1e999}]}`, "adapter 1"},
		{"too many", `{"adapters":[` + strings.Repeat(`{},`, maxAdapters) + `{}]}`, "65 adapters"},
		{"too long", `{"adapters":[{"name":"` + strings.Repeat("x", maxAnswer) + `"}]}`, "longer than"},
		{"deep", strings.Repeat(`{"adapters":[`, 20_000), "not the expected JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decode([]byte(c.in))
			switch {
			case c.refuse == "" && err != nil:
				t.Fatalf("refused: %v", err)
			case c.refuse != "" && (err == nil || !strings.Contains(err.Error(), c.refuse)):
				t.Fatalf("got %v, want %q in it", err, c.refuse)
			}
		})
	}
}

// A driver that reports 2⁶⁴−1 for a heap, or less than nothing, keeps its card: the figure is unknown, and the note says so.
func TestAnAbsurdFigureIsSetAside(t *testing.T) {
	for figure, note := range map[string]string{
		`"vram_total":-5`:                     "adapter 2: vram_total -5 is not a memory size",
		`"vram_usage":1e300`:                  "adapter 2: vram_usage 1e+300 is not a memory size",
		`"vram_budget":18446744073709551615`:  "adapter 2: vram_budget 1.8446744073709552e+19 is not",
		`"working_set":1.5,"vram_total":4096`: "adapter 2: working_set 1.5 is not",
		`"vram_total":"4293918720"`:           "adapter 2: vram_total 4293918720 is where a count of 32 bits ends",
	} {
		a, err := decode([]byte(`{"adapters":[{"name":"A"},{"name":"B",` + figure + `}]}`))
		if err != nil || len(a.Adapters) != 2 {
			t.Fatalf("%s: %d adapters, %v", figure, len(a.Adapters), err)
		}
		b := a.Adapters[1]
		if b.VRAMUsage.Known() || b.VRAMBudget.Known() || b.WorkingSet.Known() || b.VRAMTotal.Or(4096) != 4096 {
			t.Errorf("%s is believed: %+v", figure, b)
		}
		if len(a.Notes) != 1 || !strings.Contains(a.Notes[0], note) {
			t.Errorf("%s: the notes are %q", figure, a.Notes)
		}
	}
}

func TestForeignTextIsMadeSafe(t *testing.T) {
	a, err := decode([]byte(`{"adapters":[{"name":"Evil\u001b[31m\nCard` + strings.Repeat("é", 1000) + `","type":"DISCRETE","pci":"0000:C5:00.0"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := a.Adapters[0]
	if strings.ContainsAny(got.Name, "\x1b\n") || len([]rune(got.Name)) > maxText {
		t.Errorf("name %q", got.Name)
	}
	if got.Type != "discrete" || got.PCI != "0000:c5:00.0" {
		t.Errorf("got type %q, pci %q", got.Type, got.PCI)
	}
}

func TestFromFile(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "gpu.json")
	if err := os.WriteFile(good, []byte(`{"adapters":[{"name":"AMD Radeon RX 7900 XTX","type":"discrete","backend":"vulkan",
		"vendor_id":4098,"device_id":1,"pci":"0000:03:00.0","max_buffer_size":"18446744073709551615",
		"max_storage_binding":"2147483648","vram_total":null,"vram_budget":null,"features":["timestamp-query"]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	adapters, r := FromFile(good)
	want := []sensors.Adapter{{
		Name: "AMD Radeon RX 7900 XTX", Type: "discrete", Backend: "vulkan", VendorID: 4098, DeviceID: 1, PCI: "0000:03:00.0",
		MaxBufferSize: 1<<64 - 1, MaxStorageBinding: 1 << 31, Features: []string{"timestamp-query"},
	}}
	if r.State != sensors.StateOK || !reflect.DeepEqual(adapters, want) {
		t.Fatalf("got %+v, %+v", adapters, r)
	}

	if _, r := FromFile(filepath.Join(dir, "none.json")); r.State != sensors.StateNotOffered {
		t.Errorf("no file: %+v", r)
	}
	if _, r := FromFile(dir); r.State != sensors.StateError || !strings.Contains(r.Detail, "not a regular file") {
		t.Errorf("a folder in its place: %+v", r)
	}
	if _, r := FromFile(filepath.Join(good, "below")); r.State != sensors.StateError {
		t.Errorf("below a file: %+v", r)
	}
	broken := filepath.Join(dir, "broken.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, r := FromFile(broken); len(a) != 0 || r.State != sensors.StateError || !strings.Contains(r.Detail, broken) {
		t.Errorf("a damaged file: %+v", r)
	}
}

func TestOneCardThroughSeveralAPIsIsOneAdapter(t *testing.T) {
	card := func(name, backend, typ string, vendor, device uint32) adapter {
		return adapter{Name: name, Backend: backend, Type: typ, VendorID: vendor, DeviceID: device}
	}
	for _, c := range []struct {
		name string
		in   []adapter
		want []string
	}{
		{
			"Vulkan and OpenGL",
			[]adapter{
				card("NVIDIA GeForce RTX 3080/PCIe/SSE2", "opengl", "other", 0x10de, 0),
				card("NVIDIA GeForce RTX 3080", "vulkan", "discrete", 0x10de, 0x2206),
			},
			[]string{"vulkan NVIDIA GeForce RTX 3080"},
		},
		{
			"software through both",
			[]adapter{
				card("llvmpipe (LLVM 15.0.6, 256 bits)", "vulkan", "cpu", 0x10005, 0),
				card("llvmpipe (LLVM 15.0.6, 256 bits)", "opengl", "cpu", 0, 0),
			},
			[]string{"vulkan llvmpipe (LLVM 15.0.6, 256 bits)"},
		},
		{
			"two equal cards through two APIs",
			[]adapter{
				card("Radeon", "d3d12", "discrete", 0x1002, 7), card("Radeon", "d3d12", "discrete", 0x1002, 7),
				card("Radeon", "vulkan", "discrete", 0x1002, 7), card("Radeon", "vulkan", "discrete", 0x1002, 7),
			},
			[]string{"vulkan Radeon", "vulkan Radeon"},
		},
		{
			"an API that shows one card more",
			[]adapter{
				card("Radeon", "vulkan", "discrete", 0x1002, 7),
				card("Radeon", "d3d12", "discrete", 0x1002, 7), card("Radeon", "d3d12", "discrete", 0x1002, 7),
			},
			[]string{"d3d12 Radeon", "d3d12 Radeon"},
		},
		{
			"a card that OpenGL alone shows",
			[]adapter{
				card("Mesa Intel(R) HD Graphics 3000 (SNB GT2)", "opengl", "integrated", 0x8086, 0),
				card("NVIDIA GeForce GT 1030", "vulkan", "discrete", 0x10de, 0x1d01),
			},
			[]string{"vulkan NVIDIA GeForce GT 1030", "opengl Mesa Intel(R) HD Graphics 3000 (SNB GT2)"},
		},
		{
			"discrete first, software last",
			[]adapter{
				card("llvmpipe", "vulkan", "cpu", 0x10005, 0),
				card("Intel Iris Xe", "vulkan", "integrated", 0x8086, 1),
				card("Intel Arc A370M", "vulkan", "discrete", 0x8086, 2),
			},
			[]string{"vulkan Intel Arc A370M", "vulkan Intel Iris Xe", "vulkan llvmpipe"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, a := range distinct(c.in) {
				got = append(got, a.Backend+" "+a.Name)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"adapters":[{"name":"x","type":"cpu","vram_total":1,"max_buffer_size":"5"}],"notes":["n"]}`))
	f.Add([]byte(`{"adapters":[{"max_buffer_size":5,"features":["a"]}]}`))
	f.Add([]byte(`{"adapters":null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := decode(b)
		if err != nil {
			return
		}
		// What was believed once is believed again, unchanged: a listing can be written to a file and read back.
		again, err := json.Marshal(a)
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		if len(again) > maxAnswer {
			return
		}
		back, err := decode(again)
		if err != nil {
			t.Fatalf("written as %s, refused: %v", again, err)
		}
		if x, y := len(distinct(a.Adapters)), len(distinct(back.Adapters)); x != y || x > len(a.Adapters) || len(a.Adapters) > 0 && x == 0 {
			t.Fatalf("%d of %d adapters are distinct, then %d", x, len(a.Adapters), y)
		}
	})
}
