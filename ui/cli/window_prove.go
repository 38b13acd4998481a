//go:build cgo || !darwin

package cli

import (
	"context"
	"errors"
	"io/fs"

	"headroom/sensors"
	"headroom/sensors/gpu"
	"headroom/sensors/gpu/engine"
	"headroom/sensors/gpu/prove"
	"headroom/ui/frame"
	"headroom/ui/window"
)

// prover runs proofs for the window, as the prove command does.
type prover struct{}

// windowProver is nil where this build cannot prove.
func windowProver() window.Prover {
	if !engine.Available {
		return nil
	}
	return prover{}
}

// adapter is the one in use, else the first that is listed: a software adapter is proven where there is no other.
func (prover) adapter(f frame.Frame) (a sensors.Adapter, none string) {
	all := f.Sample.Adapters
	if use := f.Budget.InUse; use >= 0 && use < len(f.Budget.GPUs) {
		g := f.Budget.GPUs[use]
		for _, a := range all {
			if a.Backend == g.Backend && (a.PCI != "" && g.ID == "pci/"+a.PCI || a.Name == g.Name) {
				return a, ""
			}
		}
	}
	if len(all) > 0 {
		return all[0], ""
	}
	if why := f.Sample.AdaptersState.Detail; why != "" {
		return a, why
	}
	return a, "none is listed"
}

func (p prover) Kept(f frame.Frame) window.Proven {
	a, none := p.adapter(f)
	k := window.Proven{Adapter: a, None: none}
	if none != "" {
		return k
	}
	dir, err := prove.Dir()
	if err == nil {
		var stored prove.Stored
		stored, err = prove.Load(dir, a.Name, a.Driver)
		k.Result = stored.Result
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.Err = err
	}
	return k
}

// Run keeps each outcome as it comes, also that of a proof that is cancelled.
func (p prover) Run(ctx context.Context, f frame.Frame, effort prove.Effort, tell func(window.ProofStep)) error {
	a, none := p.adapter(f)
	if none != "" {
		return errors.New("there is no adapter: " + none)
	}
	dir, err := prove.Dir()
	if err != nil {
		return err
	}
	tuning := map[string]string{}
	if kept, err := prove.Load(dir, a.Name, a.Driver); err == nil && kept.Tuning != nil {
		tuning = kept.Tuning
	}
	var unsaved error
	for _, name := range prove.Names() {
		tell(window.ProofStep{Proof: name, Step: "starting"})
		r, err := gpu.Prove(ctx, gpu.ProveOptions{
			Adapter: a, Among: f.Sample.Adapters, Proofs: []string{name}, Effort: effort, Workload: f.Settings.Workload, Tuning: tuning,
			Progress: func(_, step string, done float64) { tell(window.ProofStep{Proof: name, Step: step, Done: done}) },
		})
		if o, ok := r.Find(name); ok {
			unsaved = errors.Join(unsaved, prove.Save(dir, r, tuning))
			tell(window.ProofStep{Proof: name, Outcome: &o})
		}
		if err != nil {
			return errors.Join(err, unsaved)
		}
	}
	return unsaved
}
