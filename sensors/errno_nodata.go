//go:build linux || darwin

package sensors

import "syscall"

// errNoData is how a driver says that it has no value at the moment.
var errNoData error = syscall.ENODATA
