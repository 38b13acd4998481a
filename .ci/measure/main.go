// Measure runs what the README's table of speed is made of, and prints it as Markdown: whole programs through the kernel's
// accounting, parts through the packages' own benchmarks. What is compared runs in turn within the same run, and medians
// are given.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// bench is one run of everything.
type bench struct {
	table  table
	growth table
	binary string
	bare   string
	home   string
	// span is how long whole programs are watched, rounds how often each of a pair runs.
	span   time.Duration
	rounds int
}

func main() {
	span := flag.Duration("span", 30*time.Second, "how long each program is watched")
	rounds := flag.Int("rounds", 3, "how often each program runs, in turn with what it is compared with")
	only := flag.String("only", "", "run only the parts whose names match")
	flag.Parse()
	if err := run(*span, *rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(span time.Duration, rounds int, only string) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "headroom-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{
		binary: filepath.Join(dir, "headroom"), bare: filepath.Join(dir, "barewindow"), home: filepath.Join(dir, "home"), span: span, rounds: rounds,
		table:  table{head: []string{"measure", "ours", "baseline", "ratio", "goal"}},
		growth: table{head: []string{"what grows", "n", "time", "n", "time", "n", "time", "grows as"}},
	}
	for out, pkg := range map[string]string{b.binary: ".", b.bare: "./.ci/measure/barewindow"} {
		if text, err := exec.Command("go", "build", "-tags", "migrated_fynedo", "-o", out, pkg).CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", pkg, err, text)
		}
	}
	var failed error
	for _, part := range []struct {
		name string
		run  func(*bench) error
	}{
		{"policy", (*bench).policy},
		{"round", (*bench).round},
		{"watch", (*bench).watch},
		{"window", (*bench).window},
		{"start", (*bench).start},
		{"snapshot", (*bench).snapshot},
		{"growth", (*bench).grow},
		{"memory", (*bench).memory},
	} {
		if !chosen.MatchString(part.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "== %s\n", part.name)
		if err := part.run(b); err != nil {
			// What was measured is printed all the same.
			failed = errors.Join(failed, fmt.Errorf("%s: %w", part.name, err))
		}
	}
	fmt.Printf("Measured on %s on %s; each ratio is of medians within this run.\n\n", time.Now().Format("2006-01-02"), machine())
	b.table.print(os.Stdout)
	if len(b.growth.rows) > 0 {
		fmt.Println()
		b.growth.print(os.Stdout)
	}
	return failed
}

// machine names the processor, its threads, and how busy it is with other work.
func machine() string {
	name := "an unknown processor"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := regexp.MustCompile(`model name\s*: (.*)`).FindSubmatch(text); m != nil {
			name = string(m[1])
		}
	}
	load := "unknown"
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ = strings.Cut(string(text), " ")
	}
	return fmt.Sprintf("%s (%d threads, load %s at the end)", name, threads(), load)
}
