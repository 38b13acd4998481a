// Package wholefile reads small files within bounds, and writes files at once or not at all: who reads one sees the former
// file or the new one.
package wholefile
