//go:build !cgo && darwin

package cli

import (
	"github.com/spf13/cobra"

	"headroom/ui/draw"
)

// window refuses: on macOS the window's toolkit needs cgo, also for its pictures.
func (s *shot) window(*cobra.Command, scene, draw.Theme) (draw.Scene, error) {
	return draw.Scene{}, badUsage("--view %s needs a build with cgo on macOS: this one has none", s.view)
}
