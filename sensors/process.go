package sensors

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/prometheus/procfs"

	"headroom/sensors/fdinfo"
	"headroom/sensors/nvidiasmi"
	"headroom/sensors/sysfs"
)

// processEvery is the time between two walks over the processes.
const processEvery = 5 * time.Second

// Sizes from which a process is looked at, in bytes, and how many that serve no model are listed.
const (
	modelResident = 256 << 20
	largeHolder   = 1 << 30
	maxHolders    = 3
	maxProcesses  = 64
)

// processFamily finds running local model servers and other large holders of memory.
type processFamily struct {
	env    *env
	nvidia nvidiaFamily
	// spent is the processor time, busy the engine time that each process had used at the last walk.
	spent map[int]usage
	// worked is what all had used together.
	worked time.Duration
	at     time.Time
}

// tick is the unit of times in /proc: the kernel counts hundredths of a second on every machine that Go runs on.
const tick = 10 * time.Millisecond

type usage struct {
	cpu  time.Duration
	busy time.Duration
}

func (f *processFamily) scan(context.Context) part {
	if !f.env.fs.Exists("proc") {
		return part{}
	}
	return part{found: []source{{key: "processes", every: min(processEvery, f.env.rescan), background: f.env.rescan > 0, read: f.read}}}
}

// candidate is a process while it is looked at.
type candidate struct {
	Process
	dir    string
	anon   uint64
	mapped uint64
	serves bool
	use    usage
	cards  map[string]uint64
}

func (f *processFamily) read(ctx context.Context) part {
	now := f.env.clock.Now()
	fs, err := procfs.NewFS(f.env.fs.Path("proc"))
	if err != nil {
		return part{Sample: Sample{SourceFailures: []Reading{failed("source/processes", "source", Count, "/proc", now, err)}}}
	}
	all, err := fs.AllProcs()
	if err != nil {
		return part{Sample: Sample{SourceFailures: []Reading{failed("source/processes", "source", Count, "/proc", now, err)}}}
	}
	var list []candidate
	for _, p := range all {
		if c, ok := f.look(p); ok {
			list = append(list, c)
		}
	}
	list = keepLargest(list)
	if len(list) > 0 {
		f.askNVIDIA(ctx, list)
	}
	out := make([]Process, 0, len(list))
	spent := make(map[int]usage, len(list))
	for i := range list {
		c := &list[i]
		spent[c.PID] = c.use
		f.fill(c, now)
		out = append(out, c.Process)
	}
	shares := f.shares(list, now)
	f.spent, f.at = spent, now
	return part{Sample: Sample{Workloads: out}, shares: shares}
}

// servers are the names of programs that run models, as the kernel shortens them.
var servers = []string{"ollama", "llama-", "llamafile", "koboldcpp", "lm studio", "lmstudio", "lms", "vllm", "localai", "local-ai", "text-generation", "gpt4all", "jan", "cortex", "mlx_lm", "tabbyapi", "whisper-", "sd-server", "stable-diffusion"}

func isServer(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(servers, func(s string) bool {
		if len(s) <= 3 {
			return name == s
		}
		return strings.HasPrefix(name, s)
	})
}

// look decides whether a process serves a model or holds much memory, from the two files that cost the kernel least.
// The library panics on some empty files.
func (f *processFamily) look(p procfs.Proc) (candidate, bool) {
	c := candidate{Process: Process{PID: p.PID}, dir: "proc/" + strconv.Itoa(p.PID)}
	size, err := ask(p.Statm)
	if err != nil {
		return c, false
	}
	if c.Name, err = ask(p.Comm); err != nil {
		return c, false
	}
	c.serves = isServer(c.Name)
	if !c.serves && size.ResidentBytes() < modelResident {
		return c, false
	}
	c.Model = f.model(c.dir)
	c.serves = c.serves || c.Model != ""
	c.anon = size.ResidentBytes()
	if status, err := ask(p.NewStatus); err == nil && status.VmRSS > 0 {
		c.anon, c.mapped = status.RssAnon+status.RssShmem, status.RssFile
	}
	if !c.serves && c.anon < largeHolder {
		return c, false
	}
	if stat, err := ask(p.Stat); err == nil {
		c.use.cpu = time.Duration(stat.UTime+stat.STime) * tick
	}
	c.cards, c.use.busy = f.cardMemory(c.dir)
	return c, true
}

