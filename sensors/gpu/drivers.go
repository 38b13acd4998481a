package gpu

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"headroom/sensors/sysfs"
	"headroom/sensors/wholefile"
)

// driverFile is one Vulkan driver as the loader finds it: a JSON file that names a library.
type driverFile struct {
	file    string
	library string
}

// kernelDrivers are the kernel's drivers behind a Vulkan driver, by a part of its library's name. A software driver has
// none. A library that is not here may reach any card.
var kernelDrivers = []struct {
	part   string
	kernel []string
}{
	{"vulkan_lvp", nil},
	{"vk_swiftshader", nil},
	{"GLX_nvidia", []string{"nvidia"}},
	{"EGL_nvidia", []string{"nvidia"}},
	{"vulkan_nouveau", []string{"nouveau", "nova"}},
	{"vulkan_radeon", []string{"amdgpu", "radeon"}},
	{"amdvlk", []string{"amdgpu"}},
	{"vulkan_intel", []string{"i915", "xe"}},
	{"vulkan_virtio", []string{"virtio-pci", "virtio_gpu"}},
	{"vulkan_asahi", []string{"asahi"}},
	{"vulkan_broadcom", []string{"v3d", "vc4", "vc4-drm"}},
	{"vulkan_freedreno", []string{"msm", "msm_dpu", "adreno"}},
	{"vulkan_panfrost", []string{"panfrost", "panthor"}},
	{"vulkan_powervr", []string{"powervr"}},
}

// serves gives the kernel drivers of a Vulkan driver and whether it is a known one.
func (d driverFile) serves() (kernel []string, known bool) {
	for _, k := range kernelDrivers {
		if strings.Contains(filepath.Base(d.library), k.part) {
			return k.kernel, true
		}
	}
	return nil, false
}

// view is what a child may see when some cards sleep.
type view struct {
	// env is the environment that keeps the loaders to it.
	env []string
	// hide are files that must not be opened although their driver is loaded, because it also serves a card that is awake.
	hide []string
	// notes say what was left out.
	notes []string
}

// awakeView narrows the environment to the drivers of cards that are awake. A driver that serves both a sleeping and a
// waking card is kept only where the sleeping one's files can be hidden from it (canHide).
func awakeView(root sysfs.Root, environ []string, devs []device, canHide bool) view {
	var sleeping []device
	for _, d := range devs {
		if d.asleep {
			sleeping = append(sleeping, d)
		}
	}
	if len(sleeping) == 0 {
		return view{env: environ}
	}
	var keep []string
	for _, f := range driverFiles(root, environ) {
		if keepDriver(f, devs, canHide) {
			keep = append(keep, f.file)
		}
	}
	v := view{env: withoutSleepers(environ, keep)}
	for _, d := range sleeping {
		if canHide {
			v.hide = append(v.hide, d.files...)
			if d.driver == "nvidia" && !driverAwake(devs, "nvidia") {
				v.hide = append(v.hide, nvidiaNodes(root)...)
			}
		}
		v.notes = append(v.notes, strings.TrimSpace("card "+d.id+" "+d.driver)+" is asleep and was left so")
	}
	return v
}

// keepDriver decides about one driver when some card sleeps.
func keepDriver(f driverFile, devs []device, canHide bool) bool {
	kernel, known := f.serves()
	if !known {
		return false
	}
	for _, d := range devs {
		if !d.asleep || !slices.Contains(kernel, d.driver) {
			continue
		}
		// NVIDIA's files belong to its cards in an order that cannot be told without waking them.
		if !canHide || d.driver == "nvidia" || !driverAwakeAny(devs, kernel) {
			return false
		}
	}
	return true
}

func driverAwake(devs []device, driver string) bool {
	return slices.ContainsFunc(devs, func(d device) bool { return !d.asleep && d.driver == driver })
}

func driverAwakeAny(devs []device, drivers []string) bool {
	return slices.ContainsFunc(drivers, func(name string) bool { return driverAwake(devs, name) })
}

// nvidiaNodes are the device files of NVIDIA's driver.
func nvidiaNodes(root sysfs.Root) []string {
	var out []string
	names, _ := root.List("dev")
	for _, n := range names {
		if strings.HasPrefix(n, "nvidia") {
			out = append(out, root.Path("dev/"+n))
		}
	}
	return out
}

// none is a driver file that does not exist: a loader that is given an empty list takes it as unset.
const none = "/nonexistent"

