package gpu

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"headroom/sensors"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/sysfs"
)

// tree writes files below a temporary folder that stands for /.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// card adds a card's files to a tree: its driver, address and runtime status, its device nodes and its library.
func card(files map[string]string, n int, driver, pci, status string) {
	dir := fmt.Sprintf("sys/class/drm/card%d/device/", n)
	files[dir+"uevent"] = "DRIVER=" + driver + "\nPCI_SLOT_NAME=" + pci + "\n"
	files[dir+"power/runtime_status"] = status + "\n"
	files[dir+"power/control"] = "auto\n"
	files[dir+"config"] = "reading this wakes the card"
	files[dir+fmt.Sprintf("drm/renderD%d/dev", 128+n)] = "226:128\n"
	files[fmt.Sprintf("dev/dri/card%d", n)] = "node"
	files[fmt.Sprintf("dev/dri/renderD%d", 128+n)] = "node"
}

// vulkanDriver adds a driver file whose library lies in the tree too.
func vulkanDriver(t *testing.T, root, name, library string) string {
	t.Helper()
	lib := filepath.Join(root, "lib", library)
	file := filepath.Join(root, "usr/share/vulkan/icd.d", name)
	for _, p := range []string{lib, file} {
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(lib, []byte("not really a library"), 0o644); err != nil {
		t.Fatal(err)
	}
	manifest := fmt.Sprintf(`{"file_format_version":"1.0.0","ICD":{"library_path":%q,"api_version":"1.3.0"}}`, lib)
	if err := os.WriteFile(file, []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	return lib
}

func TestOnlyDriversOfWakingCardsAreSeen(t *testing.T) {
	for _, c := range []struct {
		name    string
		cards   [][2]string // driver, runtime status
		canHide bool
		want    []string
	}{
		{"all awake", [][2]string{{"i915", "active"}, {"nvidia", "active"}}, true, nil},
		{"NVIDIA asleep", [][2]string{{"i915", "active"}, {"nvidia", "suspended"}}, false, []string{"intel.json", "lvp.json", "radeon.json"}},
		{"NVIDIA about to sleep", [][2]string{{"i915", "active"}, {"nvidia", "suspending"}}, false, []string{"intel.json", "lvp.json", "radeon.json"}},
		{"one of two NVIDIA asleep", [][2]string{{"nvidia", "active"}, {"nvidia", "suspended"}}, true, []string{"intel.json", "lvp.json", "radeon.json"}},
		{"one of two AMD asleep, files can be hidden", [][2]string{{"amdgpu", "active"}, {"amdgpu", "suspended"}}, true, []string{"intel.json", "lvp.json", "nvidia.json", "radeon.json"}},
		{"one of two AMD asleep, files cannot be hidden", [][2]string{{"amdgpu", "active"}, {"amdgpu", "suspended"}}, false, []string{"intel.json", "lvp.json", "nvidia.json"}},
		{"both AMD asleep", [][2]string{{"amdgpu", "suspended"}, {"amdgpu", "suspended"}}, true, []string{"intel.json", "lvp.json", "nvidia.json"}},
		{"i915 asleep, xe awake share a driver", [][2]string{{"i915", "suspended"}, {"xe", "active"}}, false, []string{"lvp.json", "nvidia.json", "radeon.json"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{}
			for i, k := range c.cards {
				card(files, i, k[0], fmt.Sprintf("0000:0%d:00.0", i+1), k[1])
			}
			dir := tree(t, files)
			vulkanDriver(t, dir, "radeon.json", "libvulkan_radeon.so")
			vulkanDriver(t, dir, "intel.json", "libvulkan_intel.so")
			vulkanDriver(t, dir, "nvidia.json", "libGLX_nvidia.so.0")
			vulkanDriver(t, dir, "lvp.json", "libvulkan_lvp.so")
			vulkanDriver(t, dir, "strange.json", "libstrange.so")
			root := sysfs.New(dir, nil)

			v := awakeView(root, []string{"HOME=/nonexistent", "DRI_PRIME=1"}, devices(root), c.canHide)
			got := namesIn(v.env, "VK_DRIVER_FILES")
			if !slices.Equal(got, c.want) {
				t.Errorf("the loader sees %q, want %q", got, c.want)
			}
			if c.want != nil && slices.Contains(v.env, "DRI_PRIME=1") {
				t.Error("an environment that reaches for the other card is kept")
			}
			if c.want != nil && !slices.Equal(got, namesIn(v.env, "VK_ICD_FILENAMES")) {
				t.Error("older loaders see other drivers")
			}
			for i, k := range c.cards {
				node := filepath.Join(dir, fmt.Sprintf("dev/dri/renderD%d", 128+i))
				if hidden := slices.Contains(v.hide, node); hidden != (c.canHide && strings.HasPrefix(k[1], "suspend")) {
					t.Errorf("card %d (%s) hidden: %t", i, k[1], hidden)
				}
			}
		})
	}
}

// namesIn gives the file names in a list variable.
func namesIn(environ []string, name string) []string {
	var out []string
	for _, kv := range environ {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			for _, p := range filepath.SplitList(v) {
				out = append(out, filepath.Base(p))
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestACardOutsideDRMIsSeenByItsClass(t *testing.T) {
	dir := tree(t, map[string]string{
		"sys/bus/pci/devices/0000:01:00.0/class":                "0x030200\n",
		"sys/bus/pci/devices/0000:01:00.0/uevent":               "DRIVER=nvidia\nPCI_SLOT_NAME=0000:01:00.0\n",
		"sys/bus/pci/devices/0000:01:00.0/power/runtime_status": "suspended\n",
		"sys/bus/pci/devices/0000:02:00.0/class":                "0x010802\n",
		"sys/bus/pci/devices/0000:02:00.0/power/runtime_status": "suspended\n",
	})
	got := devices(sysfs.New(dir, nil))
	if len(got) != 1 || got[0].id != "0000:01:00.0" || got[0].driver != "nvidia" || !got[0].asleep {
		t.Fatalf("got %+v", got)
	}
}

func TestADeviceThatShowsAPictureCannotSleep(t *testing.T) {
	files := map[string]string{"sys/class/drm/card0-eDP-1/enabled": "enabled\n", "sys/class/drm/card1-HDMI-A-1/enabled": "disabled\n"}
	card(files, 0, "i915", "0000:00:02.0", "active")
	card(files, 1, "amdgpu", "0000:03:00.0", "active")
	got := devices(sysfs.New(tree(t, files), nil))
	if len(got) != 2 || got[0].couldSleep || !got[1].couldSleep {
		t.Fatalf("got %+v", got)
	}
}

// opened reports which of the files a function opens, or has opened by a child.
func opened(t *testing.T, files []string, do func()) []string {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	byWatch := map[int32]string{}
	for _, f := range files {
		wd, err := unix.InotifyAddWatch(fd, f, unix.IN_OPEN)
		if err != nil {
			t.Fatal(err)
		}
		byWatch[int32(wd)] = f
	}
	do()
	var out []string
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(fd, buf)
		if err == unix.EAGAIN {
			slices.Sort(out)
			return slices.Compact(out)
		}
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < n; {
			e := (*unix.InotifyEvent)(unsafe.Pointer(&buf[at]))
			out = append(out, filepath.Base(byWatch[e.Wd]))
			at += unix.SizeofInotifyEvent + int(e.Len)
		}
	}
}

// The real loader runs over a tree with a sleeping card: neither the card's files nor its driver's library is opened, and
// the software driver still answers. With the card awake the same probe opens the library, so the watch can see it.
func TestNothingOfASleepingCardIsOpened(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	for _, status := range []string{"suspended", "active"} {
		t.Run(status, func(t *testing.T) {
			files := map[string]string{}
			card(files, 0, "amdgpu", "0000:03:00.0", status)
			dir := tree(t, files)
			library := vulkanDriver(t, dir, "radeon_icd.json", "libvulkan_radeon.so")
			watched := []string{
				library, filepath.Join(dir, "dev/dri/card0"), filepath.Join(dir, "dev/dri/renderD128"),
				filepath.Join(dir, "sys/class/drm/card0/device/config"),
			}
			o := lavapipe(t)
			// The loader's own search goes over the tree, plus the real software driver.
			software := namedPath(o.environ, "VK_DRIVER_FILES")
			o.environ = []string{"XDG_DATA_DIRS=" + filepath.Join(dir, "usr/share"), "VK_ADD_DRIVER_FILES=" + software, "GORACE=atexit_sleep_ms=0"}
			if status == "active" {
				o.environ = append(o.environ, "VK_DRIVER_FILES="+software+":"+filepath.Join(dir, "usr/share/vulkan/icd.d/radeon_icd.json"))
			}
			o.Sysroot = dir
			var r sensors.Reading
			got := opened(t, watched, func() { _, r = Probe(t.Context(), o) })
			if r.State != sensors.StateOK {
				t.Fatalf("the software adapter is not listed: %+v", r)
			}
			if status == "suspended" {
				if len(got) != 0 {
					t.Errorf("opened %q of a sleeping card", got)
				}
				if !strings.Contains(r.Detail, "card 0000:03:00.0 amdgpu is asleep and was left so") {
					t.Errorf("the reading says %q", r.Detail)
				}
			} else if !slices.Contains(got, "libvulkan_radeon.so") {
				t.Errorf("opened %q only: this test would not see a driver that is loaded", got)
			}
		})
	}
}

func namedPath(environ []string, name string) string {
	for _, kv := range environ {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// Two cards share a driver and one of them sleeps: the child can open the waking one's node, not the sleeping one's.
func TestTheChildCannotOpenTheSleepingTwin(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	if !canHide() {
		t.Skip("this kernel has no Landlock")
	}
	files := map[string]string{}
	card(files, 0, "amdgpu", "0000:03:00.0", "active")
	card(files, 1, "amdgpu", "0000:04:00.0", "suspended")
	o := faulty("open-nodes")
	o.Sysroot = tree(t, files)
	o.environ = append(o.environ, "VK_HEADROOM_TEST_TREE="+o.Sysroot)
	_, r := Probe(t.Context(), o)
	for _, want := range []string{
		"renderD128 <nil>", "card0 <nil>", "renderD129 permission denied", "card1 permission denied",
		"card1/device/config permission denied", "card0/device/config <nil>",
	} {
		if !strings.Contains(r.Detail, want) {
			t.Errorf("%q is not in %q (%s)", want, r.Detail, r.State)
		}
	}
}

func TestNothingButSleepersIsAsleep(t *testing.T) {
	if !engine.Available {
		t.Skip(noWebGPU)
	}
	files := map[string]string{}
	card(files, 0, "amdgpu", "0000:03:00.0", "suspended")
	o := Options{Sysroot: tree(t, files), environ: []string{"HOME=/nonexistent", "GORACE=atexit_sleep_ms=0"}}
	adapters, r := Probe(t.Context(), o)
	if len(adapters) != 0 || r.State != sensors.StateAsleep {
		t.Fatalf("got %+v, %+v", adapters, r)
	}
}
