package modelfile

import (
	"strings"
	"unicode"
)

// slug is a name as an ID: lower case, words and numbers parted by dashes, dots kept within numbers. "Llama 3.1 8B" and
// "llama3.1:8b" both give "llama-3.1-8b".
func slug(name string) string {
	var b strings.Builder
	var last rune
	runes := []rune(strings.ToLower(name))
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			// "llama3.1" is two words, "8b" and "a3b" are one.
			if unicode.IsDigit(r) && unicode.IsLetter(last) && i > 1 && unicode.IsLetter(runes[i-2]) {
				b.WriteByte('-')
			}
			b.WriteRune(r)
		case r == '.' && unicode.IsDigit(last) && i+1 < len(runes) && unicode.IsDigit(runes[i+1]):
			b.WriteByte('.')
		case b.Len() > 0 && last != '-':
			b.WriteByte('-')
			r = '-'
		default:
			continue
		}
		last = r
	}
	return strings.Trim(b.String(), "-")
}
