package main

import (
	"bytes"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"headroom/ui/cli"
)

// writeManual writes a page for headroom and one for each command, as headroom-snapshot.1.gz.
func writeManual(p prefix, date time.Time) error {
	return writePages(p, cli.Command(), date)
}

func writePages(p prefix, c *cobra.Command, date time.Time) error {
	if c.Hidden || c.Name() == "help" {
		return nil
	}
	c.DisableAutoGenTag = true
	c.Flags().VisitAll(nameValue)
	var page bytes.Buffer
	if err := doc.GenMan(c, &doc.GenManHeader{Section: "1", Source: "Headroom", Manual: "User commands", Date: &date}, &page); err != nil {
		return err
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	// That a switch is off until it is given goes without saying.
	text := bytes.ReplaceAll(page.Bytes(), []byte("[=false]"), nil)
	if err := p.writeGzip("share/man/man1/"+name+".1", text); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if err := writePages(p, sub, date); err != nil {
			return err
		}
	}
	return nil
}

// nameValue has a page say what a flag without a default takes, as in --context=N.
func nameValue(f *pflag.Flag) {
	if f.DefValue != "" {
		return
	}
	f.DefValue, f.Usage = pflag.UnquoteUsage(f)
	f.Value = named{f.Value}
}

// named is a flag's value whose name stands in a page without quotes, as those of type string would have.
type named struct{ pflag.Value }

func (named) Type() string { return "named" }
