package cli

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode"

	"headroom/sensors"
	"headroom/sensors/gpu"
	"headroom/ui/frame"
)

// rawWidth is how much of a file's text a line of the report shows.
const rawWidth = 60

// report is the examination as text, for people and bug reports.
func (e examination) report() string {
	var b strings.Builder
	fmt.Fprintln(&b, "headroom "+build())
	fmt.Fprintln(&b, e.kernel())
	b.WriteString("\n" + snapshotText(e.frame))
	section(&b, "What decided", e.deciding())
	section(&b, "Readings", readingRows(e.frame))
	section(&b, "Second opinions", opinionRows(e.frame))
	if e.root.Live() {
		if drivers := e.driverRows(gpu.Drivers()); len(drivers) > 0 {
			section(&b, "Vulkan drivers", drivers)
		}
	}
	section(&b, "What more permission would add", e.permissionRows())
	section(&b, "Files asked for", e.fileRows())
	return printable(e.recorder.Hide(b.String()))
}

// printable leaves out what would steer a terminal: the report repeats what files hold.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}

// kernel is the system without its host's name.
func (e examination) kernel() string {
	text, err := e.root.Attr("proc/sys/kernel/osrelease").Text()
	if err != nil {
		text = "release unknown"
	}
	return runtime.GOOS + "/" + runtime.GOARCH + ", kernel " + text
}

// deciding names the reading behind each input.
func (e examination) deciding() [][]string {
	b := e.frame.Budget
	id := func(id, otherwise string) string {
		if id == "" {
			return otherwise
		}
		return id
	}
	return [][]string{
		{"heat", id(b.Thermal.ReadingID, "no reading"), frame.StateWords(b.Thermal.State), joined(b.Thermal.Source, b.Thermal.Detail)},
		{"power", id(b.Power.ReadingID, "no reading"), frame.StateWords(b.Power.State), joined(b.Power.Source, b.Power.Detail)},
		{"memory", b.Device.String(), frame.StateWords(b.Memory.State), joined(b.Memory.Source, b.Memory.Detail)},
	}
}

func readingRows(f frame.Frame) [][]string {
	var rows [][]string
	for _, r := range sensors.Readings(f.Sample) {
		rows = append(rows, []string{r.ID, frame.ValueWords(r), frame.StateWords(r.State), joined(r.Source, r.Detail)})
	}
	return rows
}

// opinionRows are the readings in which two sources disagree or one was corrected.
func opinionRows(f frame.Frame) [][]string {
	var rows [][]string
	for _, r := range sensors.Readings(f.Sample) {
		if strings.Contains(r.Detail, "gopsutil") || strings.Contains(r.Detail, "distatus") || strings.Contains(r.Detail, "gives") {
			rows = append(rows, []string{r.ID, r.Detail})
		}
	}
	if rows == nil {
		rows = [][]string{{"none: no two sources disagreed"}}
	}
	return rows
}

// driverRows are the Vulkan drivers, and how to find the one that ended the probe. Where they lie in the user's home, the home
// is not named.
func (e examination) driverRows(drivers []gpu.Driver) [][]string {
	home, _ := os.UserHomeDir()
	atHome := func(path string) string {
		if rest, ok := strings.CutPrefix(path, strings.TrimRight(home, "/")+"/"); ok && home != "" {
			return "~/" + rest
		}
		return path
	}
	var rows [][]string
	for _, d := range drivers {
		state := "installed"
		if d.Problem != "" {
			state = "error"
		}
		rows = append(rows, []string{atHome(d.File), state, joined(atHome(d.Library), strings.ReplaceAll(d.Problem, d.File, atHome(d.File)))})
	}
	if s := e.frame.Sample; len(rows) > 0 && len(s.Adapters) == 0 && s.AdaptersState.State == sensors.StateError {
		rows = append(rows, []string{"the probe failed; to find the driver at fault, try each alone: VK_DRIVER_FILES=FILE headroom snapshot --fresh"})
	}
	return rows
}

// permissionRows say what could be read with more rights, and how to grant them.
func (e examination) permissionRows() [][]string {
	var rows [][]string
	for _, r := range sensors.Readings(e.frame.Sample) {
		if r.State == sensors.StateNeedsPermission {
			rows = append(rows, []string{r.ID, grant(r), r.Source})
		}
	}
	if rows == nil {
		return [][]string{{"nothing: no file was refused"}}
	}
	return rows
}

// grant says what the refused reading would give, and how to allow it.
func grant(r sensors.Reading) string {
	if strings.Contains(r.Source, "powercap") {
		return "the processor's power draw; 70-headroom-rapl.rules, in assets/udev or a package's folder of documents, lets one group read it"
	}
	return "its value; allow this user to read the file"
}

// fileRows are the files with their raw text, cut, or their error.
func (e examination) fileRows() [][]string {
	var rows [][]string
	for _, a := range e.recorder.Attempts() {
		name := e.recorder.Hide(a.Name)
		if a.Err != nil && a.Text == "" {
			rows = append(rows, []string{name, "error", a.Err.Error()})
			continue
		}
		text := strings.Join(strings.Fields(e.recorder.Hide(a.Text)), " ")
		if len(text) > rawWidth {
			text = strings.ToValidUTF8(text[:rawWidth], "") + "…"
		}
		rows = append(rows, []string{name, "read", text})
	}
	return rows
}
