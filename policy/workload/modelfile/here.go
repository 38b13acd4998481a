package modelfile

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Bounds on looking for models: a home folder can hold anything.
const (
	maxVisited = 50_000
	maxFound   = 1_000
	maxDepth   = 8
)

// Found is a model that is already on this machine.
type Found struct {
	// Path is what Open takes. Name is the name that the program it belongs to gives it; empty where the file names itself.
	Path, Name string
	// From is the program or folder that it belongs to: Ollama, LM Studio, llama.cpp, Hugging Face, or the folder's path.
	From string
}

// Open sizes the model.
func (f Found) Open() (File, error) {
	file, err := Open(f.Path)
	if err == nil && f.Name != "" {
		file.Model.Name, file.Model.ID = f.Name, slug(f.Name)
	}
	return file, err
}

// place is a folder in which a program keeps models, and the way that it lays them out.
type place struct {
	from, path string
	list       func(*search, place)
}

// Here finds the models that Ollama, LM Studio, llama.cpp and the Hugging Face cache keep for this user, and those in the
// given folders, in that order. It reads names and links only, downloads and writes nothing, stops at bounds and when ctx
// ends, and lists a model once that several programs link to. Folders that are not there or not readable are passed over.
func Here(ctx context.Context, folders ...string) []Found {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return find(ctx, places(home, os.Getenv, folders))
}

func find(ctx context.Context, all []place) []Found {
	s := &search{ctx: ctx}
	for _, p := range all {
		if p.path != "" {
			p.list(s, p)
		}
	}
	return s.found
}

// places are where programs keep their models by default, or where their variables point.
func places(home string, env func(string) string, folders []string) []place {
	under := func(parts ...string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(append([]string{home}, parts...)...)
	}
	within := func(dir string, parts ...string) string {
		if dir == "" {
			return ""
		}
		return filepath.Join(append([]string{dir}, parts...)...)
	}
	cache := cmp.Or(env("XDG_CACHE_HOME"), under(".cache"))
	llama := within(cache, "llama.cpp")
	if runtime.GOOS == "darwin" {
		llama = under("Library", "Caches", "llama.cpp")
	}
	if runtime.GOOS == "windows" {
		llama = within(env("LOCALAPPDATA"), "llama.cpp")
	}
	all := []place{{"Ollama", cmp.Or(env("OLLAMA_MODELS"), under(".ollama", "models")), listOllama}}
	if runtime.GOOS == "linux" && env("OLLAMA_MODELS") == "" {
		// Where its system service keeps them.
		all = append(all, place{"Ollama", "/usr/share/ollama/.ollama/models", listOllama})
	}
	all = append(all,
		place{"LM Studio", under(".lmstudio", "models"), listFolder},
		place{"LM Studio", within(cache, "lm-studio", "models"), listFolder},
		place{"llama.cpp", cmp.Or(env("LLAMA_CACHE"), llama), listFolder},
		place{"Hugging Face", cmp.Or(env("HF_HUB_CACHE"), env("HUGGINGFACE_HUB_CACHE"), within(env("HF_HOME"), "hub"), within(cache, "huggingface", "hub")), listHub},
	)
	for _, f := range folders {
		all = append(all, place{f, f, listFolder})
	}
	return all
}

// search collects what was found, within bounds.
type search struct {
	ctx     context.Context
	visited int
	found   []Found
	files   []fs.FileInfo
}

// spent reports whether the search is over its bounds, after counting n more entries.
func (s *search) spent(n int) bool {
	s.visited += n
	return s.visited > maxVisited || len(s.found) >= maxFound || s.ctx.Err() != nil
}

// add keeps a model unless its first file is one that was found before, under whatever name.
func (s *search) add(f Found, first string) {
	info, err := os.Stat(first)
	if err != nil || !info.Mode().IsRegular() || s.spent(0) {
		return
	}
	if slices.ContainsFunc(s.files, func(known fs.FileInfo) bool { return os.SameFile(known, info) }) {
		return
	}
	s.files = append(s.files, info)
	s.found = append(s.found, f)
}

// entries lists a folder in order of name, within the bounds.
func (s *search) entries(path string) []fs.DirEntry {
	dir, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer dir.Close()
	list, _ := dir.ReadDir(maxEntries)
	if s.spent(len(list)) {
		return nil
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// folder adds the models of one folder: each GGUF, and the safetensors together. It gives the folders within.
func (s *search) folder(from, path, name string) (within []string) {
	var names []string
	for _, e := range s.entries(path) {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			within = append(within, filepath.Join(path, e.Name()))
		default:
			names = append(names, e.Name())
		}
	}
	for _, n := range ggufModels(names) {
		s.add(Found{Path: filepath.Join(path, n), From: from}, filepath.Join(path, n))
	}
	if i := slices.IndexFunc(names, isSafetensors); i >= 0 && slices.Contains(names, "config.json") {
		s.add(Found{Path: path, Name: name, From: from}, filepath.Join(path, names[i]))
	}
	return within
}

// listFolder walks a folder. Links to folders are not followed.
func listFolder(s *search, p place) {
	level := []string{p.path}
	for range maxDepth {
		var next []string
		for _, dir := range level {
			next = append(next, s.folder(p.from, dir, filepath.Base(dir))...)
		}
		level = next
	}
}

// listHub lists the Hugging Face cache: models--owner--name/snapshots/revision, its files links to blobs.
func listHub(s *search, p place) {
	for _, e := range s.entries(p.path) {
		rest, ok := strings.CutPrefix(e.Name(), "models--")
		if !ok || !e.IsDir() {
			continue
		}
		name := strings.ReplaceAll(rest, "--", "/")
		snapshots := filepath.Join(p.path, e.Name(), "snapshots")
		for _, revision := range s.entries(snapshots) {
			for _, within := range s.folder(p.from, filepath.Join(snapshots, revision.Name()), name) {
				s.folder(p.from, within, name)
			}
		}
	}
}
