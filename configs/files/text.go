package files

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a reader of r's text as UTF-8 with "\n" at the end of each line, whichever program wrote it. It reads
// UTF-8, and UTF-16 in either byte order, with or without a byte order mark. A byte that is not UTF-8 is a character of
// Windows-1252, which extends Latin-1. "\r\n" and "\r" end a line, too. It waits for no more bytes than it needs.
func Text(r io.Reader) io.Reader { return &text{in: r} }

// ReadText reads a file of text as Read does, and converts it as Text does.
func ReadText(path string, limit int64) ([]byte, error) {
	data, err := Read(path, limit)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(Text(bytes.NewReader(data)))
}

// text is the reader of Text.
type text struct {
	in    io.Reader
	raw   []byte           // bytes of in that are not decoded yet
	ready []byte           // decoded bytes that nobody has read yet
	order binary.ByteOrder // of UTF-16; nil for other encodings
	begun bool             // the encoding is known
	cr    bool             // the last character was "\r"
	err   error
}

func (t *text) Read(p []byte) (int, error) {
	for len(t.ready) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		chunk := make([]byte, max(len(p), 64))
		n, err := t.in.Read(chunk)
		t.raw, t.err = append(t.raw, chunk[:n]...), err
		t.decode()
	}
	n := copy(p, t.ready)
	t.ready = t.ready[n:]
	return n, nil
}

// begin finds the encoding by the first bytes and skips a byte order mark. It returns false if it needs more of them.
func (t *text) begin() bool {
	const mark = "\xef\xbb\xbf"
	switch b := t.raw; {
	case len(b) < len(mark) && t.err == nil && len(b) > 0 && (b[0] == 0 || b[0] >= 0xef):
		return false
	case bytes.HasPrefix(b, []byte(mark)):
		t.raw = b[3:]
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		t.raw, t.order = b[2:], binary.LittleEndian
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		t.raw, t.order = b[2:], binary.BigEndian
	case len(b) > 1 && b[0] != 0 && b[1] == 0:
		t.order = binary.LittleEndian
	case len(b) > 1 && b[0] == 0 && b[1] != 0:
		t.order = binary.BigEndian
	}
	return true
}

// decode decodes the bytes in raw; it leaves those of a character whose end is missing.
func (t *text) decode() {
	if !t.begun {
		if t.begun = t.begin(); !t.begun {
			return
		}
	}
	if t.order == nil && !t.cr && bytes.IndexByte(t.raw, '\r') < 0 && utf8.Valid(t.raw) {
		t.ready, t.raw = t.raw, nil
		return
	}
	out := make([]byte, 0, len(t.raw)+utf8.UTFMax)
	for len(t.raw) > 0 {
		c, size := t.next()
		if size == 0 {
			break
		}
		t.raw = t.raw[size:]
		switch {
		case c == '\r':
			out = append(out, '\n')
		case c != '\n' || !t.cr:
			out = utf8.AppendRune(out, c)
		}
		t.cr = c == '\r'
	}
	t.ready = out
}

// next returns the first character of raw and its length in bytes; 0 if its end is missing.
func (t *text) next() (rune, int) {
	b := t.raw
	if t.order == nil {
		c, size := utf8.DecodeRune(b)
		switch {
		case c != utf8.RuneError || size != 1:
			return c, size
		case t.err == nil && !utf8.FullRune(b):
			return 0, 0
		case b[0] >= 0x80 && b[0] < 0xa0:
			return windows[b[0]-0x80], 1
		}
		return rune(b[0]), 1
	}
	unit := func(at int) rune { return rune(t.order.Uint16(b[at:])) }
	switch {
	case len(b) < 2 && t.err == nil, len(b) < 4 && t.err == nil && utf16.IsSurrogate(unit(0)):
		return 0, 0
	case len(b) < 2:
		return utf8.RuneError, 1
	case len(b) >= 4 && utf16.IsSurrogate(unit(0)):
		if c := utf16.DecodeRune(unit(0), unit(2)); c != utf8.RuneError {
			return c, 4
		}
	}
	return unit(0), 2 // AppendRune writes half of a pair as U+FFFD
}

// windows has the characters of the bytes 80 to 9F in Windows-1252; the rest of it is Latin-1.
var windows = [...]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}
