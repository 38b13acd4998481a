//go:build !linux

package gpu

import "errors"

// canHide is false: no card is known to sleep here, and none is hidden.
func canHide() bool { return false }

func hideAndRestart(_, _ []string) error {
	return errors.New("hide sleeping cards: not possible on this system")
}
