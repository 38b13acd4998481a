//go:build cgo || !darwin

// Package window is Headroom's window: the frames shown live with Fyne. It reads no sensor and decides nothing; every
// number comes from a frame.Frame, every figure from ui/draw.
package window
