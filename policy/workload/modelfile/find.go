package modelfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"headroom/policy/workload"
)

// qualifiers are words after a model's name and size that do not change its shape.
var qualifiers = []string{
	"instruct", "it", "chat", "base", "hf", "gguf", "thinking", "latest", "text", "preview", "2507", "qat",
	"fp16", "f16", "bf16", "fp8", "awq", "gptq", "int4", "int8", "q2", "q3", "q4", "q5", "q6", "q8", "k", "s", "m", "l", "xl", "0", "1",
}

// Find gives the catalogue's model of a name, in any of the ways that people write it: "llama-3.1-8b", "Llama 3.1 8B",
// "llama3.1:8b", "meta-llama/Llama-3.1-8B-Instruct". A name that only one model starts with is enough. Otherwise the error
// gives the nearest names.
func Find(name string) (workload.Model, error) {
	// A user's catalogue that cannot be read must not hide the models that can.
	models, problem := all()
	m, err := named(name, models)
	if err != nil && problem != nil {
		err = fmt.Errorf("%w (%w)", err, problem)
	}
	return m, err
}

// FindBuiltIn is Find among the models that come with Headroom: the answer is the same for every user.
func FindBuiltIn(name string) (workload.Model, error) {
	models, err := builtIn()
	if err != nil {
		return workload.Model{}, err
	}
	return named(name, models)
}

func named(name string, models []listed) (workload.Model, error) {
	key := slug(name[strings.LastIndexByte(name, '/')+1:])
	for k := key; k != ""; k = withoutQualifier(k) {
		for _, m := range models {
			if slices.Contains(m.names, k) {
				return m.Model, nil
			}
		}
		if m, ok := onlyOne(models, k+"-"); ok {
			return m, nil
		}
	}
	near := nearest(models, key, 4)
	if len(near) == 0 {
		return workload.Model{}, fmt.Errorf("find model %q: the catalogue has none of that name, and there is no such file", name)
	}
	return workload.Model{}, fmt.Errorf("find model %q: the catalogue has none of that name; near it: %s", name, strings.Join(near, ", "))
}

// withoutQualifier takes the last word off a name if it is a qualifier; it gives an empty name when none is left.
func withoutQualifier(key string) string {
	i := strings.LastIndexByte(key, '-')
	if i < 0 || !slices.Contains(qualifiers, key[i+1:]) {
		return ""
	}
	return key[:i]
}

// onlyOne is the one model with a name that starts so.
func onlyOne(models []listed, prefix string) (workload.Model, bool) {
	var found workload.Model
	for _, m := range models {
		if !slices.ContainsFunc(m.names, func(n string) bool { return strings.HasPrefix(n, prefix) }) {
			continue
		}
		if found.ID != "" {
			return workload.Model{}, false
		}
		found = m.Model
	}
	return found, found.ID != ""
}

// nearest are the IDs that differ least from a name, in at most half of its letters; those that begin with it differ least of
// all.
func nearest(models []listed, key string, n int) []string {
	type near struct {
		id       string
		distance int
	}
	list := make([]near, len(models))
	for i, m := range models {
		list[i] = near{m.ID, edits(key, m.ID)}
		for _, name := range m.names {
			if key != "" && strings.HasPrefix(name, key) {
				list[i].distance = 0
				break
			}
			list[i].distance = min(list[i].distance, edits(key, name))
		}
	}
	list = slices.DeleteFunc(list, func(a near) bool { return 2*a.distance > len(key) })
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var ids []string
	for _, x := range list[:min(n, len(list))] {
		ids = append(ids, x.id)
	}
	return ids
}

// edits is the number of letters to put in, take out or change to make one name of the other (Levenshtein). Only the first
// 64 bytes count.
func edits(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
