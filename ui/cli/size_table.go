package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"headroom/ui/frame"
)

// lineWidth is how many columns a line of out may have: the terminal's, or 0 for any where out is none.
func lineWidth(out io.Writer) int {
	f, ok := out.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// rowsText is a table of models, and what they were compared with.
func rowsText(f frame.Frame, rows []frame.Row, width int) string {
	return freeWords(f) + "\n\n" + rowsTable(rows, true, width)
}

// leastName is how many runes of a model's name are shown at least.
const leastName = 12

// rowsTable writes rows in columns under a heading, named or not, in lines of a width where that can be. What a narrow one leaves
// out comes in this order: what the sums are made of, words that figures can say, ends of names.
func rowsTable(rows []frame.Row, named bool, width int) string {
	table := func(cells func(frame.Row) []string, heading []string, longest int) string {
		lines := [][]string{heading}
		if named {
			lines[0] = append([]string{"MODEL"}, heading...)
		}
		for _, r := range rows {
			line := cells(r)
			if named {
				line = append([]string{rowName(r, longest)}, line...)
			}
			lines = append(lines, line)
		}
		return columns(lines)
	}
	const anyName = 1 << 10
	text := table(wholeCells, []string{"FORMAT", "WEIGHTS", "KV", "BUFFERS", "NEEDED", "FIT", "MAX CONTEXT", "TOKENS/S"}, anyName)
	if width <= 0 || widest(text) <= width {
		return text
	}
	text = table(sumCells, []string{"FORMAT", "NEEDED", "FIT", "MAX CONTEXT", "TOKENS/S"}, anyName)
	if widest(text) <= width {
		return text
	}
	heading := []string{"FORMAT", "NEEDED", "FIT", "CONTEXT", "TOKENS/S"}
	text = table(shortCells, heading, anyName)
	if over := widest(text) - width; over > 0 && named {
		longest := 0
		for _, r := range rows {
			longest = max(longest, utf8.RuneCountInString(rowName(r, anyName)))
		}
		text = table(shortCells, heading, max(longest-over, leastName))
	}
	return text
}

// rowName is a model's name and where it is, the name cut so that both have the longest number of runes where that can be.
func rowName(r frame.Row, longest int) string {
	from := ""
	if r.From != "" {
		from = " · here, " + r.From
	}
	if r.Missing > 0 {
		from += ", incomplete"
	}
	name := []rune(r.Model.Name)
	if room := max(longest-utf8.RuneCountInString(from), leastName); len(name) > room {
		name = append(name[:room-1:room-1], '…')
	}
	return string(name) + from
}

// wholeCells are all that a row says. What is needed is the sum of the figures before it.
func wholeCells(r frame.Row) []string {
	l := r.Ledger()
	kv, buffers := l.KV.Text, l.Compute.Text
	if r.Context == 0 {
		// A bare count of weights says nothing of what stands beside them.
		kv, buffers = "—", "—"
	}
	return append([]string{r.Format, l.Weights.Text, kv, buffers}, sumCells(r)[1:]...)
}

func sumCells(r frame.Row) []string {
	l := r.Ledger()
	longest := "—"
	if r.MaxContext > 0 {
		longest = frame.Count(r.MaxContext)
	}
	return []string{r.Format, l.Need.Text + " " + l.Unit, r.FitWords(), longest, strings.TrimSuffix(r.Speed.Words(), " tokens/s")}
}

// shortCells are sumCells in few letters. A context is rounded down to thousands of 1024, so that it fits.
func shortCells(r frame.Row) []string {
	cells := sumCells(r)
	switch r.Fit {
	case frame.FitGPU:
		cells[2] = "GPU"
	case frame.FitNPU:
		cells[2] = "NPU"
	case frame.FitCPU:
		cells[2] = "CPU"
	case frame.FitTiled:
		cells[2] = plural(r.Tiles, "tile")
	case frame.FitNone:
		cells[2] = "no"
	}
	if r.MaxContext >= 1024 {
		cells[3] = fmt.Sprintf("%dk", r.MaxContext/1024)
	}
	cells[4] = strings.Replace(cells[4], " to ", "–", 1)
	return cells
}

// widest is the columns of the longest line.
func widest(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n = max(n, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
	}
	return n
}
