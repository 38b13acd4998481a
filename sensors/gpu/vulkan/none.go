//go:build !(cgo && (linux || windows))

package vulkan

import "errors"

// Loader is not available in this build.
type Loader struct{}

// Open fails: this build or system has no Vulkan loader to ask.
func Open() (*Loader, error) { return nil, errors.New("open Vulkan: not read on this system") }

// Cards lists nothing.
func (*Loader) Cards() ([]Card, error) { return nil, nil }

// Close does nothing.
func (*Loader) Close() {}
