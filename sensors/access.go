package sensors

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"syscall"
	"time"

	"headroom/sensors/sysfs"
)

// stateOf says what an error of a read means for the value: absent, forbidden, or failed.
func stateOf(err error) State {
	switch {
	case err == nil:
		return StateOK
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENODEV),
		errors.Is(err, syscall.ENXIO), errors.Is(err, errNoData), errors.Is(err, syscall.EINVAL),
		errors.Is(err, syscall.EOPNOTSUPP), errors.Is(err, syscall.EAGAIN):
		return StateNotOffered
	case errors.Is(err, fs.ErrPermission):
		return StateNeedsPermission
	default:
		return StateError
	}
}

// plainly puts an error of a read into words a user can act on.
func plainly(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "the system shows no such file"
	case errors.Is(err, fs.ErrPermission):
		return "this user may not read it"
	case errors.Is(err, syscall.EISDIR):
		return "a folder where a file is expected"
	case errors.Is(err, syscall.EINVAL):
		return "the driver refuses to give it now (disabled)"
	case errors.Is(err, errNoData), errors.Is(err, syscall.EAGAIN):
		return "the device has no value now"
	case errors.Is(err, syscall.ENODEV), errors.Is(err, syscall.ENXIO):
		return "the device does not have it"
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// failed is the reading of an attribute that gave an error.
func failed(id, kind string, unit Unit, source string, at time.Time, err error) Reading {
	return Reading{ID: id, Kind: kind, Unit: unit, State: stateOf(err), Source: source, Detail: plainly(err), At: at}
}

// got is the reading of a value read now.
func got(id, kind string, unit Unit, source string, at time.Time, v float64) Reading {
	return Reading{ID: id, Kind: kind, Value: Num(v), Unit: unit, State: StateOK, Source: source, At: at}
}

// implausible is the reading of a value that cannot be true; the detail keeps it.
func implausible(id, kind string, unit Unit, source string, at time.Time, v float64, why string) Reading {
	return Reading{
		ID: id, Kind: kind, Unit: unit, State: StateImplausible, Source: source, At: at,
		Detail: fmt.Sprintf("reads %g %s: %s", v, unit, why),
	}
}

// bounds is the range outside which a value cannot be true.
type bounds struct {
	low, high float64
	why       string
}

// readScaled reads a whole number and scales it; outside b it is implausible. A bad value is read a second time, as some
// firmware answers nonsense once.
func readScaled(a sysfs.Attr, id, kind string, unit Unit, scale float64, b bounds, at time.Time) Reading {
	n, err := a.Int()
	if err == nil && !b.holds(scaled(float64(n), scale)) || errors.Is(err, sysfs.ErrNotNumber) {
		n, err = a.Int()
	}
	if err != nil {
		return failed(id, kind, unit, a.Name(), at, err)
	}
	v := scaled(float64(n), scale)
	if !b.holds(v) {
		return implausible(id, kind, unit, a.Name(), at, v, b.why)
	}
	return got(id, kind, unit, a.Name(), at, v)
}

// scaled is v in another unit. A smaller one is divided by, so that 58599 m°C is 58.599 °C and not a hair more.
func scaled(v, scale float64) float64 {
	if scale < 1 {
		return v / math.Round(1/scale)
	}
	return v * scale
}

func (b bounds) holds(v float64) bool { return v >= b.low && v <= b.high }

// errAbsent is a file that the folder does not list.
var errAbsent = fmt.Errorf("no such attribute: %w", fs.ErrNotExist)