// withoutSleepers has the loaders find these drivers alone, and switches off what would reach for a card of its own accord:
// implicit layers, EGL's vendors, render offload.
func withoutSleepers(environ, drivers []string) []string {
	out := without(onlyDrivers(environ, drivers), "VK_LOADER_LAYERS_DISABLE", "VK_INSTANCE_LAYERS", "__EGL_VENDOR_LIBRARY_FILENAMES",
		"__EGL_VENDOR_LIBRARY_DIRS", "__NV_PRIME_RENDER_OFFLOAD", "__GLX_VENDOR_LIBRARY_NAME", "DRI_PRIME")
	return append(out, "VK_LOADER_LAYERS_DISABLE=~implicit~", "__EGL_VENDOR_LIBRARY_FILENAMES="+none)
}

// onlyDrivers replaces what tells the Vulkan loader where drivers are.
func onlyDrivers(environ, drivers []string) []string {
	if len(drivers) == 0 {
		drivers = []string{none}
	}
	list := strings.Join(drivers, string(os.PathListSeparator))
	return append(without(environ, "VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"),
		"VK_DRIVER_FILES="+list, "VK_ICD_FILENAMES="+list)
}

// without is an environment less the variables of these names.
func without(environ []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	})
}

// variable gives a variable of an environment, empty where it is not set.
func variable(environ []string, name string) string {
	for _, kv := range environ {
		if n, v, _ := strings.Cut(kv, "="); n == name {
			return v
		}
	}
	return ""
}

// driverFiles are the driver files that the Vulkan loader would read, in its order.
func driverFiles(root sysfs.Root, environ []string) []driverFile {
	var out []driverFile
	seen := map[string]bool{}
	add := func(file string) {
		if !seen[file] && len(out) < 256 {
			seen[file] = true
			out = append(out, driverFile{file: file, library: libraryOf(file)})
		}
	}
	// A place is a file or a folder of them.
	addPlace := func(place string) {
		if place == "" {
			return
		}
		if info, err := os.Stat(place); err != nil || !info.IsDir() {
			if err == nil {
				add(place)
			}
			return
		}
		found, _ := filepath.Glob(filepath.Join(escapeGlob(place), "*.json"))
		for _, f := range found {
			add(f)
		}
	}
	for _, name := range []string{"VK_DRIVER_FILES", "VK_ICD_FILENAMES"} {
		if chosen := variable(environ, name); chosen != "" {
			for _, p := range filepath.SplitList(chosen) {
				addPlace(p)
			}
			return out
		}
	}
	for _, p := range filepath.SplitList(variable(environ, "VK_ADD_DRIVER_FILES")) {
		addPlace(p)
	}
	for _, dir := range vulkanPlaces(root, environ) {
		addPlace(filepath.Join(dir, "vulkan/icd.d"))
	}
	return out
}

// vulkanPlaces are the folders in which the Vulkan loader looks for one called vulkan, in its order.
func vulkanPlaces(root sysfs.Root, environ []string) []string {
	home := variable(environ, "HOME")
	or := func(name, otherwise string) string {
		if v := variable(environ, name); v != "" {
			return v
		}
		return otherwise
	}
	places := []string{or("XDG_CONFIG_HOME", filepath.Join(home, ".config"))}
	places = append(places, filepath.SplitList(or("XDG_CONFIG_DIRS", root.Path("etc/xdg")))...)
	places = append(places, root.Path("usr/local/etc"), root.Path("etc"), or("XDG_DATA_HOME", filepath.Join(home, ".local/share")))
	places = append(places, filepath.SplitList(variable(environ, "XDG_DATA_DIRS"))...)
	places = append(places, root.Path("usr/local/share"), root.Path("usr/share"), root.Path("run/opengl-driver/share"))
	return slices.DeleteFunc(places, func(dir string) bool { return !filepath.IsAbs(dir) })
}

// escapeGlob makes a folder's name mean itself in a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// maxDriverFile is how long a driver file may be, in bytes.
const maxDriverFile = 64 << 10

// libraryOf is the library that a driver file names; empty where it cannot be read.
func libraryOf(file string) string {
	b, err := wholefile.Read(file, maxDriverFile)
	if err != nil {
		return ""
	}
	var f struct {
		ICD struct {
			Library string `json:"library_path"`
		}
	}
	if json.Unmarshal(b, &f) != nil {
		return ""
	}
	return f.ICD.Library
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
