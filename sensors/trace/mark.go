package trace

import (
	"strings"
	"time"
	"unicode/utf8"
)

// markLine is a mark's form in the file.
type markLine struct {
	Text string    `json:"m"`
	At   time.Time `json:"at"`
}

// clip makes one short line of a mark's text.
func clip(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if len(text) <= maxMarkText {
		return text
	}
	end := maxMarkText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
