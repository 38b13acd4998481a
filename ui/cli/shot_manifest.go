package cli

import (
	"errors"
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

// UnmarshalYAML says what a manifest is where the file is none.
func (m *manifest) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: a manifest has the parts defaults and pictures", n.Line)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, part := n.Content[i], resolved(n.Content[i+1])
		switch name.Value {
		case "defaults":
			if err := flagsOf(part, &m.Defaults); err != nil {
				return err
			}
		case "pictures":
			if part.Kind != yaml.SequenceNode {
				return fmt.Errorf("line %d: pictures is a list, one \"- {output: FILE, ...}\" for each", part.Line)
			}
			m.Pictures = make([]map[string]values, len(part.Content))
			for j := range m.Pictures {
				if err := flagsOf(resolved(part.Content[j]), &m.Pictures[j]); err != nil {
					return err
				}
			}
		default:
			return fmt.Errorf("line %d: %q is no part of a manifest: it has defaults and pictures", name.Line, name.Value)
		}
	}
	return nil
}

// flagsOf reads the flags of one picture.
func flagsOf(n *yaml.Node, to *map[string]values) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: a picture is described by flags, like {output: live.png, scenario: apu}", n.Line)
	}
	return n.Decode(to)
}

// resolved is what an alias stands for.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
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
	// Looked at first: to open a named pipe would wait for its other end.
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return m, fmt.Errorf("open the manifest: %w", err)
	}
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
	if err := yaml.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("read manifest %s: %w", path, firstOf(err))
	}
	if n := len(m.Pictures); n == 0 || n > maxPictures {
		return m, fmt.Errorf("read manifest %s: it lists %d pictures, want 1 to %d under \"pictures\"", path, n, maxPictures)
	}
	return m, nil
}

// firstOf is the first of the mistakes that YAML found: one line is enough to find it.
func firstOf(err error) error {
	if all := (*yaml.TypeError)(nil); errors.As(err, &all) && len(all.Errors) > 0 {
		return errors.New(all.Errors[0])
	}
	return err
}

// takeAll takes each picture of a manifest in turn, and stops at the first that cannot be taken.
func takeAll(cmd *cobra.Command, path string) error {
	m, err := readManifest(path)
	if err != nil {
		return usageError{err}
	}
	for i, flags := range m.Pictures {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if err := takeListed(cmd, filepath.Dir(path), m.Defaults, flags); err != nil {
			return fmt.Errorf("%s, picture %d: %w", filepath.Base(path), i+1, err)
		}
	}
	return nil
}

// pathOf is a value of a manifest as the flag takes it: a path in it is relative to its folder dir. Pictures are written there
// or below, wherever the manifest came from.
func pathOf(dir, name, value string) (string, error) {
	switch name {
	case "output":
		if !filepath.IsLocal(value) {
			return "", badUsage("output %q lies outside the manifest's folder: name a file in it or below", value)
		}
	case "replay", "sysroot":
	case "ghost":
		if isScenario(value) {
			return value, nil
		}
	case "model":
		if !isPath(value) {
			return value, nil
		}
	default:
		return value, nil
	}
	if filepath.IsAbs(value) {
		return value, nil
	}
	return filepath.Join(dir, value), nil
}

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
			text, err := pathOf(dir, name, text)
			if err != nil {
				return err
			}
			if err := one.Flags().Set(name, text); err != nil {
				return usageError{flagError(err)}
			}
			if name == "output" {
				if err := os.MkdirAll(filepath.Dir(text), 0o755); err != nil {
					return fmt.Errorf("make the folder of a picture: %w", err)
				}
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
