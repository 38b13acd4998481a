//go:build !linux && !darwin

package sensors

import "errors"

// errNoData is how a Linux driver says that it has no value at the moment; no other system uses it.
var errNoData = errors.New("no data available")
