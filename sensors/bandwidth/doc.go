// Package bandwidth measures how fast this machine reads its RAM. Nothing runs unless it is asked for.
package bandwidth
