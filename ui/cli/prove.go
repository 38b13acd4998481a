package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"headroom/policy"
	"headroom/policy/workload"
	"headroom/sensors"
	"headroom/sensors/gpu"
	"headroom/sensors/gpu/prove"
)

// proving is what prove was asked for.
type proving struct {
	only         []string
	adapter, api string
	model        string
	context      uint64
	dump         string
	quick, full  bool
	asJSON       bool
	compare      bool
}

func newProveCommand() *cobra.Command {
	var p proving
	cmd := &cobra.Command{
		Use: "prove", Short: "Measure on the real adapter what the plan says, and check it against the CPU",
		Long: "Prove runs each decision of the plan on an adapter: fused kernels against single ones, weights at each precision, a\n" +
			"product in tiles, uploads with and without staging, bandwidth and overheads. Every number is checked against the CPU\n" +
			"before its speed counts. Results are kept for the adapter and driver in headroom/proofs of the user's cache folder, where\n" +
			"each can be deleted. Ctrl-C ends it and keeps what was measured until then.",
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case p.compare && len(args) != 2:
				return badUsage("--compare takes two files: headroom prove --compare A.json B.json")
			case p.compare:
				return nil
			}
			return noArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.compare {
				return p.compareFiles(cmd.OutOrStdout(), args[0], args[1])
			}
			return p.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.Var(&parsed{kind: "PROOF", read: p.readOnly}, "only", "run one proof: "+strings.Join(prove.Names(), ", ")+"; may be repeated")
	addText(cmd, &p.adapter, "adapter", "NAME", "prove on this adapter: its number in the list, PCI address or a part of its name")
	f.Var(&parsed{kind: "API", read: p.readAPI}, "api", "prove through this API only: "+strings.Join(apis, ", "))
	addText(cmd, &p.model, "model", "NAME", "the model whose layer is run and whose tokens are counted (default: the default model)")
	f.Var(&parsed{kind: "TOKENS", read: func(s string) (err error) { p.context, err = parseContext(s); return err }},
		"context", "tokens of context (default 8192)")
	addText(cmd, &p.dump, "dump", "DIR", "keep kernels, raw times and the driver's messages in DIR")
	f.BoolVar(&p.quick, "quick", false, "finish within 20 s on a slow adapter")
	f.BoolVar(&p.full, "full", false, "take minutes and gigabytes")
	f.BoolVar(&p.asJSON, "json", false, "print one JSON object")
	f.BoolVar(&p.compare, "compare", false, "compare two results kept with --json: what a driver or setting changed")
	return cmd
}

func (p *proving) readOnly(s string) error {
	if !slices.Contains(prove.Names(), s) {
		return fmt.Errorf("%q is no proof: there are %s", s, strings.Join(prove.Names(), ", "))
	}
	p.only = append(p.only, s)
	return nil
}

// apis are those that WebGPU reaches an adapter through.
var apis = []string{"vulkan", "metal", "d3d12", openGL}

const openGL = "opengl"

func (p *proving) readAPI(s string) error {
	if !slices.Contains(apis, s) {
		return fmt.Errorf("%q is no API: there are %s", s, strings.Join(apis, ", "))
	}
	p.api = s
	return nil
}

func (p *proving) effort() (prove.Effort, error) {
	switch {
	case p.quick && p.full:
		return "", badUsage("--quick and --full exclude each other: give one")
	case p.quick:
		return prove.Quick, nil
	case p.full:
		return prove.Full, nil
	default:
		return prove.Standard, nil
	}
}

