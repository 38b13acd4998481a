// Package frame holds Frame and History: all that any face shows. Both are pure.
package frame
