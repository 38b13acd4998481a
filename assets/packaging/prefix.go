package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
)

// prefix is a folder laid out like /usr.
type prefix string

// write writes a file, and the folders on its way; names are relative to the prefix.
func (p prefix) write(name string, data []byte) error {
	path := filepath.Join(string(p), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// writeGzip writes name.gz, without a time in its header, so that the same data give the same bytes.
func (p prefix) writeGzip(name string, data []byte) error {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return p.write(name+".gz", packed.Bytes())
}
