package files

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Text returns a reader of r's text as UTF-8 with "\n" at the end of each line, whichever program wrote it. It reads
// UTF-8, and UTF-16 in either byte order, with or without a byte order mark. A byte that is not UTF-8 is a character of
// Windows-1252, which extends Latin-1. "\r\n" and "\r" end a line, too. It waits for no more bytes than it needs.
func Text(r io.Reader) io.Reader {
	return transform.NewReader(r, transform.Chain(unicode.BOMOverride(&unmarked{}), &lineEnds{}))
}

// ReadText reads a file of text as Read does, and converts it as Text does.
func ReadText(path string, limit int64) ([]byte, error) {
	data, err := Read(path, limit)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(Text(bytes.NewReader(data)))
}

// unmarked decodes text without a byte order mark.
type unmarked struct {
	transform.NopResetter
	begun bool
	utf16 transform.Transformer // nil for other encodings
}

func (u *unmarked) Transform(dst, src []byte, atEOF bool) (written, read int, err error) {
	if !u.begun && len(src) > 1 {
		for i, order := range []unicode.Endianness{unicode.BigEndian, unicode.LittleEndian} {
			if src[i] == 0 && src[1-i] != 0 {
				u.utf16 = unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder()
			}
		}
	}
	if u.begun = u.begun || len(src) > 1 || len(src) > 0 && src[0] != 0; u.utf16 != nil {
		return u.utf16.Transform(dst, src, atEOF)
	}
	for read < len(src) {
		c, size := utf8.DecodeRune(src[read:])
		if c == utf8.RuneError && size == 1 {
			if !atEOF && !utf8.FullRune(src[read:]) {
				return written, read, transform.ErrShortSrc
			}
			c = charmap.Windows1252.DecodeByte(src[read])
		}
		if written+utf8.RuneLen(c) > len(dst) {
			return written, read, transform.ErrShortDst
		}
		written, read = written+utf8.EncodeRune(dst[written:], c), read+size
	}
	return written, read, nil
}

// lineEnds writes "\n" for "\r\n" and "\r".
type lineEnds struct {
	transform.NopResetter
	cr bool // the last character was "\r"
}

func (l *lineEnds) Transform(dst, src []byte, _ bool) (written, read int, err error) {
	for _, c := range src {
		if c != '\n' || !l.cr {
			if written == len(dst) {
				return written, read, transform.ErrShortDst
			}
			if dst[written] = c; c == '\r' {
				dst[written] = '\n'
			}
			written++
		}
		l.cr = c == '\r'
		read++
	}
	return written, read, nil
}
