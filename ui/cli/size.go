package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
	"headroom/sensors"
	"headroom/sensors/budget"
	"headroom/ui/frame"
)

// sizing is what size and models were asked for.
type sizing struct {
	choices
	format  string
	noSpeed bool
	fresh   bool
	asJSON  bool
}

func newSizeCommand() *cobra.Command {
	var s sizing
	cmd := &cobra.Command{
		Use: "size MODEL...", Short: "Size models to this machine, as it is now",
		Long: "Size takes models by their names in the catalogue (llama-3.1-8b, qwen3:30b-a3b), by a file or folder (GGUF, safetensors,\n" +
			"config.json), or as a bare count of weights (8B), and says what they take in memory and whether this machine runs them now.\n" +
			"A file is sized in its own format; others in the finest one that fits, unless --format names one, or all.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return badUsage("size needs a model: a name of the catalogue, a file, or a count like 8B; see headroom models")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			// What was asked for is looked at before the machine, which takes longer.
			offers, formats, err := s.asked(args)
			if err != nil {
				return err
			}
			f, rates, err := s.look(cmd)
			if err != nil {
				return err
			}
			var rows []frame.Row
			for _, o := range offers {
				rows = append(rows, s.rows(f, o, formats, rates)...)
			}
			switch {
			case s.asJSON:
				return writeRows(cmd.OutOrStdout(), rows)
			case len(rows) == 1:
				text := rowText(f, rows[0])
				if s.format == "" && !rows[0].Exact {
					text += s.formatsText(f, rows[0].Model, rates, lineWidth(cmd.OutOrStdout()))
				}
				_, err = io.WriteString(cmd.OutOrStdout(), text)
			default:
				_, err = io.WriteString(cmd.OutOrStdout(), rowsText(f, rows, lineWidth(cmd.OutOrStdout())))
			}
			return err
		},
	}
	s.add(cmd)
	addText(cmd, &s.format, "format", "NAME", "size in this format: "+formatNames()+", or all")
	return cmd
}

// add defines the flags that size and models share.
func (s *sizing) add(cmd *cobra.Command) {
	s.addContext(cmd)
	s.addMachine(cmd)
	s.addMoment(cmd, momentHelp)
	cmd.Flags().BoolVar(&s.noSpeed, "no-speed", false, "do not measure the bandwidth of RAM, and give no tokens a second from it")
	cmd.Flags().BoolVar(&s.fresh, "fresh", false, "measure the bandwidth of RAM anew though an earlier run kept it")
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "print one JSON object")
}

// look reads the machine once, or the one that stands for it, and what was measured of it.
func (s *sizing) look(cmd *cobra.Command) (frame.Frame, frame.Rates, error) {
	machineOnly := s.choices
	machineOnly.context, machineOnly.kv = 0, ""
	set, err := machineOnly.settings(cmd.ErrOrStderr())
	if err != nil {
		return frame.Frame{}, frame.Rates{}, err
	}
	from, err := s.source(0)
	if err != nil {
		return frame.Frame{}, frame.Rates{}, err
	}
	defer from.Close()
	sample := from.Once(cmd.Context())
	if err := cmd.Context().Err(); err != nil {
		return frame.Frame{}, frame.Rates{}, err
	}
	for _, note := range strangers(set, sample) {
		complain(cmd.ErrOrStderr(), note)
	}
	if isHere(from) {
		s.measure(cmd.Context(), &set, sample)
	}
	f := frame.New(sample, set)
	return f, f.Rates(), nil
}

// measure adds the bandwidths of this machine that earlier runs kept, so that all commands say the same. RAM's is measured now
// where none is kept.
func (s *sizing) measure(ctx context.Context, set *budget.Settings, sample sensors.Sample) {
	set.Measured = measuredBefore(sample)
	switch {
	case s.noSpeed:
		set.Measured.RAM = sensors.Number{}
	case s.fresh || !set.Measured.RAM.Known():
		set.Measured.RAM = measuredRAM(ctx, sample).Value
	}
}

func (s *sizing) options() workload.Options { return workload.Options{Context: s.context, KV: s.kv} }

