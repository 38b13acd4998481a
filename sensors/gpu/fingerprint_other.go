//go:build !linux

package gpu

import "io/fs"

// fingerprint is not to be had: these systems do not show which drivers they use, so no listing is kept.
func fingerprint(Options, []device) (text string, ok bool) { return "", false }

func ownFile(fs.FileInfo) bool { return false }
