package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The window's size, which is the display's.
const width, height = 1280, 800

// display is an X server of our own that keeps its picture in a file.
type display struct {
	server  *exec.Cmd
	picture *os.File
	name    string
	dir     string
	pixels  int64 // where the picture begins in the file
}

// openDisplay starts Xvfb on a free number.
func openDisplay() (*display, error) {
	d := &display{}
	var err error
	if d.dir, err = os.MkdirTemp("", "headroom-display"); err != nil {
		return nil, err
	}
	number, told, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer number.Close()
	d.server = exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-fbdir", d.dir, "-nolisten", "tcp")
	d.server.ExtraFiles = []*os.File{told}
	if err := d.server.Start(); err != nil {
		told.Close()
		return nil, fmt.Errorf("start a display: %w; .ci/setup installs it", err)
	}
	told.Close()
	text, err := io.ReadAll(io.LimitReader(number, 8))
	if err != nil || len(text) == 0 {
		return nil, errors.Join(errors.New("the display does not tell its number"), err, d.close())
	}
	d.name = ":" + strings.TrimSpace(string(text))
	if d.picture, err = os.Open(filepath.Join(d.dir, "Xvfb_screen0")); err != nil {
		return nil, errors.Join(err, d.close())
	}
	// The file is a window dump: big-endian numbers, first the header's length and, as the 20th, how many colours of
	// twelve bytes follow it.
	var head [25]uint32
	if err := binary.Read(d.picture, binary.BigEndian, &head); err != nil {
		return nil, errors.Join(err, d.close())
	}
	d.pixels = int64(head[0]) + 12*int64(head[19])
	return d, nil
}

func (d *display) close() error {
	if d.picture != nil {
		d.picture.Close()
	}
	d.server.Process.Kill()
	d.server.Wait() //nolint:errcheck // it was killed
	return os.RemoveAll(d.dir)
}

// painted reports whether anything but black is on the display, looking at every tenth row.
func (d *display) painted() (bool, error) {
	row := make([]byte, 4*width)
	for y := int64(5); y < height; y += 10 {
		if _, err := d.picture.ReadAt(row, d.pixels+y*4*width); err != nil {
			return false, err
		}
		for i := 0; i < len(row); i += 4 {
			if row[i]|row[i+1]|row[i+2] != 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// firstPaint is the time from the start of a program until the display shows something of it.
func (d *display) firstPaint(p *process) (time.Duration, error) {
	for time.Since(p.began) < 30*time.Second {
		if yes, err := d.painted(); err != nil || yes {
			return time.Since(p.began), err
		}
		time.Sleep(time.Millisecond)
	}
	return 0, fmt.Errorf("%s shows nothing in 30 s: %s", p.cmd.Path, p.err.Bytes())
}

// cleared waits until a window that was closed is gone from the display.
func (d *display) cleared() error {
	for range 1000 {
		if yes, err := d.painted(); err != nil || !yes {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return errors.New("the display keeps showing a window that was closed")
}
