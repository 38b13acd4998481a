//go:build cgo || !darwin

package cli

import (
	"context"

	"headroom/sensors/heat"
	"headroom/ui/window"
)

// startLoad loads this machine from a child process, by the sensors of the tree that stands for it.
func startLoad(sysroot string) window.StartLoad {
	return func(ctx context.Context, o heat.Options) (window.Load, error) {
		o.Sysroot = sysroot
		r, err := heat.Start(ctx, o)
		if err != nil {
			return nil, err
		}
		return r, nil
	}
}
