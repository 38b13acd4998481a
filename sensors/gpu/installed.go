package gpu

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"headroom/sensors/gpu/engine"
	"headroom/sensors/sysfs"
	"headroom/sensors/wholefile"
)

// Driver is a Vulkan driver as it is installed.
type Driver struct {
	// File describes it to Vulkan's loader; Library is what that names, without a folder where the system is to find it.
	File, Library string
	// Problem says what keeps the loader from it; empty where the files show nothing.
	Problem string
}

// Drivers lists the Vulkan drivers that the loader would try on this machine, in its order, by their files alone: nothing is
// loaded. There are none where the build has no WebGPU, or the system keeps its drivers elsewhere.
func Drivers() []Driver {
	if !engine.Available || runtime.GOOS != "linux" {
		return nil
	}
	return driversIn(sysfs.New("", nil), childEnv(os.Environ()))
}

func driversIn(root sysfs.Root, environ []string) []Driver {
	var out []Driver
	for _, name := range []string{"VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"} {
		for _, place := range filepath.SplitList(variable(environ, name)) {
			if place != "" && !exists(place) {
				out = append(out, Driver{File: place, Problem: name + " names it, but it is not there"})
			}
		}
	}
	for _, f := range driverFiles(root, environ) {
		out = append(out, Driver{File: f.file, Library: f.library, Problem: f.problem()})
	}
	return out
}

// problem is what the driver's files show to be wrong.
func (d driverFile) problem() string {
	if d.library == "" {
		if _, err := wholefile.Read(d.file, maxDriverFile); err != nil {
			return err.Error()
		}
		return "it is not JSON that names a library"
	}
	if !strings.Contains(d.library, "/") {
		return ""
	}
	library := d.library
	if !filepath.IsAbs(library) {
		library = filepath.Join(filepath.Dir(d.file), library)
	}
	if !exists(library) {
		return "its library is not there"
	}
	return ""
}
