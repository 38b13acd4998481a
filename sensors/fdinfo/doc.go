// Package fdinfo reads what the kernel tells of a process's use of graphics cards: the drm-* lines of /proc/PID/fdinfo
// (Documentation/gpu/drm-usage-stats.rst).
package fdinfo
