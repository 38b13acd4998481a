// Package modelfile reads models: GGUF and safetensors files, Hugging Face config.json, the catalogue that comes with
// Headroom, and what other programs have already put on this machine. It reads headers only, within bounds, and treats
// every file as hostile: no panic, no allocation that the file's own size does not back, one clear error.
package modelfile
