//go:build linux

package gpu

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/sensors"
)

// keeping is a machine with one card whose listing is kept, and which can be looked at by one run after another.
type keeping struct {
	*watched
	file string
}

func keep(t *testing.T) *keeping {
	t.Helper()
	w := watch(t, "live-well")
	k := &keeping{w, filepath.Join(t.TempDir(), "cache", "adapters.json")}
	w.opts.Kept = k.file
	w.opts.environ = append(w.opts.environ, "XDG_CONFIG_HOME="+w.root, "XDG_DATA_HOME="+w.root, "VK_DRIVER_FILES=")
	vulkanDriver(t, w.root, "radeon.json", "libvulkan_radeon.so")
	for name, text := range map[string]string{
		"proc/sys/kernel/random/boot_id":                 "5ad0f1bc-2d4f-4e4a-8d1c-62d4f2d1a4a7\n",
		"sys/module/amdgpu/srcversion":                   "0A1B2C\n",
		"sys/bus/pci/devices/0000:03:00.0/vendor":        "0x1002\n",
		"sys/bus/pci/devices/0000:03:00.0/device":        "0x744c\n",
		"usr/share/vulkan/implicit_layer.d/VkLayer.json": "{}\n",
	} {
		k.write(name, text)
	}
	if _, _, ok := k.Recall(); ok {
		t.Fatal("adapters are recalled that were never listed")
	}
	k.look()
	return k
}

func (k *keeping) write(name, text string) {
	k.t.Helper()
	path := filepath.Join(k.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		k.t.Fatal(err)
	}
}

// recalls is what a later run recalls without starting a child.
func (k *keeping) recalls() ([]sensors.Adapter, sensors.Reading, bool) {
	k.t.Helper()
	before := k.log()
	later := NewWatcher(k.opts)
	later.now = k.now
	defer later.Close()
	adapters, r, ok := later.Recall()
	if after := k.log(); after != before {
		k.t.Fatalf("recalling started a child: %s", strings.TrimPrefix(after, before))
	}
	return adapters, r, ok
}

func TestALaterRunKnowsTheAdapters(t *testing.T) {
	k := keep(t)
	at := k.time
	k.time = at.Add(3 * time.Minute)
	adapters, r, ok := k.recalls()
	if !ok || len(adapters) != 1 || adapters[0].Name != "Test Card" || adapters[0].VRAMTotal != sensors.Num(8<<30) {
		t.Fatalf("recalled %+v, %v", adapters, ok)
	}
	if adapters[0].VRAMBudget.Known() || adapters[0].VRAMUsage.Known() {
		t.Errorf("memory in use of another moment is recalled: %+v", adapters[0])
	}
	if r.State != sensors.StateOK || !r.At.Equal(at) || !strings.Contains(r.Detail, "listed 3 min ago") {
		t.Errorf("the reading is %+v", r)
	}
	info, err := os.Stat(k.file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(k.file)); err != nil || len(left) != 1 {
		t.Errorf("beside the listing lie %v, %v", left, err)
	}
}

// Whatever a listing depends on, a change of it has the adapters listed anew.
func TestAChangeOfTheMachineForgetsTheListing(t *testing.T) {
	for name, change := range map[string]func(*keeping){
		"boot":          func(k *keeping) { k.write("proc/sys/kernel/random/boot_id", "another\n") },
		"no boot named": func(k *keeping) { k.write("proc/sys/kernel/random/boot_id", "") },
		"kernel driver": func(k *keeping) { k.write("sys/module/amdgpu/srcversion", "FFFFFF\n") },
		"module loaded again": func(k *keeping) {
			// A folder that was there before keeps its number, so it is moved away first.
			if err := os.Rename(filepath.Join(k.root, "sys/module/amdgpu"), filepath.Join(k.root, "sys/module/before")); err != nil {
				k.t.Fatal(err)
			}
			k.write("sys/module/amdgpu/srcversion", "0A1B2C\n")
		},
		"other driver": func(k *keeping) { k.set("uevent", "DRIVER=vfio-pci\nPCI_SLOT_NAME=0000:03:00.0\n") },
		"card's ids":   func(k *keeping) { k.write("sys/bus/pci/devices/0000:03:00.0/device", "0x73bf\n") },
		"card asleep":  func(k *keeping) { k.set("power/runtime_status", "suspended\n") },
		"second card": func(k *keeping) {
			k.write("sys/class/drm/card1/device/uevent", "DRIVER=i915\nPCI_SLOT_NAME=0000:00:02.0\n")
		},
		"driver file":    func(k *keeping) { k.write("usr/share/vulkan/icd.d/radeon.json", "{}") },
		"new driver":     func(k *keeping) { k.write("usr/share/vulkan/icd.d/intel.json", "{}") },
		"driver library": func(k *keeping) { k.write("lib/libvulkan_radeon.so", "a newer one") },
		"driver's time": func(k *keeping) {
			if err := os.Chtimes(filepath.Join(k.root, "lib/libvulkan_radeon.so"), time.Time{}, k.time); err != nil {
				k.t.Fatal(err)
			}
		},
		"loader":         func(k *keeping) { k.write("usr/lib/x86_64-linux-gnu/libvulkan.so.1", "a newer one") },
		"layer":          func(k *keeping) { k.write("usr/share/vulkan/implicit_layer.d/VkLayer.json", `{"a":1}`) },
		"new layer":      func(k *keeping) { k.write("vulkan/implicit_layer.d/mine.json", "{}") },
		"setting":        func(k *keeping) { k.write("usr/share/drirc.d/00-mine.conf", "<driconf/>") },
		"environment":    func(k *keeping) { k.opts.environ = append(k.opts.environ, "MESA_VK_DEVICE_SELECT=1002:744c") },
		"NVIDIA's nodes": func(k *keeping) { k.write("dev/nvidia0", "") },
		"a day":          func(k *keeping) { k.time = k.time.Add(keptFor + time.Second) },
		"clock set back": func(k *keeping) { k.time = k.time.Add(-time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			k := keep(t)
			if _, _, ok := k.recalls(); !ok {
				t.Fatal("nothing is recalled before the change")
			}
			change(k)
			if adapters, _, ok := k.recalls(); ok {
				t.Errorf("%+v are recalled", adapters)
			}
		})
	}
}