// asked are the models and formats that were named.
func (s *sizing) asked(names []string) (offers []frame.Offer, formats []workload.Format, err error) {
	for _, name := range names {
		o, err := findOffer(name)
		if err != nil {
			return nil, nil, err
		}
		offers = append(offers, o)
	}
	formats, err = s.formats()
	return offers, formats, err
}

// rows sizes one model: in its file's format, in those that were named, or in the best.
func (s *sizing) rows(f frame.Frame, o frame.Offer, formats []workload.Format, rates frame.Rates) []frame.Row {
	switch {
	case formats == nil && o.Format != "":
		return []frame.Row{f.Row(o, s.options(), rates)}
	case formats == nil:
		return []frame.Row{f.Best(o.Model, s.options(), rates)}
	}
	var rows []frame.Row
	for _, format := range formats {
		rows = append(rows, f.Row(frame.OfferOf(o.Model, format), s.options(), rates))
	}
	return rows
}

// formats are those that --format names; nil where it names none. The policy's own words stand for what they are mostly
// downloaded as.
func (s *sizing) formats() ([]workload.Format, error) {
	switch strings.ToLower(s.format) {
	case "":
		return nil, nil
	case "all":
		return workload.Formats(), nil
	case "q8":
		return []workload.Format{workload.FormatOf(policy.Q8)}, nil
	case "q4":
		return []workload.Format{workload.FormatOf(policy.Q4)}, nil
	}
	f, ok := workload.FormatNamed(s.format)
	if !ok {
		return nil, badUsage("--format: %q is none that is known: it is %s, or all", s.format, formatNames())
	}
	return []workload.Format{f}, nil
}

// formatsText is what the formats that a model is offered in take here, in lines of a width.
func (s *sizing) formatsText(f frame.Frame, m workload.Model, rates frame.Rates, width int) string {
	var rows []frame.Row
	for _, format := range frame.Offered(m) {
		rows = append(rows, f.Row(frame.OfferOf(m, format), s.options(), rates))
	}
	return "\nFormats\n" + rowsTable(rows, false, width)
}

func formatNames() string {
	var names []string
	for _, f := range workload.Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// findOffer takes a path, a count of weights or a name of the catalogue. An offer without a format is to be given one.
func findOffer(name string) (frame.Offer, error) {
	// A link that leads nowhere is a file too, and no name of the catalogue.
	if _, err := os.Lstat(name); err == nil || isPath(name) {
		file, err := modelfile.Open(name)
		if err != nil {
			return frame.Offer{}, usageError{err}
		}
		return fileOffer(file), nil
	}
	if params, err := workload.ParseParams(name); err == nil {
		return frame.Offer{Model: workload.Model{Name: frame.Params(params), Params: params}}, nil
	}
	m, err := modelfile.Find(name)
	if err != nil {
		return frame.Offer{}, usageError{err}
	}
	return frame.Offer{Model: m}, nil
}

// fileOffer is a file in its own format. A config.json without weights is offered in the type that it names.
func fileOffer(file modelfile.File) frame.Offer {
	o := frame.Offer{Model: file.Model, Format: file.Format, Weights: file.WeightBytes, Exact: file.HasWeights(), Missing: file.Missing}
	o.Model.Note = strings.Join(file.Notes, "; ")
	var types []string
	for _, share := range file.Types {
		types = append(types, fmt.Sprintf("%s in %s", share.Name, plural(uint32(share.Tensors), "tensor")))
	}
	o.Types = strings.Join(types, ", ")
	if o.Exact {
		return o
	}
	if format, ok := workload.FormatNamed(file.Format); ok {
		return frame.OfferOf(o.Model, format)
	}
	o.Format = ""
	return o
}

// writeRows writes rows as one JSON object.
func writeRows(w io.Writer, rows []frame.Row) error {
	out := struct {
		Models []frame.RowJSON `json:"models"`
	}{[]frame.RowJSON{}}
	for _, r := range rows {
		out.Models = append(out.Models, r.JSON())
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("write the rows: %w", err)
	}
	return nil
}
