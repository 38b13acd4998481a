package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// windowSize is how much of the file is held at once. Tokenizer arrays are walked through it, so that a header of any
// length costs this much memory.
const windowSize = 256 << 10

// cursor reads a file forward through a window of fixed size, and skips without reading.
type cursor struct {
	r     io.ReaderAt
	size  uint64
	order binary.ByteOrder
	// buf holds the file's bytes from base on; off is the position within it.
	buf  []byte
	base uint64
	off  int
	room []byte
}

var errShort = errors.New("the file ends inside its header")

func newCursor(r io.ReaderAt, size int64) *cursor {
	return &cursor{r: r, size: uint64(size), order: binary.LittleEndian, room: make([]byte, min(windowSize, max(size, 1)))}
}

// pos is the position in the file.
func (c *cursor) pos() uint64 { return c.base + uint64(c.off) }

// left is the bytes between the position and the end of the file.
func (c *cursor) left() uint64 { return c.size - c.pos() }

// skip moves the position forward.
func (c *cursor) skip(n uint64) error {
	if n > c.left() {
		return errShort
	}
	if n <= uint64(len(c.buf)-c.off) {
		c.off += int(n)
		return nil
	}
	c.base, c.off, c.buf = c.pos()+n, 0, nil
	return nil
}

// next returns the next n bytes and moves past them; they are valid until the next call. n is at most windowSize.
func (c *cursor) next(n int) ([]byte, error) {
	if len(c.buf)-c.off < n {
		if uint64(n) > c.left() {
			return nil, errShort
		}
		if err := c.fill(); err != nil {
			return nil, err
		}
		if len(c.buf) < n {
			return nil, errShort
		}
	}
	b := c.buf[c.off : c.off+n]
	c.off += n
	return b, nil
}

// fill moves the window to the position.
func (c *cursor) fill() error {
	c.base, c.off = c.pos(), 0
	want := c.room[:min(uint64(len(c.room)), c.size-c.base)]
	n, err := c.r.ReadAt(want, int64(c.base))
	c.buf = want[:n]
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read at byte %d: %w", c.base, err)
	}
	return nil
}

func (c *cursor) u32() (uint32, error) {
	b, err := c.next(4)
	if err != nil {
		return 0, err
	}
	return c.order.Uint32(b), nil
}

func (c *cursor) u64() (uint64, error) {
	b, err := c.next(8)
	if err != nil {
		return 0, err
	}
	return c.order.Uint64(b), nil
}

// skipStrings moves past count strings, each a length of lenSize (4 or 8) bytes and that many bytes of text. It reads the
// lengths from the window directly: vocabularies hold hundreds of thousands.
func (c *cursor) skipStrings(count uint64, lenSize int) error {
	// Each string takes its length at least.
	if count > c.left()/uint64(lenSize) {
		return errShort
	}
	big := c.order == binary.ByteOrder(binary.BigEndian)
	for ; count > 0; count-- {
		if len(c.buf)-c.off < lenSize {
			if err := c.fill(); err != nil {
				return err
			}
			if len(c.buf) < lenSize {
				return errShort
			}
		}
		var n uint64
		b := c.buf[c.off:]
		switch {
		case lenSize == 8 && !big:
			n = binary.LittleEndian.Uint64(b)
		case lenSize == 8:
			n = binary.BigEndian.Uint64(b)
		default:
			n = uint64(c.order.Uint32(b))
		}
		c.off += lenSize
		if n <= uint64(len(c.buf)-c.off) {
			c.off += int(n)
		} else if err := c.skip(n); err != nil {
			return err
		}
	}
	return nil
}
