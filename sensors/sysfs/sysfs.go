package sysfs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// attrLimit is the size of an attribute at most: the kernel gives one page.
const attrLimit = 4096

// Errors that no system call gives.
var (
	// ErrEmpty is an attribute without a value.
	ErrEmpty = errors.New("empty file")
	// ErrTooLong is a file longer than an attribute can be.
	ErrTooLong = errors.New("longer than an attribute can be")
	// ErrNotNumber is a text where a number is expected.
	ErrNotNumber = errors.New("not a number")
)

// Observer is told of each file read: its name from /, what was in it, and the error.
type Observer func(name string, data []byte, err error)

// Root is the folder that stands for /.
type Root struct {
	dir     string
	observe Observer
}

// New makes the Root at dir; the empty string is the machine itself. observe may be nil.
func New(dir string, observe Observer) Root {
	if dir == "" {
		dir = "/"
	}
	return Root{dir: filepath.Clean(dir), observe: observe}
}

// Note tells the observer of what another source than a file gave, under the name that a recorded tree keeps it by.
func (r Root) Note(name, text string) {
	if r.observe != nil {
		r.observe("/"+name, []byte(text), nil)
	}
}

// Live reports whether the Root is the machine itself.
func (r Root) Live() bool { return r.dir == filepath.Clean("/") }

// Path is where the name lies in this machine's file system.
func (r Root) Path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// Attr names one attribute.
type Attr struct {
	file    string
	name    string
	observe Observer
}

// Attr gives the attribute of that name, e.g. "sys/class/hwmon/hwmon3/temp1_input".
func (r Root) Attr(elem ...string) Attr {
	name := path.Join(elem...)
	return Attr{file: r.Path(name), name: "/" + name, observe: r.observe}
}

// Name is the attribute's path from /, as a user of the machine knows it.
func (a Attr) Name() string { return a.name }

// IsZero reports whether a names no attribute.
func (a Attr) IsZero() bool { return a.file == "" }

// ReadAll reads a file of at most limit bytes; a longer one is cut there and gives ErrTooLong beside what was read.
func (a Attr) ReadAll(limit int) ([]byte, error) {
	return a.read(make([]byte, min(limit, 4096)), limit, false)
}

func (a Attr) read(buf []byte, limit int, oneLine bool) ([]byte, error) {
	data, err := readFile(a.file, buf, limit, oneLine)
	if err != nil {
		err = &fs.PathError{Op: "read", Path: a.name, Err: err}
	}
	if a.observe != nil {
		// A copy, so that the buffer of the others need not outlive the call.
		a.observe(a.name, bytes.Clone(data), err)
	}
	return data, err
}

// Text reads a one-line attribute, without the white space around it.
func (a Attr) Text() (string, error) {
	var buf [256]byte
	data, err := a.read(buf[:], attrLimit, true)
	if err != nil {
		return "", err
	}
	data = bytes.Trim(data, " \t\r\n\x00")
	text := Clean(string(data))
	if text == "" {
		return "", &fs.PathError{Op: "read", Path: a.name, Err: ErrEmpty}
	}
	return text, nil
}

// textLimit is how long a name, label or word is at most, in bytes: what is longer is none.
const textLimit = 256

// Clean takes from a text what cannot be shown on one line, and what is too long to be shown at all. Firmware has been seen to
// fill names with what lay in its memory, and to lay out thousands of rare characters takes a window seconds.
func Clean(text string) string {
	if len(text) <= textLimit && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
		return text
	}
	text = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), textLimit)], ""))
}

// Int reads a whole number.
func (a Attr) Int() (int64, error) { return a.number(10) }

// Hex reads a hexadecimal number, with or without 0x.
func (a Attr) Hex() (int64, error) { return a.number(16) }

func (a Attr) number(base int) (int64, error) {
	var buf [64]byte
	data, err := a.read(buf[:], attrLimit, true)
	if err != nil {
		return 0, err
	}
	data = bytes.Trim(data, " \t\r\n\x00")
	if len(data) == 0 {
		return 0, &fs.PathError{Op: "read", Path: a.name, Err: ErrEmpty}
	}
	digits := data
	if base == 16 {
		digits = bytes.TrimPrefix(bytes.TrimPrefix(data, []byte("0x")), []byte("0X"))
	}
	n, err := strconv.ParseInt(string(digits), base, 64)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w: %q", a.name, ErrNotNumber, Short(string(data)))
	}
	return n, nil
}

// Short cuts a text for an error message.
func Short(s string) string {
	if len(s) > 24 {
		return strings.ToValidUTF8(s[:24], "") + "…"
	}
	return s
}

// Exists reports whether something of that name is there.
func (r Root) Exists(elem ...string) bool {
	_, err := os.Lstat(r.Path(path.Join(elem...)))
	return err == nil
}

// List gives the names in a folder in natural order: hwmon2 before hwmon10.
func (r Root) List(elem ...string) ([]string, error) {
	name := path.Join(elem...)
	f, err := openFolder(r.Path(name))
	if err != nil {
		return nil, &fs.PathError{Op: "list", Path: "/" + name, Err: errors.Unwrap(err)}
	}
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(listLimit)
	if err != nil && len(names) == 0 && !isEnd(err) {
		return nil, &fs.PathError{Op: "list", Path: "/" + name, Err: errors.Unwrap(err)}
	}
	slices.SortFunc(names, Natural)
	return names, nil
}

// listLimit is how many names of one folder are looked at.
const listLimit = 65536

// Target gives what a symbolic link points to, empty where it is none. A recorded tree has none.
func (r Root) Target(elem ...string) string {
	target, err := os.Readlink(r.Path(path.Join(elem...)))
	if err != nil {
		return ""
	}
	return target
}

// Link gives the last element of a link's target: "0000:03:00.0" for a device link.
func (r Root) Link(elem ...string) string {
	target := r.Target(elem...)
	if target == "" {
		return ""
	}
	return filepath.Base(target)
}

// Elements are the folders on the way to where a name's links lead.
func (r Root) Elements(elem ...string) []string {
	real, err := filepath.EvalSymlinks(r.Path(path.Join(elem...)))
	if err != nil {
		return nil
	}
	return strings.Split(filepath.ToSlash(real), "/")
}

// Natural orders names with their numbers by value.
func Natural(a, b string) int {
	for a != "" && b != "" {
		da, db := digits(a), digits(b)
		if da > 0 && db > 0 {
			na, nb := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if len(na) != len(nb) {
				return len(na) - len(nb)
			}
			if c := strings.Compare(na, nb); c != 0 {
				return c
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
