//go:build linux

package gpu

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/sensors"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/sysfs"
)

// answerByDriver is a child whose drivers do as their files are named: some crash, some hang, some have no card, and the
// others have one of their name.
func answerByDriver() {
	a := answer{Adapters: []adapter{}}
	for _, f := range driverFiles(sysfs.New("", nil), os.Environ()) {
		name := strings.TrimSuffix(filepath.Base(f.file), ".json")
		switch {
		case strings.HasPrefix(name, "crash"):
			misbehave("crash")
		case strings.HasPrefix(name, "hang"):
			misbehave("hang")
		case !strings.HasPrefix(name, "none"):
			a.Adapters = append(a.Adapters, adapter{Name: name, Type: "discrete", Backend: "vulkan"})
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(a); err != nil {
		panic(err)
	}
}

// withDrivers are options of a machine with these Vulkan drivers, and the folder of their files.
func withDrivers(t *testing.T, names ...string) (o Options, dir string) {
	t.Helper()
	root := t.TempDir()
	for _, n := range names {
		vulkanDriver(t, root, n+".json", "lib"+n+".so")
	}
	dir = filepath.Join(root, "usr/share/vulkan/icd.d")
	o = faulty("by-driver")
	o.environ = append(without(o.environ, "VK_ICD_FILENAMES"), "VK_DRIVER_FILES="+dir)
	return o, dir
}

func namesOf(adapters []sensors.Adapter) []string {
	var names []string
	for _, a := range adapters {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return names
}

func TestADriverThatFailsTakesNoOthersWithIt(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	for _, c := range []struct {
		name    string
		drivers []string
		want    []string
		state   sensors.State
		say     []string
	}{
		{
			"one crashes",
			[]string{"good", "crash", "better"},
			[]string{"better", "good"},
			sensors.StateError,
			[]string{"Vulkan driver crash.json (libcrash.so) is left out", "parent device is lost"},
		},
		{
			"one hangs",
			[]string{"hang", "good"},
			[]string{"good"},
			sensors.StateError,
			[]string{"Vulkan driver hang.json (libhang.so) is left out", "gave no answer in time"},
		},
		{
			"the others have no card",
			[]string{"none", "crash"},
			nil, sensors.StateError,
			[]string{"Vulkan driver crash.json (libcrash.so) is left out"},
		},
		{"all crash", []string{"crash-1", "crash-2"}, nil, sensors.StateError, []string{"parent device is lost", "no Vulkan driver does better alone"}},
		{"the only one crashes", []string{"crash"}, nil, sensors.StateError, []string{"its only Vulkan driver is crash.json (libcrash.so)"}},
		{"none crashes", []string{"good", "none"}, []string{"good"}, sensors.StateOK, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, _ := withDrivers(t, c.drivers...)
			if slices.Contains(c.drivers, "hang") {
				o.Timeout = 4 * time.Second
			}
			adapters, r := Probe(t.Context(), o)
			if got := namesOf(adapters); !slices.Equal(got, c.want) || r.State != c.state {
				t.Errorf("listed %q, %s, %q; want %q, %s", got, r.State, r.Detail, c.want, c.state)
			}
			for _, say := range c.say {
				if !strings.Contains(r.Detail, say) {
					t.Errorf("it says %q, want %q in it", r.Detail, say)
				}
			}
			if strings.Contains(r.Detail, "icd.d") {
				t.Errorf("%q names a folder, which may be a user's", r.Detail)
			}
		})
	}
}

// The children that read memory and run proofs would crash like the listing did.
func TestOtherChildrenAreKeptFromADriverThatFailed(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	o, dir := withDrivers(t, "good", "crash", "better")
	Probe(t.Context(), o)
	_, seen := look(o)
	if a, err := ask(t.Context(), o, seen, jobMemory); err != nil || !slices.Equal(namesOf(a.listed()), []string{"better", "good"}) {
		t.Errorf("another child sees %q, %v", namesOf(a.listed()), err)
	}
	// Once all drivers are well again, so is the next child.
	if err := os.Rename(filepath.Join(dir, "crash.json"), filepath.Join(dir, "repaired.json")); err != nil {
		t.Fatal(err)
	}
	if _, r := Probe(t.Context(), o); r.State != sensors.StateOK {
		t.Fatalf("the repaired driver gives %+v", r)
	}
	_, seen = look(o)
	if a, err := ask(t.Context(), o, seen, jobMemory); err != nil || !slices.Contains(namesOf(a.listed()), "repaired") {
		t.Errorf("after a repair another child sees %q, %v", namesOf(a.listed()), err)
	}
}

// The search for a driver at fault reaches no sleeping card: its driver is none of those that are tried.
func TestTheSearchForAFaultWakesNoCard(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	files := map[string]string{}
	card(files, 0, "i915", "0000:00:02.0", "active")
	card(files, 1, "nvidia", "0000:01:00.0", "suspended")
	o := faulty("by-driver")
	o.Sysroot = tree(t, files)
	vulkanDriver(t, o.Sysroot, "crash.json", "libvulkan_intel.so")
	vulkanDriver(t, o.Sysroot, "software.json", "libvulkan_lvp.so")
	vulkanDriver(t, o.Sysroot, "sleeper.json", "libGLX_nvidia.so.0")
	o.environ = append(o.environ, "VK_DRIVER_FILES="+filepath.Join(o.Sysroot, "usr/share/vulkan/icd.d"))
	adapters, r := Probe(t.Context(), o)
	if got := namesOf(adapters); !slices.Equal(got, []string{"software"}) || !strings.Contains(r.Detail, "is asleep and was left so") || strings.Contains(r.Detail, "sleeper") {
		t.Errorf("listed %q, %q; want the software driver alone", got, r.Detail)
	}
}
