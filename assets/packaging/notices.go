package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// linked is a module of which at least one package is in the program.
type linked struct{ Path, Version, Dir string }

// linkedModules asks the go command what the program is made of, for the target that the environment names.
func linkedModules() ([]linked, error) {
	list := exec.Command("go", "list", "-deps", "-json=Module", "headroom")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	seen := map[string]linked{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Module *struct {
				linked
				Main bool
			}
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Module != nil && !p.Module.Main {
			seen[p.Module.Path] = p.Module.linked
		}
	}
	var all []linked
	for _, m := range seen {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b linked) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// licenceName matches the files that carry a licence or a notice that must be passed on.
var licenceName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice)([._-].*)?$`)

// licences are the texts found in a folder, each once: C sources and fonts within a module have files of their own.
func licences(dir string) ([]string, error) {
	var texts []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || !licenceName.MatchString(d.Name()) || strings.HasSuffix(d.Name(), ".go"):
			return nil
		}
		text, err := readText(path)
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		return err
	})
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("%s has no licence file; it cannot be passed on", dir)
	}
	return texts, err
}

func readText(path string) (string, error) {
	data, err := os.ReadFile(path)
	return strings.Trim(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n"), err
}

// part is something linked, with the texts it asks to be passed on.
type part struct {
	name, note string
	texts      []string
}

// linkedParts are the parts of the program, Go itself and the font first.
func linkedParts() ([]part, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	goText, err := readText(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		return nil, err
	}
	fontText, err := readText("assets/fonts/OFL.txt")
	if err != nil {
		return nil, err
	}
	parts := []part{
		{name: "Go's standard library and runtime", texts: []string{goText}},
		{name: "Inter, the font", texts: []string{fontText}},
	}
	modules, err := linkedModules()
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		p := part{name: m.Path + " " + m.Version}
		if p.texts, err = licences(m.Dir); err != nil {
			return nil, err
		}
		if m.Path == webgpu {
			p.note = native
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// notices is one text of all parts; words that several share stand once.
func notices(parts []part) string {
	var b strings.Builder
	b.WriteString(preamble)
	firstWith := map[string]string{}
	for _, p := range parts {
		fmt.Fprintf(&b, "\n%s\n%s\n%s", strings.Repeat("-", 100), p.name, p.note)
		for _, text := range p.texts {
			if first, ok := firstWith[text]; ok {
				fmt.Fprintf(&b, "\nThe same text as that of %s, above.\n", first)
				continue
			}
			firstWith[text] = p.name
			b.WriteString("\n" + text + "\n")
		}
	}
	return b.String()
}
