package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
)

// table is printed as Markdown.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) {
	rule := make([]string, len(t.head))
	for i := range rule {
		rule[i] = "---"
	}
	for _, row := range append([][]string{t.head, rule}, t.rows...) {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
}

// none stands where there is nothing to compare with, or no goal.
const none = "–"

// ratio is ours to the baseline.
func ratio(ours, baseline float64) string {
	if baseline == 0 {
		return none
	}
	return fmt.Sprintf("%.2f", ours/baseline)
}

// goal says what is asked for and whether it is met.
func goal(text string, met bool) string {
	if met {
		return text + ": met"
	}
	return "**" + text + ": missed**"
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// duration words nanoseconds.
func duration(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.2f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.1f ms", ns/1e6)
	}
	return fmt.Sprintf("%.2f s", ns/1e9)
}

func threads() int { return runtime.NumCPU() }
