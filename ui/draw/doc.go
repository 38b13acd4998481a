// Package draw turns a Frame and its History into vector pictures. A figure is a pure function to a Scene; a Scene is
// painted onto pixels, written as SVG, or asked what lies under the pointer. No figure is drawn twice by two codes.
package draw
