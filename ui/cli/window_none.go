//go:build !cgo || nogui

package cli

import (
	"context"
	"fmt"
)

const hasWindow = false

func openWindow(context.Context, windowOptions) error {
	return fmt.Errorf("%w: this build has none", errNoWindow)
}
