//go:build unix

package cli

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWriteFileReplacesFilesOnly(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string) error {
		return writeFile(in(name), func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err })
	}
	for _, err := range []error{
		syscall.Mkfifo(in("pipe"), 0o600), os.Mkdir(in("folder"), 0o700), os.WriteFile(in("file"), []byte("old"), 0o600),
		os.Symlink("pipe", in("link to a pipe")), os.Symlink("file", in("link")), os.Symlink("gone", in("broken link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, kind := range map[string]fs.FileMode{
		"pipe": fs.ModeNamedPipe, "folder": fs.ModeDir, "link to a pipe": fs.ModeSymlink, "broken link": fs.ModeSymlink,
	} {
		if err := write(name); err == nil {
			t.Errorf("%s was written to", name)
		}
		if info, err := os.Lstat(in(name)); err != nil || info.Mode().Type() != kind {
			t.Errorf("%s became %v (%v)", name, info.Mode(), err)
		}
	}
	for _, name := range []string{"link", "file", "fresh"} {
		if err := write(name); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(in(name)); err != nil || string(text) != "new" {
			t.Errorf("%s holds %q (%v)", name, text, err)
		}
	}
	if info, err := os.Lstat(in("link")); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link became %v (%v)", info.Mode(), err)
	}
	if left, _ := filepath.Glob(in(".headroom-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
