package cli

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"
)

// manifest is a file that lists pictures: for each, the flags of headroom shot by their names, without dashes. Defaults hold
// for all of them.
type manifest struct {
	Defaults map[string]values   `yaml:"defaults"`
	Pictures []map[string]values `yaml:"pictures"`
}

// values are one flag's: a text, a number, true, or a list for a flag that may be repeated.
type values []string

func (v *values) UnmarshalYAML(n *yaml.Node) error {
	switch n.Kind {
	case yaml.ScalarNode:
		*v = values{n.Value}
		return nil
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return fmt.Errorf("line %d: a list holds texts only", item.Line)
			}
			*v = append(*v, item.Value)
		}
		return nil
	}
	return fmt.Errorf("line %d: a flag takes a text or a list of texts", n.Line)
}

// What a manifest may measure.
const (
	maxManifest = 1 << 20
	maxPictures = 1000
)

func readManifest(path string) (manifest, error) {
	var m manifest
	f, err := os.Open(path)
	if err != nil {
		return m, fmt.Errorf("open the manifest: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	switch {
	case err != nil:
		return m, fmt.Errorf("read manifest %s: %w", path, err)
	case len(text) > maxManifest:
		return m, fmt.Errorf("read manifest %s: it is larger than %d MiB", path, maxManifest>>20)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("read manifest %s: %w", path, err)
	}
	if n := len(m.Pictures); n == 0 || n > maxPictures {
		return m, fmt.Errorf("read manifest %s: it lists %d pictures, want 1 to %d under \"pictures\"", path, n, maxPictures)
	}
	return m, nil
}

// takeAll takes each picture of a manifest in turn, and stops at the first that cannot be taken.
func takeAll(cmd *cobra.Command, path string) error {
	m, err := readManifest(path)
	if err != nil {
		return usageError{err}
	}
	for i, flags := range m.Pictures {
		if err := takeListed(cmd, filepath.Dir(path), m.Defaults, flags); err != nil {
			return fmt.Errorf("%s, picture %d: %w", filepath.Base(path), i+1, err)
		}
	}
	return nil
}

// paths are the flags whose value is a path, relative to the manifest.
var paths = map[string]bool{"output": true, "replay": true, "sysroot": true}

// takeListed takes one picture with its flags.
func takeListed(parent *cobra.Command, dir string, defaults, flags map[string]values) error {
	one := newShotCommand()
	one.SetContext(parent.Context())
	one.SetErr(parent.ErrOrStderr())
	all := maps.Clone(defaults)
	if all == nil {
		all = map[string]values{}
	}
	maps.Copy(all, flags)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == "manifest" || name == "help" || one.Flags().Lookup(name) == nil {
			return badUsage("a picture has no flag %q: see headroom shot --help", name)
		}
		for _, text := range all[name] {
			if (paths[name] || name == "ghost" && !isScenario(text)) && !filepath.IsAbs(text) {
				text = filepath.Join(dir, text)
			}
			if err := one.Flags().Set(name, text); err != nil {
				return usageError{flagError(err)}
			}
		}
	}
	return one.RunE(one, nil)
}

// othersThan is a flag that was given beside the named one; empty where none was.
func othersThan(cmd *cobra.Command, name string) string {
	other := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != name {
			other = f.Name
		}
	})
	return other
}
