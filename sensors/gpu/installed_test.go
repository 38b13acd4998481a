package gpu

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headroom/sensors/sysfs"
)

// A driver that is not there fails without a word, and leaves a machine without its card.
func TestDriversShowWhatIsWrongWithTheirFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("libhere.so", "")
	var chosen []string
	problems := map[string]string{}
	for _, c := range []struct{ path, problem string }{
		{file("found.json", `{"ICD":{"library_path":"./libhere.so"}}`), ""},
		{file("searched.json", `{"ICD":{"library_path":"libvulkan_new.so"}}`), ""},
		{file("lost.json", `{"ICD":{"library_path":"/nonexistent/libvulkan_new.so"}}`), "its library is not there"},
		{file("text.json", "not JSON"), "it is not JSON that names a library"},
		{filepath.Join(dir, "absent.json"), "VK_DRIVER_FILES names it, but it is not there"},
	} {
		chosen = append(chosen, c.path)
		problems[c.path] = c.problem
	}
	list := driversIn(sysfs.New(dir, nil), []string{"VK_DRIVER_FILES=" + strings.Join(chosen, string(os.PathListSeparator))})
	if len(list) != len(problems) {
		t.Errorf("%d drivers are listed of %d: %+v", len(list), len(problems), list)
	}
	for _, d := range list {
		if want, named := problems[d.File]; !named || d.Problem != want {
			t.Errorf("%s shows %q, not %q", d.File, d.Problem, want)
		}
	}
}
