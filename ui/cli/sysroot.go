package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"headroom/sensors/hostfile"
)

// addSysroot defines --sysroot: a folder, or a recorded host, which is laid out in a folder of its own until the program ends.
func addSysroot(cmd *cobra.Command, to *string, help string) {
	cmd.Flags().Var(&parsed{kind: "DIR|FILE", read: func(s string) error {
		if *to = s; s == "" {
			return errors.New("it is empty")
		}
		if info, err := os.Stat(s); err != nil || !info.Mode().IsRegular() {
			return nil // a folder, or nothing, which is told where it is used
		}
		dir, err := layOut(cmd, s)
		*to = dir
		return err
	}}, "sysroot", help)
}

// sysrootName is what --sysroot was given, in short; empty where it was not.
func sysrootName(cmd *cobra.Command) string {
	if f := cmd.Flags().Lookup("sysroot"); f != nil && f.Changed {
		return filepath.Base(f.Value.String())
	}
	return ""
}

// layOut lays a recorded host out in a folder that only this user can read.
func layOut(cmd *cobra.Command, file string) (dir string, err error) {
	host, err := hostfile.Open(file)
	if err != nil {
		return "", err
	}
	in, err := newScratch()
	if err != nil {
		return "", fmt.Errorf("lay out the recorded host: %w", err)
	}
	removeAtEnd(cmd.Context(), in)
	if err := host.WriteTree(in.dir); err != nil {
		return "", err
	}
	if len(host.Args) > 0 {
		complain(cmd.ErrOrStderr(), filepath.Base(file)+" was recorded with "+strings.Join(host.Args, " ")+"; the same answer needs that too")
	}
	return in.dir, nil
}

// scrap are the folders that go when the program ends.
type scrap struct {
	mu   sync.Mutex
	dirs []scratch
}

type scrapKey struct{}

// withScrap lets removeAtEnd work below the context, until clear removes what it was told of.
func withScrap(ctx context.Context) (_ context.Context, clear func()) {
	s := &scrap{}
	return context.WithValue(ctx, scrapKey{}, s), func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, dir := range s.dirs {
			dir.remove()
		}
		s.dirs = nil
	}
}

func removeAtEnd(ctx context.Context, dir scratch) {
	s := ctx.Value(scrapKey{}).(*scrap)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dirs = append(s.dirs, dir)
}
