package trace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// announcedFor is how long an announcement holds. A running recording is announced by a small file in the user's cache
// folder that holds its path; each flush touches it, so one that is older is left from a killed program.
const announcedFor = 10 * time.Second

// maxAnnouncement bounds what is read of an announcement: a path.
const maxAnnouncement = 8 << 10

// announcement is a running recording's file; its zero value announces nothing.
type announcement struct{ file string }

func announcements() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "headroom", "recordings"), nil
}

// announce says that path is being recorded. Where that cannot be written, the recording goes on and cannot be found.
func announce(path string) announcement {
	dir, err := announcements()
	if err != nil || os.MkdirAll(dir, 0o700) != nil {
		return announcement{}
	}
	f, err := os.CreateTemp(dir, "*.path")
	if err != nil {
		return announcement{}
	}
	_, err = f.WriteString(path)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return announcement{}
	}
	return announcement{file: f.Name()}
}

func (a announcement) touch() {
	if a.file != "" {
		now := time.Now()
		os.Chtimes(a.file, now, now)
	}
}

func (a announcement) withdraw() {
	if a.file != "" {
		os.Remove(a.file)
	}
}

// Running are the paths of the recordings that this user's programs are writing now.
func Running() ([]string, error) {
	dir, err := announcements()
	if err != nil {
		return nil, fmt.Errorf("look for running recordings: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for running recordings: %w", err)
	}
	var paths []string
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), ".path") {
			continue
		}
		if time.Since(info.ModTime()) > announcedFor {
			os.Remove(file)
			continue
		}
		if path, err := readAnnouncement(file); err == nil {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

func readAnnouncement(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxAnnouncement))
	if path := string(b); err == nil && (!filepath.IsAbs(path) || strings.ContainsRune(path, 0)) {
		err = fmt.Errorf("%s holds no path", file)
	}
	return string(b), err
}

// MarkFile appends an event to a recording that another process may be writing.
func MarkFile(path string, at time.Time, text string) error {
	line, err := appendObject(nil, markLine{Text: clip(text), At: at})
	if err != nil {
		return fmt.Errorf("mark %s: %w", path, err)
	}
	if err := isRecording(path); err != nil {
		return fmt.Errorf("mark %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("mark %s: %w", path, err)
	}
	defer f.Close()
	end, err := endOfCutOff(f)
	if err == nil {
		// One write at the end of the file: the system keeps it apart from the recorder's own lines.
		_, err = f.Write(append(end, line...))
	}
	if err != nil {
		return fmt.Errorf("mark %s: %w", path, err)
	}
	return nil
}
