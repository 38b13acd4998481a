//go:build !cgo || nogui

package cli

import (
	"context"
	"fmt"
	"io"
)

const hasWindow = false

var errNotBuilt = fmt.Errorf("%w: this build has none", errNoWindow)

func openWindow(context.Context, windowOptions) error { return errNotBuilt }

func playInWindow(context.Context, playing, io.Writer) error { return errNotBuilt }
