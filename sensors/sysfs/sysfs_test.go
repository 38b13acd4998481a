package sysfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func root(t *testing.T, files map[string]string) Root {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return New(dir, nil)
}

func TestInt(t *testing.T) {
	for text, want := range map[string]int64{
		"42\n": 42, "42": 42, " -7 \n": -7, "0\n": 0, "+5\n": 5, "5\x00\n": 5, "9223372036854775807\n": 9223372036854775807,
	} {
		r := root(t, map[string]string{"sys/a": text})
		if got, err := r.Attr("sys/a").Int(); err != nil || got != want {
			t.Errorf("%q is %d, %v", text, got, err)
		}
	}
}

func TestIntErrors(t *testing.T) {
	for text, want := range map[string]error{
		"": ErrEmpty, "\n": ErrEmpty, "nan\n": ErrNotNumber, "1e3\n": ErrNotNumber, "0x10\n": ErrNotNumber, "1 2\n": ErrNotNumber,
		"9223372036854775808\n": ErrNotNumber, strings.Repeat("1", 5000): ErrTooLong, strings.Repeat("x", 200): ErrNotNumber,
	} {
		r := root(t, map[string]string{"sys/a": text})
		_, err := r.Attr("sys/a").Int()
		if !errors.Is(err, want) {
			t.Errorf("%.20q gives %v, want %v", text, err, want)
		}
		if err != nil && (len(err.Error()) > 120 || !strings.Contains(err.Error(), "/sys/a")) {
			t.Errorf("the error is %q", err)
		}
	}
}

func TestHex(t *testing.T) {
	r := root(t, map[string]string{"v": "0x1002\n", "w": "8086\n", "x": "0xzz\n"})
	if v, err := r.Attr("v").Hex(); err != nil || v != 0x1002 {
		t.Errorf("0x1002 is %x, %v", v, err)
	}
	if v, err := r.Attr("w").Hex(); err != nil || v != 0x8086 {
		t.Errorf("8086 is %x, %v", v, err)
	}
	if _, err := r.Attr("x").Hex(); !errors.Is(err, ErrNotNumber) {
		t.Errorf("0xzz gives %v", err)
	}
}

func TestWhatIsNoFile(t *testing.T) {
	r := root(t, map[string]string{"sys/folder/x": "1"})
	if _, err := r.Attr("sys/absent").Int(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
	if _, err := r.Attr("sys/folder").Text(); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder gives %v", err)
	}
	if _, err := r.Attr("sys/folder/x/y").Text(); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a file as a folder gives %v", err)
	}
	if _, err := r.List("sys/absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder gives %v", err)
	}
	if _, err := r.List("sys/folder/x"); err == nil {
		t.Error("a file is listed as a folder")
	}
}

// TestEndless holds that a file without end is cut.
func TestEndless(t *testing.T) {
	r := root(t, map[string]string{"x": ""})
	if err := os.Symlink("/dev/zero", r.Path("zero")); err != nil {
		t.Skip(err)
	}
	if _, err := r.Attr("zero").Text(); !errors.Is(err, ErrTooLong) {
		t.Errorf("an endless file gives %v", err)
	}
	if data, err := r.Attr("zero").ReadAll(100000); !errors.Is(err, ErrTooLong) || len(data) != 100000 {
		t.Errorf("an endless file gives %d bytes, %v", len(data), err)
	}
}

func TestReadAll(t *testing.T) {
	text := strings.Repeat("0123456789", 1500)
	r := root(t, map[string]string{"a": text})
	if data, err := r.Attr("a").ReadAll(1 << 20); err != nil || string(data) != text {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if data, err := r.Attr("a").ReadAll(15); !errors.Is(err, ErrTooLong) || string(data) != "012345678901234" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestNatural(t *testing.T) {
	names := []string{"hwmon10", "hwmon2", "a", "hwmon02", "hwmon1b", "hwmon1a", "hwmon", "card0-DP-1", "card0"}
	slices.SortFunc(names, Natural)
	if got, want := strings.Join(names, " "), "a card0 card0-DP-1 hwmon hwmon1a hwmon1b hwmon02 hwmon2 hwmon10"; got != want && got != strings.Replace(want, "hwmon02 hwmon2", "hwmon2 hwmon02", 1) {
		t.Errorf("the order is %q", got)
	}
}

func TestLinks(t *testing.T) {
	r := root(t, map[string]string{"sys/devices/0000:03:00.0/x": ""})
	if err := os.Symlink("devices/0000:03:00.0", r.Path("sys/link")); err != nil {
		t.Skip(err)
	}
	if got := r.Link("sys/link"); got != "0000:03:00.0" {
		t.Errorf("the link leads to %q", got)
	}
	if got := r.Link("sys/devices"); got != "" {
		t.Errorf("a folder is a link to %q", got)
	}
}

func TestObserver(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	r := New(dir, func(name string, data []byte, err error) {
		seen[name] = string(data)
		if err != nil {
			seen[name] = err.Error()
		}
	})
	_, _ = r.Attr("a").Int()
	_, _ = r.Attr("b").Int()
	if seen["/a"] != "5\n" || !strings.Contains(seen["/b"], "/b") {
		t.Errorf("seen are %q", seen)
	}
}

// TestLive holds that no folder means this machine, whatever way its system writes paths.
func TestLive(t *testing.T) {
	if !New("", nil).Live() {
		t.Error("no folder is not this machine")
	}
	if New(t.TempDir(), nil).Live() {
		t.Error("a recorded tree is taken for this machine")
	}
}

// TestTextIsOneShortLine holds that what firmware writes by mistake gives no text that cannot be shown.
func TestTextIsOneShortLine(t *testing.T) {
	r := root(t, map[string]string{
		"sys/garbage": "\xff\xfe\x00Core\x1b[31m\x07 0\x80\n",
		"sys/lines":   "one\ntwo\tthree\n",
		"sys/long":    strings.Repeat("é", 2000) + "\n",
		"sys/nothing": "\x01\x02\xff\n",
	})
	for name, want := range map[string]string{"garbage": "Core[31m 0", "lines": "one two three", "long": strings.Repeat("é", 128)} {
		if got, err := r.Attr("sys", name).Text(); err != nil || got != want {
			t.Errorf("%s gives %q, %v", name, got, err)
		}
	}
	if got, err := r.Attr("sys/nothing").Text(); !errors.Is(err, ErrEmpty) {
		t.Errorf("nothing gives %q, %v", got, err)
	}
}
