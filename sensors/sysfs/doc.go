// Package sysfs reads the small text attributes of /sys and /proc, bounded in size and never blocking on what is not a
// regular file. Every path is relative to a Root, so that a recorded tree reads like a live machine.
package sysfs
