//go:build !cgo || nogui

package cli

import (
	"context"
	"fmt"
	"io"
)

func playInWindow(context.Context, playing, io.Writer) error {
	return fmt.Errorf("%w: this build has none", errNoWindow)
}
