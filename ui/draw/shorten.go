package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// brief are the words that say the same in less room, tried in turn.
var brief = [...]*strings.Replacer{
	strings.NewReplacer("Held back by heat: ", "", "Held back by power: ", "", "Held back by memory: ", "", "Held back by heat and power: ", ""),
	strings.NewReplacer(
		"if the real headroom is ", "if really ", "or the real power is under ", "or ", "or the real power is ", "or ", "the real power is ", "really ", "if the real limit is ", "if the limit is ",
		" of headroom is under ", " is under ", " of power is under ", " is under ",
	),
	strings.NewReplacer(" assumed)", ")"),
}

// shorter is a sentence and what says the same in less room, the longest first.
func shorter(words string) []string {
	out := []string{words}
	for _, r := range brief {
		last := out[len(out)-1]
		if s := capital(r.Replace(last)); s != last {
			out = append(out, s)
		}
	}
	return out
}

func capital(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if n == 0 || n == len(s) || isPrecision(s) {
		return s
	}
	return string(unicode.ToUpper(first)) + s[n:]
}

// isPrecision reports whether a sentence begins with a precision's name, which is written small.
func isPrecision(s string) bool {
	return len(s) > 1 && (s[0] == 'f' || s[0] == 'q') && s[1] >= '0' && s[1] <= '9'
}

// fitted writes the longest of some words that fits, in the largest of the sizes; where none does, the last one cut.
func (b *board) fitted(x, y, width float64, s style, sizes []float64, texts ...string) float64 {
	for _, text := range texts {
		for _, size := range sizes {
			if s.at(size).width(clean(text)) <= width {
				return b.text(x, middleOf(y, size), width, text, s.at(size))
			}
		}
	}
	size := sizes[len(sizes)-1]
	return b.text(x, middleOf(y, size), width, texts[len(texts)-1], s.at(size))
}

// segments is a source's line and what is left of it without its last words: "91.8 of 95 °C · coretemp Package id 0", then
// "91.8 of 95 °C · coretemp", then "91.8 of 95 °C".
func segments(line string) []string {
	out := []string{line}
	for {
		i := strings.LastIndex(line, " · ")
		if i < 0 {
			return out
		}
		if first, _, more := strings.Cut(line[i+len(" · "):], " "); more {
			out = append(out, line[:i]+" · "+first)
		}
		line = line[:i]
		out = append(out, line)
	}
}
