package main

import (
	"bytes"
	"io"

	"headroom/ui/cli"
)

// writeCompletions writes what bash, zsh and fish load from these places of a prefix.
func writeCompletions(p prefix) error {
	c := cli.Command()
	for name, generate := range map[string]func(io.Writer) error{
		"share/bash-completion/completions/headroom":    func(w io.Writer) error { return c.GenBashCompletionV2(w, true) },
		"share/zsh/site-functions/_headroom":            c.GenZshCompletion,
		"share/fish/vendor_completions.d/headroom.fish": func(w io.Writer) error { return c.GenFishCompletion(w, true) },
	} {
		var script bytes.Buffer
		if err := generate(&script); err != nil {
			return err
		}
		if err := p.write(name, script.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