// keepLargest keeps the servers, and of the others the few that hold most.
func keepLargest(list []candidate) []candidate {
	slices.SortStableFunc(list, func(a, b candidate) int {
		switch {
		case a.serves != b.serves:
			return int(truth(b.serves)) - int(truth(a.serves))
		case a.anon != b.anon:
			return 2*int(truth(a.anon < b.anon)) - 1
		}
		return a.PID - b.PID
	})
	others := 0
	list = slices.DeleteFunc(list, func(c candidate) bool {
		if c.serves {
			return false
		}
		others++
		return others > maxHolders
	})
	return list[:min(len(list), maxProcesses)]
}

// modelExtensions are the files that hold weights.
var modelExtensions = []string{".gguf", ".ggml", ".safetensors", ".llamafile", ".onnx", ".pte"}

func isModelFile(file string) bool {
	file = strings.TrimSuffix(strings.TrimSpace(file), " (deleted)")
	return slices.Contains(modelExtensions, strings.ToLower(path.Ext(file))) || strings.Contains(file, "/models/blobs/sha256-")
}

// mapsLimit is how much of a process's list of mappings is read; the large ones of a model are among the first.
const mapsLimit = 1 << 20

// model is the file with weights that a process has mapped or holds open.
func (f *processFamily) model(dir string) string {
	data, err := f.env.fs.Attr(dir, "maps").ReadAll(mapsLimit)
	if err == nil || errors.Is(err, sysfs.ErrTooLong) {
		for line := range strings.Lines(string(data)) {
			if i := strings.IndexByte(line, '/'); i >= 0 && isModelFile(line[i:]) {
				return strings.TrimSpace(line[i:])
			}
		}
	}
	names, _ := f.env.fs.List(dir, "fd")
	for _, n := range names[:min(len(names), 512)] {
		if file := f.env.fs.Target(dir, "fd", n); isModelFile(file) {
			return file
		}
	}
	return ""
}

// cardMemory sums what a process holds on each card, every client once.
func (f *processFamily) cardMemory(dir string) (cards map[string]uint64, busy time.Duration) {
	names, _ := f.env.fs.List(dir, "fdinfo")
	seen := map[string]bool{}
	for _, n := range names[:min(len(names), 1024)] {
		data, err := f.env.fs.Attr(dir, "fdinfo", n).ReadAll(16 << 10)
		if err != nil {
			continue
		}
		c, ok := fdinfo.Parse(string(data))
		if !ok || seen[c.PCI+"/"+c.ID] {
			continue
		}
		seen[c.PCI+"/"+c.ID] = true
		if cards == nil {
			cards = map[string]uint64{}
		}
		cards["pci/"+c.PCI] += c.VRAM + c.System
		busy += c.Busy
	}
	return cards, busy
}

// askNVIDIA adds what nvidia-smi says of the processes' memory.
func (f *processFamily) askNVIDIA(ctx context.Context, list []candidate) {
	if !f.env.fs.Live() || !f.nvidia.loaded() || f.nvidia.sleeping(&part{}, time.Time{}) {
		return
	}
	t, err := f.nvidia.find()
	if err != nil {
		return
	}
	used, err := t.Processes(ctx)
	if err != nil {
		return
	}
	addNVIDIAProcesses(list, used)
}

func addNVIDIAProcesses(list []candidate, used []nvidiasmi.Process) {
	for _, u := range used {
		i := slices.IndexFunc(list, func(c candidate) bool { return c.PID == u.PID })
		if i < 0 || !u.Memory.Known || u.Memory.V < 0 {
			continue
		}
		if list[i].cards == nil {
			list[i].cards = map[string]uint64{}
		}
		list[i].cards["pci/"+u.PCI] = max(list[i].cards["pci/"+u.PCI], uint64(u.Memory.V))
	}
}

