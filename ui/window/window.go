//go:build cgo && !nogui

package window

import "context"

// Run opens the window and returns when it is closed, when ctx ends or on SIGINT. It must be called from the main
// goroutine. Without a display it returns ErrNoDisplay at once.
func Run(ctx context.Context, o Options) error {
	return HasDisplay()
}
