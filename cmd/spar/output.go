package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// output is standard output. It keeps the first write error, so that no command reports success on a full disk. It
// makes escape sequences other than colours visible, because commands also print names and texts from other
// people's files.
type output struct {
	to    io.Writer
	mu    sync.Mutex
	err   error
	half  bool // the last byte was the first of a control character of two bytes
	clean []byte
}

// Write writes p, with control sequences made visible.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	_, err := o.to.Write(o.spell(p))
	if err != nil {
		o.err = fmt.Errorf("writing the output: %w", err)
		return 0, o.err
	}
	return len(p), nil
}

// failed returns the first write error.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// spell returns p. If p has control sequences, it returns a copy in which they are visible.
func (o *output) spell(p []byte) []byte {
	const steers = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"
	second := bytes.IndexByte(p, 0xc2) >= 0
	if !o.half && !second && !bytes.ContainsAny(p, steers) {
		return p
	}
	out := o.clean[:0]
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case o.half && 0x80 <= c && c < 0xa0:
			out = fmt.Appendf(out, "?\\x%02x", c)
		case c == 0x1b && colour(p[i:]) > 0:
			n := colour(p[i:])
			out = append(out, p[i:i+n]...)
			i += n - 1
		case c < 0x20 && c != '\n' && c != '\t' && c != '\r', c == 0x7f:
			out = fmt.Appendf(out, "\\x%02x", c)
		default:
			out = append(out, c)
		}
		o.half = c == 0xc2
	}
	o.clean = out
	return out
}

// colour returns the length of a colour sequence at the start of p; 0 if there is none.
func colour(p []byte) int {
	if len(p) < 3 || p[1] != '[' {
		return 0
	}
	for i := 2; i < min(len(p), 20); i++ {
		switch c := p[i]; {
		case c == 'm':
			return i + 1
		case (c < '0' || c > '9') && c != ';':
			return 0
		}
	}
	return 0
}
