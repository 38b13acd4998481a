// Package gguf reads the header of a GGUF file: its keys and its tensors' shapes, never their data. It is written against
// the format's description (ggml-org/ggml, docs/gguf.md) for versions 1 to 3 in either byte order, and for hostile files: it
// reads through a window of fixed size, skips what it does not need, and allocates nothing on the word of a number that
// the file's own size does not back.
package gguf
