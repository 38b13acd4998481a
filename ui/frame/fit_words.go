package frame

import (
	"fmt"
	"strconv"
	"strings"
)

// RowLedger is a row's memory as it is shown: one unit, and every total the sum of its lines.
type RowLedger struct {
	Ledger
	// Need is Weights + KV + Compute of the embedded ledger.
	Need Line
}

// Ledger makes the memory figures of the row.
func (r Row) Ledger() RowLedger {
	l := RowLedger{Ledger: Ledger{Unit: "GiB"}}
	if max(r.Total, r.Free) < GiB {
		l.Unit = "MiB"
	}
	l.Weights = l.line("weights", bytesOf(r.Weights))
	l.KV, l.Compute = l.line("KV cache", bytesOf(r.KVBytes)), l.line("compute buffers", bytesOf(r.ComputeBytes))
	l.Need = l.total("needed", bytesOf(r.Total), l.Weights.shown+l.KV.shown+l.Compute.shown)
	l.FreeTotal = l.line("free", bytesOf(r.Free))
	l.Left = l.total("left free", bytesOf(r.Free-min(r.Total, r.Free)), max(l.FreeTotal.shown-l.Need.shown, 0))
	l.Short = l.total("missing", bytesOf(r.Total-min(r.Free, r.Total)), max(l.Need.shown-l.FreeTotal.shown, 0))
	return l
}

// FitWords is the fit in a word or two, for people.
func (r Row) FitWords() string {
	switch r.Fit {
	case FitGPU:
		return "fits the GPU"
	case FitTiled:
		return "tiled, " + Count(uint64(r.Tiles)) + " tiles"
	case FitNPU:
		return "fits, on the NPU"
	case FitCPU:
		return "fits, on the CPU"
	case FitNone:
		return "does not fit"
	default:
		return "unknown"
	}
}

// Verdict is the row in one sentence: "Fits the GPU: 5.9 of 21.7 GiB", "Does not fit: 3.1 GiB are missing".
func (r Row) Verdict() string {
	l := r.Ledger()
	of := fmt.Sprintf("%s of %s %s", l.Need.Text, l.FreeTotal.Text, l.Unit)
	switch r.Fit {
	case FitUnknown:
		return "Cannot say whether it fits: the free memory is unknown"
	case FitGPU:
		return "Fits the GPU: " + of
	case FitNPU:
		return "Fits, on the NPU: " + of
	case FitCPU:
		return "Fits, on the CPU: " + of
	case FitTiled:
		s := fmt.Sprintf("Runs on the GPU in %s tiles: needs %s", Count(uint64(r.Tiles)), of)
		if r.Stream.Bytes > 0 {
			s += "; " + r.Stream.Words()
		}
		return s
	default:
		return fmt.Sprintf("Does not fit: needs %s, %s missing", of, l.Words(l.Short))
	}
}

// Words says what streams for each token and how long it takes, and marks a rate that was not measured.
func (s Stream) Words() string {
	rate := "measured"
	if s.Assumed {
		rate = "assumed, PCIe 4.0 ×16"
	}
	return fmt.Sprintf("%s stream again for every token, %s at %s (%s)", Bytes(s.Bytes), Duration(s.Seconds()), Rate(s.Rate), rate)
}

// Change says what would make the row fit whole; empty where it does.
func (r Row) Change() string {
	if len(r.Remedies) == 0 {
		return ""
	}
	words := make([]string, len(r.Remedies))
	for i, m := range r.Remedies {
		words[i] = m.Words()
		if m.Memory > 0 {
			// The same figure as is said to be missing.
			l := r.Ledger()
			words[i] = l.Words(l.Short) + moreMemory
		}
	}
	return "Would fit whole with " + strings.Join(words, ", or ") + "."
}

// Words is the range: "2.3 to 5.1 tokens/s", or a dash where there is none.
func (s Speed) Words() string {
	low, ok := s.Low.Get()
	high, okHigh := s.High.Get()
	if !ok || !okHigh {
		return "—"
	}
	return figures(low) + " to " + figures(high) + " tokens/s"
}

// figures writes a rate with two significant figures.
func figures(v float64) string {
	switch {
	case v >= 100:
		return grouped(int64(v/10+0.5) * 10)
	case v >= 9.95:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 0.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 0.0995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return strconv.FormatFloat(v, 'g', 2, 64)
	}
}

// Rate writes bytes a second, in units of ten as bandwidths are: "23.4 GB/s".
func Rate(v float64) string {
	if v >= 1e9 {
		return decimal(v/1e9, 1) + " GB/s"
	}
	return decimal(v/1e6, 0) + " MB/s"
}

// Duration writes seconds: "0.15 s", "12 ms".
func Duration(s float64) string {
	if s < 0.0995 {
		return decimal(s*1000, 0) + " ms"
	}
	return decimal(s, 2) + " s"
}
