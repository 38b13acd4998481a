package child

import (
	"os"
	"strings"
	"sync"
	"syscall"
	"unicode"
)

// Bounds of what is kept of a child's standard error: the start, where a crash is named, and the end.
const (
	notesHead = 8 << 10
	notesTail = 8 << 10
	maxSaid   = 300
)

// notes keeps the start and the end of what is written to it.
type notes struct {
	mu         sync.Mutex
	head, tail []byte
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	rest := p
	if room := notesHead - len(n.head); room > 0 {
		take := min(room, len(rest))
		n.head = append(n.head, rest[:take]...)
		rest = rest[take:]
	}
	n.tail = append(n.tail, rest...)
	if over := len(n.tail) - notesTail; over > 0 {
		n.tail = append(n.tail[:0], n.tail[over:]...)
	}
	return len(p), nil
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return string(n.head) + string(n.tail)
}

// crashed names the crash of an ended process, if it was one, and gives its exit status. A signal inside C or Rust code
// is caught by the Go runtime, which prints it and exits with status 2.
func crashed(ps *os.ProcessState, stderr string) (crash string, status int) {
	if ws, ok := ps.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return "signal " + ws.Signal().String(), 0
	}
	status = ps.ExitCode()
	if status == 2 {
		for line := range strings.Lines(stderr) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "SIG") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") {
				return plain(line), status
			}
		}
	}
	return "", status
}

// chatter is what drivers say of a session without a desktop, whatever else becomes of them.
const chatter = "XDG_RUNTIME_DIR"

// Telling picks the line of a program's standard error that says most: a Rust panic with its message, else a Go panic,
// else the last line that is no chatter. It is bounded and holds printable characters only.
func Telling(stderr string) string {
	lines := strings.Split(stderr, "\n")
	last := ""
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "panicked at"):
			if i+1 < len(lines) {
				line += " " + strings.TrimSpace(lines[i+1])
			}
			return plain(line)
		case strings.HasPrefix(line, "panic: "), strings.HasPrefix(line, "fatal error: "), strings.HasPrefix(line, "SIG"):
			return plain(line)
		case line != "" && !strings.Contains(line, chatter):
			last = line
		}
	}
	return plain(last)
}

// plain makes foreign text safe to show: printable, one line, bounded.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	if r := []rune(s); len(r) > maxSaid {
		s = string(r[:maxSaid]) + "…"
	}
	return strings.TrimSpace(s)
}
