package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"unicode/utf8"
)

// carver reads rows directly from the pages of a study's file, without the pages of the index tree, which may be
// destroyed (format: sqlite.org/fileformat2.html). It ignores the write-ahead log next to the file.
type carver struct {
	f     io.ReaderAt
	size  int64 // size of a page in bytes
	pages int64
	free  map[int64]bool // pages that SQLite has freed; their content is outdated
	// limit of pages to read for overflowing rows, so that a manipulated file cannot cause an endless search
	left  int64
	Close func() error
}

// ownPage is the page size of the files that Open creates.
const ownPage = 4096

// Types of pages that hold rows.
const (
	tableLeaf     = 0x0d
	indexLeaf     = 0x0a // a table WITHOUT ROWID is stored in the form of an index
	indexInterior = 0x02
)

func openCarver(path string) (*carver, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	c := newCarver(f, info.Size())
	c.Close = f.Close
	return c, nil
}

func newCarver(f io.ReaderAt, total int64) *carver {
	c := &carver{f: f, size: ownPage, free: map[int64]bool{}}
	head := make([]byte, 100)
	_, err := f.ReadAt(head, 0)
	sound := err == nil && bytes.HasPrefix(head, []byte("SQLite format 3\x00"))
	if size := int64(binary.BigEndian.Uint16(head[16:])); sound && size >= 512 && size&(size-1) == 0 {
		c.size = size
	}
	c.pages = total / c.size
	if sound {
		c.readFree(int64(binary.BigEndian.Uint32(head[32:])))
	}
	return c
}

// readFree follows the list of free pages until it is invalid or ends.
func (c *carver) readFree(trunk int64) {
	for !c.free[trunk] {
		page := c.page(trunk) // none is the last one's next
		if page == nil {
			return
		}
		c.free[trunk] = true
		for at, n := 8, binary.BigEndian.Uint32(page[4:]); n > 0 && at+4 <= len(page); at, n = at+4, n-1 {
			c.free[int64(binary.BigEndian.Uint32(page[at:]))] = true
		}
		trunk = int64(binary.BigEndian.Uint32(page))
	}
}

// page returns a page by its number, from 1; nil if there is none.
func (c *carver) page(n int64) []byte {
	if n < 1 || n > c.pages {
		return nil
	}
	b := make([]byte, c.size)
	if _, err := c.f.ReadAt(b, (n-1)*c.size); err != nil && err != io.EOF {
		return nil
	}
	return b
}

// row is the content of a cell. A field is nil, int64, float64 or string. Key is the row ID if the table has one.
type row struct {
	key    int64
	fields []any
}

// rows yields the readable rows from all pages of a type.
func (c *carver) rows(ctx context.Context, withoutKey bool) iter.Seq[row] {
	return func(yield func(row) bool) {
		c.left = 64 * c.pages
		for n := int64(1); n <= c.pages && ctx.Err() == nil; n++ {
			page := c.page(n)
			if page == nil || c.free[n] {
				continue
			}
			head := page
			if n == 1 {
				head = page[100:]
			}
			kind, at := head[0], 8
			switch {
			case kind == tableLeaf && !withoutKey, kind == indexLeaf && withoutKey:
			case kind == indexInterior && withoutKey:
				at = 12
			default:
				continue
			}
			for cells := int(binary.BigEndian.Uint16(head[3:])); cells > 0 && at+2 <= len(head); cells, at = cells-1, at+2 {
				if r, ok := c.cell(page, int(binary.BigEndian.Uint16(head[at:])), kind); ok && !yield(r) {
					return
				}
			}
		}
	}
}

// cell reads a cell of a page, including its overflow pages.
func (c *carver) cell(page []byte, at int, kind byte) (r row, ok bool) {
	if kind == indexInterior {
		at += 4 // the page below
	}
	if at >= len(page) {
		return r, false
	}
	b := page[at:]
	length, n := varint(b)
	b = b[n:]
	if kind == tableLeaf {
		r.key, n = varint(b)
		b = b[n:]
	}
	usable := c.size // the files that Open makes reserve nothing
	most, least := usable-35, (usable-12)*32/255-23
	if kind != tableLeaf {
		most = (usable-12)*64/255 - 23
	}
	if length <= 0 || length > c.pages*c.size {
		return r, false
	}
	here := length
	if length > most {
		if here = least + (length-least)%(usable-4); here > most {
			here = least
		}
	}
	if here > int64(len(b)) {
		return r, false
	}
	payload := slices.Clone(b[:here])
	if b = b[here:]; int64(len(payload)) < length && len(b) < 4 {
		return r, false
	}
	for next := b; int64(len(payload)) < length; c.left-- {
		if c.left <= 0 {
			return r, false
		}
		if next = c.page(int64(binary.BigEndian.Uint32(next))); next == nil {
			return r, false
		}
		payload = append(payload, next[4:4+min(usable-4, length-int64(len(payload)))]...)
	}
	r.fields, ok = record(payload)
	return r, ok
}

// record splits a row into its fields.
func record(b []byte) (fields []any, ok bool) {
	size, n := varint(b)
	if size < int64(n) || size > int64(len(b)) {
		return nil, false
	}
	types, body := b[n:size], b[size:]
	for len(types) > 0 {
		kind, n := varint(types)
		if n == 0 || kind < 0 {
			return nil, false
		}
		types = types[n:]
		var width int64
		switch {
		case kind <= 4:
			width = kind
		case kind == 5:
			width = 6
		case kind <= 7:
			width = 8
		case kind >= 12:
			width = (kind - 12) / 2
		}
		if width > int64(len(body)) {
			return nil, false
		}
		value := body[:width]
		body = body[width:]
		switch {
		case kind == 0:
			fields = append(fields, nil)
		case kind <= 6:
			x := int64(int8(value[0]))
			for _, digit := range value[1:] {
				x = x<<8 | int64(digit)
			}
			fields = append(fields, x)
		case kind == 7:
			fields = append(fields, math.Float64frombits(binary.BigEndian.Uint64(value)))
		case kind <= 9:
			fields = append(fields, kind-8)
		case kind%2 == 1 && kind >= 13 && utf8.Valid(value) && bytes.IndexByte(value, 0) < 0:
			fields = append(fields, string(value))
		default: // no table has other bytes
			return nil, false
		}
	}
	return fields, len(body) == 0
}

// varint parses SQLite's integer of one to nine bytes. It returns 0 bytes if the input ends too early.
func varint(b []byte) (x int64, n int) {
	for n < len(b) {
		if n == 8 {
			return x<<8 | int64(b[n]), 9
		}
		x = x<<7 | int64(b[n]&0x7f)
		n++
		if b[n-1] < 0x80 {
			return x, n
		}
	}
	return 0, 0
}
