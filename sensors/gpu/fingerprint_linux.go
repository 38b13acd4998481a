package gpu

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"headroom/sensors/sysfs"
)

// fingerprint is a digest of all that a listing of the adapters depends on: this program, the boot, who runs it, the cards,
// the kernel's drivers, Vulkan's loader, drivers, layers and settings, and the environment. Nothing of it asks a card. ok is
// false where the kernel does not name its boot.
func fingerprint(o Options, devs []device) (text string, ok bool) {
	root, environ := sysfs.New(o.Sysroot, nil), o.environment()
	p := digest{sha256.New()}
	boot, err := root.Attr("proc/sys/kernel/random/boot_id").Text()
	if err != nil {
		return "", false
	}
	p.say(keptSchema, boot)
	p.file("/proc/self/exe")
	groups, _ := os.Getgroups()
	p.say("user", os.Geteuid(), os.Getegid(), groups)
	for _, d := range devs {
		p.card(root, d)
	}
	for _, n := range append(nvidiaNodes(root), root.Path("dev/dxg"), root.Path("dev/kfd")) {
		p.access(n)
	}
	env := slices.DeleteFunc(childEnv(environ), func(kv string) bool { return !decidesListing(kv) })
	slices.Sort(env)
	p.say("environment", env)
	p.vulkan(root, environ)
	return hex.EncodeToString(p.Sum(nil)), true
}

// digest takes in what is found.
type digest struct{ hash.Hash }

func (p digest) say(what ...any) { fmt.Fprintf(p, "%#v\n", what) }

// file says which version of a file is there.
func (p digest) file(path string) {
	info, err := os.Stat(path)
	if err != nil {
		p.say(path, "none")
		return
	}
	s := statOf(info)
	p.say(path, info.Size(), info.ModTime().UnixNano(), s.Ctim.Nano(), s.Dev, s.Ino)
}

func statOf(info fs.FileInfo) syscall.Stat_t {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return *s
	}
	return syscall.Stat_t{}
}

// access says whether this user may open a device file.
func (p digest) access(path string) { p.say(path, unix.Access(path, unix.R_OK|unix.W_OK)) }

func (p digest) card(root sysfs.Root, d device) {
	p.say("card", d.id, d.pci, d.driver)
	for _, name := range []string{"vendor", "device", "subsystem_vendor", "subsystem_device", "revision"} {
		text, _ := root.Attr(pciDevices, d.pci, name).Text()
		p.say(name, text)
	}
	module := "sys/module/" + strings.ReplaceAll(d.driver, "-", "_")
	for _, name := range []string{"version", "srcversion"} {
		text, _ := root.Attr(module, name).Text()
		p.say(name, text)
	}
	// A module that is loaded again, perhaps with other parameters, gets another folder; its times say nothing.
	if info, err := os.Stat(root.Path(module)); err == nil {
		p.say("module", statOf(info).Ino)
	}
	for _, f := range d.files {
		p.access(f)
	}
}

// decidesListing reports whether a variable that a child keeps may change what it lists. Some of a desktop's are another for
// each start of a program.
func decidesListing(kv string) bool {
	name, _, _ := strings.Cut(kv, "=")
	switch {
	case strings.HasPrefix(name, "XDG_"):
		return strings.HasPrefix(name, "XDG_CONFIG_") || strings.HasPrefix(name, "XDG_DATA_")
	case strings.HasPrefix(name, "GO"):
		return false
	}
	return !slices.Contains([]string{"PATH", "USER", "LOGNAME", "TMPDIR"}, name)
}

// vulkan says which loader, drivers, layers and settings there are, and which versions of their files.
func (p digest) vulkan(root sysfs.Root, environ []string) {
	p.file(root.Path("etc/ld.so.cache"))
	libraries := []string{"libvulkan.so.1"}
	for _, f := range driverFiles(root, environ) {
		p.file(f.file)
		p.say(f.library)
		if strings.Contains(f.library, "/") {
			if !filepath.IsAbs(f.library) {
				f.library = filepath.Join(filepath.Dir(f.file), f.library)
			}
			p.file(f.library)
		} else {
			libraries = append(libraries, f.library)
		}
	}
	for _, dir := range libraryFolders(root, environ) {
		for _, l := range libraries {
			if path := filepath.Join(dir, l); exists(path) {
				p.file(path)
			}
		}
	}
	folders := []string{root.Path("etc/drirc"), root.Path("usr/share/drirc.d"), filepath.Join(variable(environ, "HOME"), ".drirc")}
	for _, place := range vulkanPlaces(root, environ) {
		for _, kind := range []string{"implicit_layer.d", "explicit_layer.d", "loader_settings.d"} {
			folders = append(folders, filepath.Join(place, "vulkan", kind))
		}
	}
	for _, name := range []string{"VK_LAYER_PATH", "VK_ADD_LAYER_PATH", "VK_IMPLICIT_LAYER_PATH", "VK_ADD_IMPLICIT_LAYER_PATH"} {
		folders = append(folders, filepath.SplitList(variable(environ, name))...)
	}
	for _, f := range folders {
		p.folder(f)
	}
}

// folder says what lies in a folder, or which file is in its place.
func (p digest) folder(path string) {
	p.file(path)
	entries, _ := os.ReadDir(path)
	for _, e := range entries[:min(len(entries), 256)] {
		p.file(filepath.Join(path, e.Name()))
	}
}

// libraryFolders are those in which the dynamic loader looks for a name without a folder.
func libraryFolders(root sysfs.Root, environ []string) []string {
	folders := filepath.SplitList(variable(environ, "LD_LIBRARY_PATH"))
	for _, dir := range []string{"usr/local/lib", "lib64", "usr/lib64", "lib", "usr/lib"} {
		folders = append(folders, root.Path(dir))
	}
	many, _ := filepath.Glob(filepath.Join(escapeGlob(root.Path("usr/lib")), "*-linux-*"))
	return append(folders, many...)
}

// ownFile reports whether only this user may have written a file.
func ownFile(info fs.FileInfo) bool {
	return info.Mode().IsRegular() && info.Mode().Perm()&0o022 == 0 && int(statOf(info).Uid) == os.Geteuid()
}