func (p *proving) run(ctx context.Context, out, notes io.Writer) error {
	effort, err := p.effort()
	if err != nil {
		return err
	}
	w, err := (&choices{model: p.model, context: p.context}).workload(notes)
	if err != nil {
		return err
	}
	if p.dump != "" {
		if err := os.MkdirAll(p.dump, 0o755); err != nil {
			return fmt.Errorf("keep what was run in %s: %w", p.dump, err)
		}
	}
	probe := gpu.Options{OpenGL: p.api == openGL}
	adapters, state := gpu.Probe(ctx, probe)
	if len(adapters) == 0 {
		return fmt.Errorf("prove the plan: there is no adapter: %s", state.Detail)
	}
	chosen, err := p.choose(adapters)
	if err != nil {
		return err
	}
	dir, dirErr := prove.Dir()
	tuning := map[string]string{}
	if kept, err := prove.Load(dir, chosen.Name, chosen.Driver); dirErr == nil && err == nil && kept.Tuning != nil {
		tuning = kept.Tuning
	}
	var failed error
	o := gpu.ProveOptions{
		Options: probe, Adapter: chosen, Among: adapters, Proofs: p.only, Effort: effort, Workload: w, Tuning: tuning, Progress: progress(notes),
	}
	if p.dump != "" {
		o.Dump = func(name, text string) {
			err := writeFile(filepath.Join(p.dump, name), func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			failed = errors.Join(failed, err)
		}
	}
	r, err := gpu.Prove(ctx, o)
	clearProgress(notes)
	if len(r.Proofs) > 0 {
		// What was measured is shown and kept, also where the rest was cancelled.
		if dirErr != nil {
			failed = errors.Join(failed, dirErr)
		} else if saved := prove.Save(dir, r, tuning); saved != nil {
			failed = errors.Join(failed, saved)
		}
		// Proofs of an earlier run count beside those of this one.
		whole := r
		if kept, err := prove.Load(dir, r.Adapter, r.Driver); dirErr == nil && err == nil {
			whole = kept.Result
		}
		var speed *speeds
		if _, measured := r.Find(prove.Precision); measured {
			speed = speedsOf(whole, w)
		}
		if shown := p.show(out, r, speed); shown != nil {
			return shown
		}
	}
	switch {
	case ctx.Err() != nil:
		// No success, as of a watch that is stopped: not all that was asked for was proven.
		return errors.New("prove the plan: cancelled; what was measured until then is kept")
	case err != nil:
		return err
	case failed != nil:
		return failed
	case !r.Verified():
		return errors.New("not every proof was verified")
	}
	return nil
}

// choose finds the adapter asked for, or takes the first: discrete before integrated before software.
func (p *proving) choose(adapters []sensors.Adapter) (sensors.Adapter, error) {
	var fitting []sensors.Adapter
	for i, a := range adapters {
		if p.api != "" && a.Backend != p.api {
			continue
		}
		number := strconv.Itoa(i + 1)
		if p.adapter == "" || p.adapter == number || strings.EqualFold(p.adapter, a.PCI) ||
			strings.Contains(strings.ToLower(a.Name), strings.ToLower(p.adapter)) {
			fitting = append(fitting, a)
		}
	}
	if len(fitting) > 0 {
		return fitting[0], nil
	}
	var list []string
	for i, a := range adapters {
		list = append(list, fmt.Sprintf("%d %s (%s)", i+1, a.Name, a.Backend))
	}
	return sensors.Adapter{}, badUsage("no such adapter: there is %s", strings.Join(list, ", "))
}

// progress shows the step under way on a terminal, in one line.
func progress(notes io.Writer) func(proof, step string, done float64) {
	if !isTerminal(notes) {
		return nil
	}
	return func(proof, step string, done float64) {
		fmt.Fprintf(notes, "\r\x1b[K%3.0f %%  %s: %s", done*100, proof, step)
	}
}

func clearProgress(notes io.Writer) {
	if isTerminal(notes) {
		fmt.Fprint(notes, "\r\x1b[K")
	}
}

// speeds are tokens a second of the model in use, at each precision that was measured.
type speeds struct {
	Model      string                `json:"model"`
	Basis      string                `json:"basis"`
	Precisions map[string][2]float64 `json:"tokens_per_s"`
}

// speedsOf makes them from a result.
func speedsOf(r prove.Result, w workload.Workload) *speeds {
	s := speeds{Model: w.Name, Basis: prove.TokensBasis, Precisions: map[string][2]float64{}}
	for i, t := range prove.TokensPerSecond(r, w) {
		if t.Known() {
			s.Precisions[policy.Precision(i).String()] = [2]float64{t.Low, t.High}
		}
	}
	if len(s.Precisions) == 0 {
		return nil
	}
	return &s
}

func (p *proving) show(out io.Writer, r prove.Result, speed *speeds) error {
	if p.asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			prove.Result
			Decode *speeds `json:"decode,omitempty"`
		}{r, speed})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s", r.Adapter, r.Backend)
	if r.Driver != "" {
		fmt.Fprintf(&b, ", %s", r.Driver)
	}
	b.WriteString(")\n")
	for _, proof := range r.Proofs {
		verdict := "verified"
		switch {
		case proof.Error == prove.Cancelled:
			verdict = "cancelled"
		case proof.Error != "":
			verdict = "FAILED"
		case !proof.Verified:
			verdict = "WRONG"
		}
		said := proof.Meaning
		switch {
		case proof.Error != "":
			said = proof.Error
		case !proof.Verified:
			said = fmt.Sprintf("the adapter's numbers differ from the CPU's by %.3g", proof.MaxError)
		}
		fmt.Fprintf(&b, "%-10s  %-9s  %s\n", proof.Name, verdict, said)
	}
	if speed != nil {
		fmt.Fprintf(&b, "\n%s, tokens a second (%s)\n", speed.Model, speed.Basis)
		for i := range 4 {
			name := policy.Precision(i).String()
			if v, ok := speed.Precisions[name]; ok {
				fmt.Fprintf(&b, "%-10s  %.3g to %.3g\n", name, v[0], v[1])
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// compareFiles shows what two results share, figure by figure, and which differences are within their spreads.
func (p *proving) compareFiles(out io.Writer, fileA, fileB string) error {
	a, err := prove.ReadFile(fileA)
	if err != nil {
		return badUsage("--compare: %w", err)
	}
	b, err := prove.ReadFile(fileB)
	if err != nil {
		return badUsage("--compare: %w", err)
	}
	changes := prove.Compare(a.Result, b.Result)
	if p.asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(changes)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "A  %s, %s, %s\nB  %s, %s, %s\n\n", a.Adapter, a.Driver, a.Date.Format("2006-01-02"), b.Adapter, b.Driver, b.Date.Format("2006-01-02"))
	fmt.Fprintf(&text, "%-10s  %-34s  %14s  %14s  %8s\n", "PROOF", "FIGURE", "A", "B", "B / A")
	for _, c := range changes {
		ratio, mark := "", ""
		if c.A != 0 {
			ratio = fmt.Sprintf("%.3f", c.B/c.A)
		}
		if c.A != c.B && !c.Clear {
			mark = "  within the spread"
		}
		fmt.Fprintf(&text, "%-10s  %-34s  %14.6g  %14.6g  %8s%s\n", c.Proof, c.Key, c.A, c.B, ratio, mark)
	}
	_, err = io.WriteString(out, text.String())
	return err
}
