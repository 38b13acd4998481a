package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"headroom/ui/cli"
)

// shared is where the prefix lies that most tests look at, and made that prefix: making one takes seconds.
var (
	shared string
	made   prefix
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "headroom-packaging")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared = dir
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// written is the shared prefix, made by the first test that asks. The licences need the go command and the module cache.
func written(t *testing.T) prefix {
	t.Helper()
	t.Chdir(top(t))
	if made == "" {
		made = writtenTo(t, shared)
	}
	return made
}

func writtenTo(t *testing.T, dir string) prefix {
	t.Helper()
	o := options{
		out: filepath.Join(dir, "prefix"), ico: filepath.Join(dir, icoName),
		maintainer: "A Maintainer <maintainer@example.org>", date: time.Unix(1_800_000_000, 0).UTC(),
	}
	if err := write(o); err != nil {
		t.Fatal(err)
	}
	return prefix(o.out)
}

const icoName = "headroom.ico"

// top is the folder of go.mod, where the program is run.
func top(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(string(out))
}

func (p prefix) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(string(p), name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return string(data)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAPrefixHoldsWhatADesktopAndAShellLookFor(t *testing.T) {
	p := written(t)
	for name, want := range map[string]string{
		"share/applications/dev.headroom.Headroom.desktop":    "Exec=headroom\n",
		"share/metainfo/dev.headroom.Headroom.metainfo.xml":   "<id>dev.headroom.Headroom</id>",
		"share/icons/hicolor/scalable/apps/" + appID + ".svg": "<svg",
		"share/man/man1/headroom.1.gz":                        `\fB--scenario\fP=NAME`,
		"share/man/man1/headroom-size.1.gz":                   `\fB--context\fP=TOKENS`,
		"share/man/man1/headroom-doctor.1.gz":                 `\fB--output\fP=FILE`,
		"share/bash-completion/completions/headroom":          "complete -o default",
		"share/zsh/site-functions/_headroom":                  "#compdef headroom",
		"share/fish/vendor_completions.d/headroom.fish":       "complete -c headroom",
		"share/doc/headroom/changelog.gz":                     "-- A Maintainer <maintainer@example.org>  ",
		"share/doc/headroom/copyright":                        "Apache License, Version 2.0",
		"share/doc/headroom/70-headroom-rapl.rules":           "SUBSYSTEM",
		"share/doc/headroom/NOTICES":                          "\nInter, the font\n\nCopyright",
	} {
		if text := p.read(t, name); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%.2000s", name, want, text)
		}
	}
	for _, c := range cli.Command().Commands() {
		if page := "share/man/man1/headroom-" + c.Name() + ".1.gz"; !c.Hidden && c.Name() != "help" {
			p.read(t, page)
		}
	}
}

func TestIconsHaveTheSizeOfTheirFolder(t *testing.T) {
	p := written(t)
	for _, size := range themeSizes {
		data := p.read(t, fmt.Sprintf("share/icons/hicolor/%dx%d/apps/%s.png", size, size, appID))
		picture, err := png.Decode(strings.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if b := picture.Bounds(); b.Dx() != size || b.Dy() != size {
			t.Errorf("the icon of %d pixels measures %v", size, b)
		}
		if _, _, _, corner := picture.At(0, 0).RGBA(); corner != 0 {
			t.Errorf("the icon of %d pixels is not clear outside its round corner", size)
		}
		if _, _, _, middle := picture.At(size/2, size/2).RGBA(); middle != 0xffff {
			t.Errorf("the icon of %d pixels is not opaque in its middle", size)
		}
	}
}

// Windows finds each picture through the directory at the start of the file.
func TestWindowsIcon(t *testing.T) {
	written(t)
	data, err := os.ReadFile(filepath.Join(shared, icoName))
	if err != nil {
		t.Fatal(err)
	}
	if string(data[:6]) != "\x00\x00\x01\x00\x07\x00" {
		t.Errorf("the head is %x", data[:6])
	}
	end := 0
	for i, size := range windowsSizes {
		entry := data[6+16*i:][:16]
		length := int(entry[8]) | int(entry[9])<<8 | int(entry[10])<<16
		offset := int(entry[12]) | int(entry[13])<<8 | int(entry[14])<<16
		end = offset + length
		picture, err := png.Decode(bytes.NewReader(data[offset:end]))
		if err != nil {
			t.Fatal(err)
		}
		if picture.Bounds().Dx() != size || entry[0] != byte(size) {
			t.Errorf("entry %d says %d and holds %v, not %d", i, entry[0], picture.Bounds(), size)
		}
	}
	if end != len(data) {
		t.Errorf("%d bytes after the last picture", len(data)-end)
	}
}

func TestEveryLinkedModuleHasItsLicence(t *testing.T) {
	p := written(t)
	text := p.read(t, "share/doc/headroom/NOTICES")
	modules, err := linkedModules()
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) < 10 {
		t.Fatalf("only %d modules are linked", len(modules))
	}
	for _, m := range modules {
		if !strings.Contains(text, "\n"+m.Path+" "+m.Version+"\n") {
			t.Errorf("nothing on %s", m.Path)
		}
	}
	if strings.Contains(text, "\r") {
		t.Error("carriage returns")
	}
}

func TestAModuleWithoutALicenceIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "licence.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := licences(dir); err == nil || !strings.Contains(err.Error(), "no licence file") {
		t.Errorf("got %v", err)
	}
}

func TestTextsThatPartsShareStandOnce(t *testing.T) {
	text := notices([]part{{name: "one", texts: []string{"Do as you like."}}, {name: "two", texts: []string{"Do as you like."}}})
	if strings.Count(text, "Do as you like.") != 1 || !strings.Contains(text, "The same text as that of one, above.") {
		t.Errorf("got %s", text)
	}
}

// Program, FyneApp.toml, metainfo and desktop entry are written by hand, and must say the same.
func TestVersionsAndNamesAgree(t *testing.T) {
	var app struct {
		Details     struct{ Name, ID, Version string }
		LinuxAndBSD struct{ GenericName, Comment string }
	}
	if _, err := toml.DecodeFile(filepath.Join(top(t), "FyneApp.toml"), &app); err != nil {
		t.Fatal(err)
	}
	history, err := releases()
	if err != nil {
		t.Fatal(err)
	}
	if history[0].Version != app.Details.Version {
		t.Errorf("the metainfo's newest release is %s, FyneApp.toml says %s", history[0].Version, app.Details.Version)
	}
	var out bytes.Buffer
	version := cli.Command()
	version.SetArgs([]string{"version"})
	version.SetOut(&out)
	if err := version.Execute(); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "headroom "+app.Details.Version+" ") {
		t.Errorf("the program says %q, FyneApp.toml says %s", out.String(), app.Details.Version)
	}
	if app.Details.ID != appID {
		t.Errorf("FyneApp.toml's ID is %s", app.Details.ID)
	}
	for _, want := range []string{
		"Name=" + app.Details.Name, "Icon=" + appID, "GenericName=" + app.LinuxAndBSD.GenericName, "Comment=" + app.LinuxAndBSD.Comment,
	} {
		if !strings.Contains(string(desktopEntry), want+"\n") {
			t.Errorf("the desktop entry lacks %s", want)
		}
	}
	for _, want := range []string{"<id>" + appID + "</id>", "<summary>" + app.LinuxAndBSD.Comment + "</summary>", appID + ".desktop</launchable>"} {
		if !strings.Contains(string(metainfo), want) {
			t.Errorf("the metainfo lacks %s", want)
		}
	}
}

// A distribution names the folder, and keeps a changelog of its own.
func TestAFolderIsEnough(t *testing.T) {
	t.Chdir(top(t))
	dir := t.TempDir()
	if err := write(options{out: dir}); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("beside share/ it writes %v, %v", names, err)
	}
	history, err := releases()
	if err != nil {
		t.Fatal(err)
	}
	day, err := history[0].day()
	if page := prefix(dir).read(t, "share/man/man1/headroom.1.gz"); err != nil || !strings.Contains(page, day.Format(`"Jan 2006"`)) {
		t.Errorf("the manual page is not of %s, %v:\n%.200s", history[0].Date, err, page)
	}
	if _, err := os.Stat(filepath.Join(dir, "share/doc/headroom/changelog.gz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a changelog without a maintainer: %v", err)
	}
}

func TestTheSameSourcesGiveTheSameBytes(t *testing.T) {
	first, second := contents(t, written(t)), contents(t, writtenTo(t, t.TempDir()))
	if len(first) == 0 || len(first) != len(second) {
		t.Fatalf("%d and %d files", len(first), len(second))
	}
	for name, data := range first {
		if data != second[name] {
			t.Errorf("%s differs", name)
		}
	}
}

func contents(t *testing.T, p prefix) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(string(p)), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(string(p), path))
		all[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