// fill makes the readings of one process.
func (f *processFamily) fill(c *candidate, now time.Time) {
	id := "process/" + strconv.Itoa(c.PID)
	c.RAM = got(id+"/ram", "memory", Bytes, "/"+c.dir+"/status", now, float64(c.anon))
	if c.mapped > 0 {
		c.RAM.Detail = fmt.Sprintf("without %s of mapped files, which the kernel counts as available", humanize.IBytes(c.mapped))
	}
	c.GPU = Missing(id+"/gpu", "gpu", Bytes, StateNotOffered, "/"+c.dir+"/fdinfo", "it uses no card that tells, or belongs to another user")
	if c.cards != nil {
		var sum uint64
		for _, n := range c.cards {
			sum += n
		}
		c.GPU = got(id+"/gpu", "gpu", Bytes, "/"+c.dir+"/fdinfo", now, float64(sum))
	}
	c.Power = Missing(id+"/power", "power", Milliwatt, StateNotOffered, "/"+c.dir+"/stat", "known once a draw and its share of the time are")
}

// share is how much of the machine's work one process did since the last walk.
type share struct {
	// cpu is its part of all processor time that was used, card its part of the time on its card; 0 to 1, below 0 unknown.
	cpu, card float64
	// cardID is the card that it holds most memory of.
	cardID string
}

// shares compares with the last walk.
func (f *processFamily) shares(list []candidate, now time.Time) map[int]share {
	total := f.busyTime()
	elapsed, worked := now.Sub(f.at), total-f.worked
	f.worked = total
	if f.at.IsZero() || elapsed <= 0 {
		return nil
	}
	out := map[int]share{}
	for i := range list {
		c := &list[i]
		before, ok := f.spent[c.PID]
		if !ok || c.use.cpu < before.cpu || c.use.busy < before.busy {
			continue
		}
		s := share{cpu: -1, card: -1}
		if worked > 0 {
			s.cpu = min(1, (c.use.cpu-before.cpu).Seconds()/worked.Seconds())
		}
		most := uint64(0)
		for id, n := range c.cards {
			if n > most {
				most, s.cardID = n, id
			}
		}
		if s.cardID != "" && c.use.busy > before.busy {
			s.card = min(1, (c.use.busy-before.busy).Seconds()/elapsed.Seconds())
		}
		out[c.PID] = s
	}
	return out
}

// busyTime is the processor time that all processes and the kernel used.
func (f *processFamily) busyTime() time.Duration {
	text, _ := f.env.fs.Attr("proc/stat").ReadAll(512)
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	if len(fields) < 5 || fields[0] != "cpu" {
		return 0
	}
	var ticks uint64
	for i, field := range fields[1:min(len(fields), 9)] {
		// The 4th and 5th are idle and waiting for a disk.
		if n, err := strconv.ParseUint(field, 10, 48); err == nil && i != 3 && i != 4 {
			ticks += n
		}
	}
	return time.Duration(ticks) * tick
}

// addPower estimates the power of each process: its part of the time on its card, or else of the processors, times what
// these draw.
func addPower(s *Sample, shares map[int]share) {
	for i := range s.Workloads {
		w := &s.Workloads[i]
		part, ok := shares[w.PID]
		if !ok {
			continue
		}
		of, draw := part.cpu, 0.0
		what := "processor time × the packages' draw"
		if part.card >= 0 {
			of, what = part.card, "card's time × its draw"
		}
		known := false
		for _, d := range s.Power {
			mine := d.Kind == PowerPackage
			if part.card >= 0 {
				mine = d.Kind == PowerGPU && d.Card == part.cardID
			}
			if v, ok := d.Draw.Value.Get(); ok && mine {
				draw, known = draw+v, true
			}
		}
		if known && of >= 0 {
			w.Power.Value, w.Power.State = Num(of*draw), StateAssumed
			w.Power.Detail = fmt.Sprintf("estimated: %.0f %% of the %s", 100*of, what)
		}
	}
}
