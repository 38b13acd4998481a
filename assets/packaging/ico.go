package main

import (
	"bytes"
	"encoding/binary"
	"os"
)

// windowsSizes are in pixels a side; the format ends at 256.
var windowsSizes = []int{16, 24, 32, 48, 64, 128, 256}

// writeWindowsIcon writes an .ico file, where one is asked for.
func writeWindowsIcon(path string) error {
	if path == "" {
		return nil
	}
	data, err := windowsIcon()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// windowsIcon is an .ico file: a directory of the sizes, then a PNG of each.
func windowsIcon() ([]byte, error) {
	const headSize, entrySize = 6, 16
	head := []uint16{0, 1, uint16(len(windowsSizes))} // reserved, an icon, how many
	var directory, pictures bytes.Buffer
	if err := binary.Write(&directory, binary.LittleEndian, head); err != nil {
		return nil, err
	}
	first := headSize + entrySize*len(windowsSizes)
	for _, size := range windowsSizes {
		data, err := icon(size)
		if err != nil {
			return nil, err
		}
		entry := struct {
			Width, Height, Colours, Reserved uint8 // 256 is written as 0
			Planes, Bits                     uint16
			Size, Offset                     uint32
		}{uint8(size), uint8(size), 0, 0, 1, 32, uint32(len(data)), uint32(first + pictures.Len())}
		if err := binary.Write(&directory, binary.LittleEndian, entry); err != nil {
			return nil, err
		}
		pictures.Write(data)
	}
	return append(directory.Bytes(), pictures.Bytes()...), nil
}
