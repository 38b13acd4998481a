package hostfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"headroom/sensors"
	"headroom/sensors/sysfs"
)

// alsoRead are files that the libraries read on their own, past any observer.
var alsoRead = []string{"proc/meminfo", "proc/cpuinfo", "proc/stat", "proc/loadavg", "proc/self/cgroup"}

// Tree makes the files of a recorded host from what was read under root: the recorder's attempts, what the libraries read
// past it, and the adapters and the answer of NVIDIA's tool as they stand in the Sample.
func (r *Recorder) Tree(root sysfs.Root, s sensors.Sample) (map[string]string, error) {
	for _, name := range alsoRead {
		a := root.Attr(name)
		data, err := a.ReadAll(textLimit)
		r.Observe(a.Name(), data, err)
	}
	files := map[string]string{}
	for _, a := range r.Attempts() {
		name := strings.TrimPrefix(a.Name, "/")
		switch {
		case a.Err == nil || a.Text != "":
			files[name] = a.Text
		case missing(a.Err):
		default:
			files[name+"/"] = ""
		}
	}
	underCards(root, files)
	keepParents(root, files)
	hidden := make(map[string]string, len(files))
	for _, name := range slices.SortedFunc(maps.Keys(files), sysfs.Natural) {
		hidden[r.Hide(name)] = r.Hide(files[name])
	}
	files = hidden
	adapters, err := json.MarshalIndent(map[string]any{"adapters": nonNil(s.Adapters)}, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write the adapters: %w", err)
	}
	files["gpu.json"] = string(adapters) + "\n"
	return files, nil
}

func nonNil(a []sensors.Adapter) []sensors.Adapter {
	if a == nil {
		return []sensors.Adapter{}
	}
	return a
}

const (
	drmDir   = "sys/class/drm"
	hwmonDir = "sys/class/hwmon"
)

// underCards shows each card's sensor chip also below its card, as links do on the machine: a recorded tree has no links.
func underCards(root sysfs.Root, files map[string]string) {
	owner := map[string]string{}
	cards, _ := root.List(drmDir)
	for _, card := range cards {
		below := path.Join(drmDir, card, "device/hwmon")
		chips, _ := root.List(below)
		for _, chip := range chips {
			owner[chip] = path.Join(below, chip)
		}
	}
	for name, body := range files {
		rest, ok := strings.CutPrefix(name, hwmonDir+"/")
		if !ok {
			continue
		}
		chip, attr, _ := strings.Cut(rest, "/")
		if dir := owner[chip]; dir != "" {
			files[dir+"/"+attr] = body
		}
	}
}

// keepParents keeps the empty folders of the classes: an empty class and none are told apart.
func keepParents(root sysfs.Root, files map[string]string) {
	for _, class := range []string{"sys/class/thermal", "sys/class/power_supply", hwmonDir, drmDir, "sys/class/powercap", "sys/class/accel"} {
		if !root.Exists(class) {
			continue
		}
		used := false
		for name := range files {
			used = used || strings.HasPrefix(name, class+"/")
		}
		if !used {
			files[class+"/.keep"] = ""
		}
	}
}
