//go:build cgo || !darwin

package window

import (
	"fmt"

	"fyne.io/fyne/v2"
)

// later runs f on Fyne's goroutine. Fyne panics when it is asked to after its loop has ended, which no other goroutine can
// know in time; nobody is there then to see what f would do.
func later(f func()) {
	defer func() {
		if fault := recover(); fault != nil && fmt.Sprint(fault) != "send on closed channel" {
			panic(fault)
		}
	}()
	fyne.Do(f)
}
