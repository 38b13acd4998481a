package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"headroom/assets"
	"headroom/policy/workload"
	"headroom/sensors/budget"
)

// Script is a scenario: a described machine whose readings follow curves. It gives the same samples on every run and every
// machine, at any interval, and starts over when its curves end.
type Script struct {
	// Name is what people type; Title and About say in words what is shown.
	Name, Title, About string
	// Model is the catalogue's key of the model that the scenario is about, Context its tokens.
	Model   string
	Context uint64
	// Start is the time of the first sample; Length is when the curves end.
	Start  time.Time
	Length time.Duration

	machine machine
}

// script is the form of a scenario file.
type script struct {
	Title   string    `json:"title"`
	About   string    `json:"about"`
	Model   string    `json:"model"`
	Context uint64    `json:"context"`
	Start   time.Time `json:"start"`
	Seconds float64   `json:"seconds"`
	machine
}

// maxScriptSeconds bounds a scenario's length: a day.
const maxScriptSeconds = 24 * 60 * 60

func parseScript(name string, b []byte) (*Script, error) {
	var f script
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("read scenario %s: %w", name, err)
	}
	if !(f.Seconds >= 1 && f.Seconds <= maxScriptSeconds) || f.Start.IsZero() {
		return nil, fmt.Errorf("read scenario %s: it needs a start and a length of 1 to %d seconds", name, maxScriptSeconds)
	}
	return &Script{
		Name: name, Title: f.Title, About: f.About, Model: f.Model, Context: f.Context,
		Start: f.Start, Length: time.Duration(f.Seconds * float64(time.Second)), machine: f.machine,
	}, nil
}

// Settings are the settings that the scenario is meant to be seen under; find looks its model up in the catalogue.
func (s *Script) Settings(find func(name string) (workload.Model, error)) (budget.Settings, error) {
	m, err := find(s.Model)
	if err != nil {
		return budget.Settings{}, fmt.Errorf("find the model of scenario %s: %w", s.Name, err)
	}
	return budget.Settings{Workload: m.At(workload.Options{Context: s.Context, KV: workload.KVF16})}, nil
}

// embedded reads the scenarios that are built in. They are part of the program and tested with it, so a broken one panics.
var embedded = sync.OnceValue(func() []*Script {
	files, err := fs.Glob(assets.Scenarios, "scenarios/*.json")
	if err != nil {
		panic(err)
	}
	var all []*Script
	for _, file := range files {
		b, err := fs.ReadFile(assets.Scenarios, file)
		if err != nil {
			panic(err)
		}
		s, err := parseScript(strings.TrimSuffix(path.Base(file), ".json"), b)
		if err != nil {
			panic(err)
		}
		all = append(all, s)
	}
	return all
})

// Scenarios are the scenarios that are built in, by name.
func Scenarios() []*Script { return embedded() }

// Scenario finds a built-in scenario by its name. The error lists the names there are.
func Scenario(name string) (*Script, error) {
	var names []string
	for _, s := range embedded() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("find scenario %q: there is none of that name; choose one of %s", name, strings.Join(names, ", "))
}
