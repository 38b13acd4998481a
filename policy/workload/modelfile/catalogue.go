package modelfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"headroom/assets"
	"headroom/policy/workload"
)

// maxCatalogue bounds a catalogue file; ours has 64 KiB.
const maxCatalogue = 16 << 20

// tolerance is how far the weights counted from a catalogue's architecture may lie from the published count.
const tolerance = 0.005

// entry is one model of a catalogue: its maker's config.json, or the figures of it that decide size, and where they are from.
type entry struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	// Params and ActiveParams are the published counts; 0 where none was published to the half percent.
	Params       uint64 `json:"params"`
	ActiveParams uint64 `json:"active_params"`
	ParamsSource string `json:"params_source"`
	Source       string `json:"source"`
	Note         string `json:"note"`
	// Config holds figures under their names in config.json.
	Config json.RawMessage `json:"config"`
}

// listed is a model with the names that find it.
type listed struct {
	workload.Model
	names []string
}

// model sizes the entry, and refuses one without a source or whose architecture does not make the published count.
func (e entry) model() (listed, error) {
	switch {
	case slug(e.ID) == "" || e.Name == "":
		return listed{}, errors.New("it lacks an id or a name")
	case e.Source == "":
		return listed{}, errors.New("it lacks the source of its figures")
	}
	c, err := parseHFConfig(e.Config)
	if err != nil {
		return listed{}, err
	}
	m := c.model()
	if e.Params > 0 && math.Abs(float64(m.Params)-float64(e.Params)) > tolerance*float64(e.Params) {
		return listed{}, fmt.Errorf("its architecture makes %d weights, its published count is %d", m.Params, e.Params)
	}
	m.Name, m.ID, m.Source, m.Note = e.Name, slug(e.ID), e.Source, e.Note
	names := []string{m.ID, slug(e.Name)}
	for _, a := range e.Aliases {
		names = append(names, slug(a))
	}
	return listed{m, names}, nil
}

// entries decodes a catalogue.
func entries(b []byte) ([]entry, error) {
	var file struct {
		Models []entry `json:"models"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		return nil, fmt.Errorf("read catalogue: %w", err)
	}
	return file.Models, nil
}

// parseCatalogue reads a catalogue. Entries that are wrong are left out and named in the error.
func parseCatalogue(b []byte) ([]listed, error) {
	list, err := entries(b)
	if err != nil {
		return nil, err
	}
	var models []listed
	var wrong []error
	for i, e := range list {
		m, err := e.model()
		if err != nil {
			wrong = append(wrong, fmt.Errorf("read catalogue: model %d (%q): %w", i+1, e.ID, err))
			continue
		}
		models = append(models, m)
	}
	return models, errors.Join(wrong...)
}

// builtIn is the catalogue that comes with Headroom, read once.
var builtIn = sync.OnceValues(func() ([]listed, error) { return parseCatalogue(assets.Catalogue) })

// UserCatalogue is where a user's own models are looked for, in a file of the catalogue's form; empty where the system
// names no folder for settings.
func UserCatalogue() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "headroom", "models.json")
}

// all is the built-in catalogue with the user's own models, which replace ours of the same ID. The error speaks of the
// user's file; what could be read is returned all the same.
func all() ([]listed, error) {
	models, err := builtIn()
	if err != nil {
		return models, err
	}
	own, err := readCatalogue(UserCatalogue())
	if len(own) == 0 {
		return models, err
	}
	replaced := map[string]bool{}
	for _, m := range own {
		replaced[m.ID] = true
	}
	for _, m := range models {
		if !replaced[m.ID] {
			own = append(own, m)
		}
	}
	return own, err
}

func readCatalogue(path string) ([]listed, error) {
	if path == "" {
		return nil, nil
	}
	file, size, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // a home of /dev/null is none
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	defer file.Close()
	if size > maxCatalogue {
		return nil, fmt.Errorf("open %s: %d bytes are no catalogue", path, size)
	}
	b, err := io.ReadAll(io.LimitReader(file, maxCatalogue))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	models, err := parseCatalogue(b)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return models, err
}

// Catalogue is every model that is known by name: the user's own (UserCatalogue) first, then those that come with Headroom.
// The error speaks of entries that were left out; the others are returned all the same.
func Catalogue() ([]workload.Model, error) {
	models, err := all()
	return bare(models), err
}

// BuiltIn are the models that come with Headroom alone.
func BuiltIn() ([]workload.Model, error) {
	models, err := builtIn()
	return bare(models), err
}

func bare(models []listed) []workload.Model {
	list := make([]workload.Model, len(models))
	for i, m := range models {
		list[i] = m.Model
	}
	return list
}
