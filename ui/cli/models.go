package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"headroom/policy/workload/modelfile"
	"headroom/ui/frame"
)

func newModelsCommand() *cobra.Command {
	var s sizing
	var fits bool
	var folders []string
	cmd := &cobra.Command{
		Use: "models", Short: "List models that this machine can run now: those that are here already, then known ones", Args: noArgs,
		Long: "Models lists what Ollama, LM Studio, llama.cpp and the Hugging Face cache keep on this machine, then the catalogue, each\n" +
			"in its own format or the finest one that fits. It only reads; nothing is downloaded. Your own models can be added to\n" +
			"the catalogue in " + modelfile.UserCatalogue() + ". A terminal too narrow for all columns shows the sums alone.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, dir := range folders {
				if err := folder("--folder", dir); err != nil {
					return err
				}
			}
			f, rates, err := s.look(cmd)
			if err != nil {
				return err
			}
			var rows []frame.Row
			keep := func(r frame.Row) {
				if !fits || r.Fit.Whole() {
					rows = append(rows, r)
				}
			}
			offers, problem := s.offers(cmd, folders)
			for _, o := range offers {
				opt := s.options()
				if o.Model.MaxContext > 0 {
					opt.Context = min(opt.Context, o.Model.MaxContext)
				}
				if o.Format != "" {
					keep(f.Row(o, opt, rates))
				} else {
					keep(f.Best(o.Model, opt, rates))
				}
			}
			if problem != nil {
				complain(cmd.ErrOrStderr(), problem)
			}
			if s.asJSON {
				return writeRows(cmd.OutOrStdout(), rows)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), rowsText(f, rows, lineWidth(cmd.OutOrStdout())))
			return err
		},
	}
	s.add(cmd)
	cmd.Flags().BoolVar(&fits, "fits", false, "only those that fit here now, without tiles")
	cmd.Flags().StringArrayVar(&folders, "folder", nil, "look for models in this folder, too; may be repeated")
	return cmd
}

// offers are the models that are here, in their own formats, then the catalogue's. The error speaks of what was left out.
func (s *sizing) offers(cmd *cobra.Command, folders []string) ([]frame.Offer, error) {
	var offers []frame.Offer
	var problems []error
	here, unread := offersHere(cmd.Context(), folders...)
	for _, o := range here {
		offers = append(offers, o.Offer)
	}
	if unread > 0 {
		problems = append(problems, fmt.Errorf("%d files that were found are no language models that can be sized", unread))
	}
	known, err := modelfile.Catalogue()
	if err != nil {
		problems = append(problems, err)
	}
	for _, m := range known {
		offers = append(offers, frame.Offer{Model: m})
	}
	return offers, errors.Join(problems...)
}
