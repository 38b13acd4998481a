// Package assets holds what is built into the binary: the icon, fonts, the catalogue of models and the scenarios.
package assets
