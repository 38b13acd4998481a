// Headroom shows live what this machine can run, and why.
package main
