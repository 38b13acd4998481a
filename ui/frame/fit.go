package frame

import (
	"slices"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
)

// Fit says how a model in one format fits this machine now.
type Fit uint8

// The fits, best first.
const (
	// FitGPU: all of it fits the memory of the GPU in use.
	FitGPU Fit = iota
	// FitTiled: the weights pass through the GPU's memory in tiles, and stay in RAM between.
	FitTiled
	// FitNPU and FitCPU: all of it fits RAM.
	FitNPU
	FitCPU
	// FitNone: it fits nowhere.
	FitNone
	// FitUnknown: the free memory is unknown.
	FitUnknown
	numFits
)

var fitNames = [numFits]string{"gpu", "gpu_tiled", "npu", "cpu", "none", "unknown"}

// String gives the JSON's spelling.
func (f Fit) String() string { return fitNames[min(f, FitUnknown)] }

// Runs reports whether the model runs at all, Whole whether it needs no tiles.
func (f Fit) Runs() bool  { return f <= FitCPU }
func (f Fit) Whole() bool { return f.Runs() && f != FitTiled }

// Offer is a model in one format: what a Row is made of.
type Offer struct {
	// Model without layers is a bare count of weights, without KV cache and buffers.
	Model  workload.Model
	Format string
	// Weights is their size in bytes; Exact is whether a file was counted, and not the format's usual bits.
	Weights uint64
	Exact   bool
	// Missing is the bytes of weights that a file lacks: more than 0 for a broken-off download.
	Missing uint64
	// Types are what a file stores its weights as, in words. From is the program or folder that keeps it; empty for a model
	// that is not here.
	Types, From string
}

// OfferOf is the model in a format, at the bits a weight that files of the format usually take.
func OfferOf(m workload.Model, f workload.Format) Offer {
	return Offer{Model: m, Format: f.Name, Weights: f.Of(m)}
}

// bare reports whether the offer is a count of weights alone.
func (o Offer) bare() bool { return len(o.Model.Layers) == 0 }

// Rates are bandwidths that were measured on this machine, in bytes a second; unknown where they were not.
type Rates struct {
	// RAM and GPU are read by the CPU and by the GPU in use; Upload is from RAM to the GPU's memory.
	RAM, GPU, Upload sensors.Number
}

// Row is an Offer on this machine now: one line of the Models page, of size and of models.
type Row struct {
	Offer
	// Context is tokens; 0 for a bare count.
	Context               uint64
	KVType                workload.KVType
	KVBytes, ComputeBytes uint64
	// Total is Weights + KVBytes + ComputeBytes, Free what was free for it, both in bytes.
	Total, Free uint64
	Fit         Fit
	// Tiles is the policy's count for these weights: 1 where they need not be cut.
	Tiles uint32
	// Stream is what streams again for every token because of the tiles.
	Stream Stream
	// MaxContext is the largest context that fits at this format; 0 where none does, or where context does not apply.
	MaxContext uint64
	Speed      Speed
	// Remedies are single changes that would make it fit, the mildest first; none where it fits.
	Remedies []Remedy
}

// Stream is the weights that pass from RAM to the GPU for each token.
type Stream struct {
	// Bytes is 0 where nothing streams. Rate is in bytes a second; Assumed is whether it is PCIe's nominal figure.
	Bytes   uint64
	Rate    float64
	Assumed bool
}

// Seconds is how long one token's stream takes.
func (s Stream) Seconds() float64 {
	if s.Bytes == 0 {
		return 0
	}
	return float64(s.Bytes) / s.Rate
}

// pcieRate is what PCIe 4.0 moves over 16 lanes after its encoding, in bytes a second: the figure taken for a discrete
// card's upload where none was measured.
const pcieRate = 31.5e9

// Row fits the offer to the Frame's machine. A context of 0 takes the default; one beyond the model's own is
// sized as it is, for programs run that, too.
func (f Frame) Row(o Offer, opt workload.Options, rates Rates) Row {
	r := beside(o, opt)
	f.place(&r, rates)
	f.complete(&r, opt, rates)
	return r
}

// beside is the row of an offer with what it needs beside its weights, which no format changes.
func beside(o Offer, opt workload.Options) Row {
	r := Row{Offer: o}
	if !o.bare() {
		opt = filled(opt, o.Model)
		r.Context, r.KVType, r.KVBytes, r.ComputeBytes = opt.Context, opt.KV, o.Model.KVBytes(opt), o.Model.ComputeBytes(opt)
	}
	return r
}

// complete says of a placed row how long a context it may have, how fast it is, and what would make it fit.
func (f Frame) complete(r *Row, opt workload.Options, rates Rates) {
	if !r.bare() {
		opt = filled(opt, r.Model)
	}
	if !r.bare() && r.Fit != FitUnknown {
		r.MaxContext = r.Model.LargestContext(r.Free, r.Weights, opt)
	}
	r.Speed = f.speed(*r, rates)
	if r.Fit == FitTiled || r.Fit == FitNone {
		r.Remedies = f.remedies(*r, opt)
	}
}

