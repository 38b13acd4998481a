package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// results are the medians of Go benchmarks: by name, then by unit.
type results map[string]map[string]float64

// goBench runs a package's benchmarks, compiled before.
func (b *bench) goBench(pkg, which, benchtime string) (results, error) {
	binary := filepath.Join(filepath.Dir(b.binary), strings.ReplaceAll(pkg, "/", "-")+".test")
	if _, err := os.Stat(binary); err != nil {
		if text, err := exec.Command("go", "test", "-tags", "migrated_fynedo", "-c", "-o", binary, "./"+pkg).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build the benchmarks of %s: %w\n%s", pkg, err, text)
		}
	}
	cmd := exec.Command(binary, "-test.run", "^$", "-test.bench", which, "-test.benchtime", benchtime, "-test.count", strconv.Itoa(b.rounds))
	cmd.Dir = pkg
	text, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("benchmarks of %s: %w\n%s", pkg, err, text)
	}
	all := map[string]map[string][]float64{}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		name := regexp.MustCompile(`-\d+$`).ReplaceAllString(strings.TrimPrefix(f[0], "Benchmark"), "")
		if all[name] == nil {
			all[name] = map[string][]float64{}
		}
		for i := 2; i+1 < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i], 64); err == nil {
				all[name][f[i+1]] = append(all[name][f[i+1]], v)
			}
		}
	}
	r := results{}
	for name, units := range all {
		r[name] = map[string]float64{}
		for unit, v := range units {
			r[name][unit] = median(v)
		}
	}
	if len(r) == 0 {
		return nil, fmt.Errorf("no benchmark of %s is called %s", pkg, which)
	}
	return r, nil
}
