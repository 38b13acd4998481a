// Package safetensors reads the header of a safetensors file: names, types and shapes, never data. It is written against
// the format's description (huggingface/safetensors, README) and for hostile files: the header is decoded as a stream,
// within the bounds that the format sets.
package safetensors