func (r Row) overhead() uint64 { return addSat(r.KVBytes, r.ComputeBytes) }

// place decides where the row runs, and in how many tiles.
func (f Frame) place(r *Row, rates Rates) {
	b := f.Budget
	r.Tiles, r.Free = 1, b.Memory.Free
	r.Total = addSat(r.Weights, r.overhead())
	ram, ramKnown := b.Memory.RAMAvailable.Get()
	fitsRAM := func(n uint64) bool { return !ramKnown || float64(n) <= ram }
	switch {
	case !f.MemoryKnown():
		r.Fit = FitUnknown
	case b.Device != policy.GPU:
		r.Fit = FitNone
		if r.Total <= r.Free {
			r.Fit = FitCPU
			if b.Device == policy.NPU {
				r.Fit = FitNPU
			}
		}
	case r.Total <= r.Free:
		r.Fit = FitGPU
	default:
		f.cut(r, fitsRAM, rates)
	}
}

// cut decides for a GPU that the row does not fit whole: tiles while anything is left for weights beside cache and buffers
// and RAM holds what waits there, else the CPU if RAM holds all of it.
func (f Frame) cut(r *Row, fitsRAM func(uint64) bool, rates Rates) {
	in := f.Budget.Inputs.Host
	in.VRAMAvailable = r.Free - min(r.overhead(), r.Free)
	r.Tiles = policy.NewHeterogeneousDispatcher(in).GPUTiles(r.Weights)
	unified := f.unified()
	waiting := r.Weights
	if unified {
		// Cache and buffers are in the same memory.
		waiting = r.Total
	}
	switch {
	case in.VRAMAvailable > 0 && fitsRAM(waiting):
		r.Fit = FitTiled
		if !unified {
			r.Stream = Stream{Bytes: r.Weights, Rate: pcieRate, Assumed: true}
			if rate, ok := rates.Upload.Get(); ok && rate > 0 {
				r.Stream.Rate, r.Stream.Assumed = rate, false
			}
		}
	case fitsRAM(r.Total) && f.Budget.Memory.RAMAvailable.Known():
		ram, _ := f.Budget.Memory.RAMAvailable.Get()
		r.Fit, r.Tiles, r.Free = FitCPU, 1, uint64(ram)
	default:
		r.Fit = FitNone
	}
}

// unified reports whether the GPU in use shares the machine's RAM.
func (f Frame) unified() bool {
	b := f.Budget
	return b.InUse >= 0 && b.InUse < len(b.GPUs) && b.GPUs[b.InUse].Unified
}

// Offered are the formats that a model is offered in where the user names none, the finest first: those that people mostly
// download. A model that its makers publish in MXFP4 is offered in that alone.
func Offered(m workload.Model) []workload.Format {
	if m.Arch == "gpt-oss" {
		return slices.Clone(mxfp4)
	}
	return slices.Clone(downloaded)
}

var (
	downloaded = formatsNamed("F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M", "Q2_K")
	mxfp4      = formatsNamed("MXFP4")
)

func formatsNamed(names ...string) (formats []workload.Format) {
	for _, name := range names {
		if f, ok := workload.FormatNamed(name); ok {
			formats = append(formats, f)
		}
	}
	return formats
}

// usual is the format that people mostly download; a model that fits in none is shown in it.
const usual = "Q4_K_M"

// Best is the row of the finest offered format that fits whole, and of the usual one where none does. Formats of 16 bits are
// off while heat or power are tight, as the policy has it.
func (f Frame) Best(m workload.Model, opt workload.Options, rates Rates) Row {
	formats := Offered(m)
	fallback := formats[0]
	sized := beside(Offer{Model: m}, opt)
	in := func(format workload.Format) Row {
		r := sized
		r.Offer = OfferOf(m, format)
		f.place(&r, rates)
		return r
	}
	for _, format := range formats {
		if format.Name == usual {
			fallback = format
		}
		if f.Plan.Tight && format.BitsPerWeight >= 16 {
			continue
		}
		if r := in(format); r.Fit.Whole() {
			f.complete(&r, opt, rates)
			return r
		}
	}
	r := in(fallback)
	f.complete(&r, opt, rates)
	return r
}

// filled gives the options that a row shows their defaults.
func filled(opt workload.Options, m workload.Model) workload.Options {
	if opt.Context == 0 {
		opt.Context = workload.DefaultContext
		if m.MaxContext > 0 {
			opt.Context = min(opt.Context, m.MaxContext)
		}
	}
	if opt.KV == "" {
		opt.KV = workload.KVF16
	}
	return opt
}

// addSat adds without wrapping round.
func addSat(a, b uint64) uint64 {
	if a+b < a {
		return ^uint64(0)
	}
	return a + b
}
