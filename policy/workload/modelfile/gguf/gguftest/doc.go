// Package gguftest writes GGUF files for tests: any header, right or wrong, with data that takes no room on disk.
package gguftest
