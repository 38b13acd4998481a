package cli

import (
	"github.com/spf13/cobra"

	"headroom/policy/workload"
	"headroom/policy/workload/modelfile"
	"headroom/sensors/gpu/prove"
	"headroom/sensors/trace"
	"headroom/ui/draw"
)

// completeValues has the shells offer the values of those flags that take one of a few; files are offered for the others.
func completeValues(root *cobra.Command) {
	of := func(d cobra.ShellCompDirective, values ...string) cobra.CompletionFunc {
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return values, d }
	}
	// The scenarios and the catalogue are read only when a shell asks.
	scenarios := func(d cobra.ShellCompDirective) cobra.CompletionFunc {
		return func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
			for _, s := range trace.Scenarios() {
				names = append(names, s.Name)
			}
			return names, d
		}
	}
	models := func(*cobra.Command, []string, string) (ids []string, _ cobra.ShellCompDirective) {
		all, _ := modelfile.Catalogue() // those that could be read
		for _, m := range all {
			ids = append(ids, m.ID)
		}
		return ids, cobra.ShellCompDirectiveDefault
	}
	const only, orFiles = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveDefault
	for flag, values := range map[string]cobra.CompletionFunc{
		"scenario": scenarios(only),
		"ghost":    scenarios(orFiles),
		"model":    models,
		"only":     of(only, prove.Names()...),
		"api":      of(only, apis...),
		"view":     of(only, views()...),
		"theme":    of(only, draw.Dark.Name, draw.Light.Name),
		"kv":       of(only, string(workload.KVF16), string(workload.KVQ80), string(workload.KVQ40)),
		"pin":      of(only|cobra.ShellCompDirectiveNoSpace, "thermal=", "power=", "vram="),
	} {
		for _, c := range append(root.Commands(), root) {
			if c.Flags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, values) // it fails for an unknown flag alone
			}
		}
	}
}
