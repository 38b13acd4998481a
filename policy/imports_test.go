package policy_test

import (
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestPolicyImportsTheStandardLibraryOnly(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		checked++
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range parsed.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			// A path outside the standard library starts with a host name or with this module's.
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || first == "headroom" || first == "C" {
				t.Errorf("%s imports %s", f.Name(), path)
			}
		}
	}
	if checked == 0 {
		t.Fatal("no source files found")
	}
}