// A desktop gives each program that it starts a variable of its own.
func TestAnotherStartIsNoChange(t *testing.T) {
	k := keep(t)
	k.opts.environ = append(k.opts.environ, "XDG_ACTIVATION_TOKEN=17", "XDG_SESSION_ID=4", "PATH=/bin", "DISPLAY=:7")
	if _, _, ok := k.recalls(); !ok {
		t.Error("nothing is recalled")
	}
}

func TestAFileThatCannotBeTrustedIsLeftAside(t *testing.T) {
	for name, spoil := range map[string]func(k *keeping, good string) error{
		"empty":         func(k *keeping, _ string) error { return os.WriteFile(k.file, nil, 0o600) },
		"cut":           func(k *keeping, good string) error { return os.WriteFile(k.file, []byte(good[:len(good)/2]), 0o600) },
		"not JSON":      func(k *keeping, _ string) error { return os.WriteFile(k.file, []byte("\x00\xff<html>"), 0o600) },
		"more after it": func(k *keeping, good string) error { return os.WriteFile(k.file, []byte(good+good), 0o600) },
		"no adapters":   func(k *keeping, good string) error { return replaceIn(k.file, good, `[{`, `[],"x":[{`) },
		"too many": func(k *keeping, good string) error {
			return replaceIn(k.file, good, `[{`, `[`+strings.Repeat(`{},`, maxAdapters)+`{`)
		},
		"another form":     func(k *keeping, good string) error { return replaceIn(k.file, good, keptSchema, "headroom.adapters/9") },
		"absurd memory":    func(k *keeping, good string) error { return replaceIn(k.file, good, "8589934592", "-1") },
		"endless":          func(k *keeping, _ string) error { return os.Truncate(k.file, 1<<40) },
		"writable by all":  func(k *keeping, _ string) error { return os.Chmod(k.file, 0o666) },
		"a folder":         func(k *keeping, _ string) error { os.Remove(k.file); return os.Mkdir(k.file, 0o700) },
		"a link elsewhere": func(k *keeping, _ string) error { os.Rename(k.file, k.file+"x"); return os.Symlink(k.file+"x", k.file) },
	} {
		t.Run(name, func(t *testing.T) {
			k := keep(t)
			good, err := os.ReadFile(k.file)
			if err != nil {
				t.Fatal(err)
			}
			if err := spoil(k, string(good)); err != nil {
				t.Fatal(err)
			}
			if adapters, _, ok := k.recalls(); ok {
				t.Errorf("%+v are recalled", adapters)
			}
			k.Relist()
			k.look()
			if _, _, ok := k.recalls(); ok == (name == "a folder") {
				t.Errorf("after the next listing, recalled is %v", ok)
			}
		})
	}
}

func replaceIn(file, text, old, new string) error {
	return os.WriteFile(file, []byte(strings.Replace(text, old, new, 1)), 0o600)
}

// A home that cannot be written to costs nothing but the memory of it.
func TestAReadOnlyHomeKeepsNothing(t *testing.T) {
	w := watch(t, "live-well")
	w.opts.Kept = "/proc/headroom/adapters.json"
	if _, r := w.look(); r.State != sensors.StateOK || r.Detail != "" {
		t.Errorf("the reading is %+v", r)
	}
	if _, _, ok := w.Recall(); ok {
		t.Error("something is recalled")
	}
}
