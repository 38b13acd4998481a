package trace

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ProblemKind says what is wrong with a part of a recording.
type ProblemKind uint8

// The kinds of problem.
const (
	// Damaged lines are no whole objects, or their checksum differs. They are left out.
	Damaged ProblemKind = iota
	// Orphaned samples rest on a key line that is damaged or missing. They are left out.
	Orphaned
	// Unknown lines are of kinds that this version does not know. They are left out.
	Unknown
	// Newer recordings were written by a newer version: what this one understands is used.
	Newer
	// CutOff is a last line without its end, as a kill leaves it. It is left out.
	CutOff
	// Paused is a stretch without samples, as sleep leaves it.
	Paused
	// ClockBack is a sample whose time lies before the one ahead of it.
	ClockBack
	numProblems
)

// maxProblemLines bounds the places that a Problem lists; its Count goes on.
const maxProblemLines = 20

// Problem is all that is wrong in one way.
type Problem struct {
	Kind  ProblemKind
	Count int
	// Lines are the numbers of the first lines concerned, counted from 1.
	Lines []int
	// Longest is the longest pause or step back.
	Longest time.Duration
	// Schema is the newer schema.
	Schema string
}

// String puts the problem into words: "3 damaged lines were left out (lines 12, 40, 41)".
func (p Problem) String() string {
	n := func(one, many string) string {
		if p.Count == 1 {
			return "1 " + one
		}
		return strconv.Itoa(p.Count) + " " + many
	}
	var s string
	switch p.Kind {
	case Damaged:
		s = n("damaged line was left out", "damaged lines were left out")
	case Orphaned:
		s = n("sample was left out, for the line it rests on is damaged or missing", "samples were left out, for the lines they rest on are damaged or missing")
	case Unknown:
		s = n("line of an unknown kind was left out", "lines of unknown kinds were left out")
	case Newer:
		return fmt.Sprintf("written by a newer version (%.40q, this one reads up to %d): what it understands is shown", p.Schema, Version)
	case CutOff:
		s = "the last line is cut off and was left out"
	case Paused:
		s = n("pause", "pauses") + " without samples, the longest " + p.Longest.Round(time.Second).String()
	case ClockBack:
		s = "the clock went back " + n("time", "times") + ", at most by " + p.Longest.String()
	}
	return s + " (" + p.where() + ")"
}

func (p Problem) where() string {
	numbers := make([]string, len(p.Lines))
	for i, l := range p.Lines {
		numbers[i] = strconv.Itoa(l)
	}
	word := "lines "
	if len(numbers) == 1 {
		word = "line "
	}
	if p.Count > len(numbers) {
		numbers = append(numbers, "…")
	}
	return word + strings.Join(numbers, ", ")
}

// problems collects while lines are scanned.
type problems [numProblems]Problem

func (p *problems) add(k ProblemKind, line int) *Problem {
	x := &p[k]
	x.Kind = k
	x.Count++
	if len(x.Lines) < maxProblemLines {
		x.Lines = append(x.Lines, line)
	}
	return x
}

// list is the problems that there are, gravest first.
func (p *problems) list() []Problem {
	var list []Problem
	for _, x := range p {
		if x.Count > 0 {
			list = append(list, x)
		}
	}
	return list
}
