package screen

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mitchellh/go-wordwrap"
	"golang.org/x/term"
)

// Output is standard output. It keeps the first write error, so that no command reports success on a full disk. It
// makes escape sequences other than colours visible, because commands also print names and texts from other
// people's files.
type Output struct {
	to    io.Writer
	mu    sync.Mutex
	err   error
	shown []interface{ Clear() } // progress on the same terminal
	half  bool                   // the last byte was the first of a control character of two bytes
	clean []byte
}

// NewOutput returns an output that writes to w.
func NewOutput(w io.Writer) *Output { return &Output{to: w} }

// Terminal reports whether w is a terminal on which lines can be rewritten.
func Terminal(w io.Writer) bool {
	if o, ok := w.(*Output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// Coloured reports whether output to w may be coloured.
func Coloured(w io.Writer) bool { return Terminal(w) && os.Getenv("NO_COLOR") == "" }

// narrow is the width of a terminal that does not tell its own.
const narrow = 80

// Write writes p, with control sequences made visible.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	o.ClearProgress()
	_, err := o.to.Write(Break(o.spell(p), Columns(o.to)))
	if err != nil {
		o.err = fmt.Errorf("writing the output: %w", err)
		return 0, o.err
	}
	return len(p), nil
}

// Follow clears a progress display before each write, so that results never share a line with progress.
func (o *Output) Follow(d interface{ Clear() }) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shown = append(o.shown, d)
}

// ClearProgress clears the progress displays.
func (o *Output) ClearProgress() {
	for _, d := range o.shown {
		d.Clear()
	}
}

// Break breaks the lines of prose that are wider than a terminal of the given width, and indents what follows a break.
// JSON, YAML with comments, rows and headings of Markdown, commands, and tables, whose columns are apart by two spaces
// or more, stay as they are.
func Break(p []byte, width int) []byte {
	if width == 0 || len(p) <= width {
		return p
	}
	var out []byte
	for line := range bytes.Lines(p) {
		text := bytes.TrimLeft(line, " ")
		indent := len(line) - len(text)
		if utf8.RuneCount(bytes.TrimRight(line, "\n")) <= width || bytes.IndexAny(text[:min(1, len(text))], "{|#") == 0 ||
			bytes.HasPrefix(text, []byte("spar ")) || bytes.Contains(text, []byte(" #")) ||
			bytes.Contains(bytes.TrimLeft(text, "-* "), []byte("  ")) || bytes.IndexByte(text, 0x1b) >= 0 {
			out = append(out, line...)
			continue
		}
		if key, _, ok := bytes.Cut(text, []byte(": ")); bytes.HasPrefix(text, []byte("- ")) ||
			ok && !bytes.ContainsRune(key, ' ') {
			indent += 2 // also what follows a key of YAML
		}
		wrapped := wordwrap.WrapString(string(text), uint(max(width-indent, 20)))
		out = append(append(out, line[:len(line)-len(text)]...),
			strings.ReplaceAll(strings.TrimSuffix(wrapped, "\n"), "\n", "\n"+strings.Repeat(" ", indent))...)
		if bytes.HasSuffix(line, []byte("\n")) {
			out = append(out, '\n')
		}
	}
	return out
}

// Fit and package reference find the method Width through an interface.
var _ interface{ Width() int } = (*Output)(nil)

// Width returns the width of the output's terminal in characters, or 0 for a file or a pipe.
func (o *Output) Width() int { return Columns(o.to) }

// Columns returns the width of a terminal in characters, or 0 for a file or a pipe.
func Columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return narrow
	}
	return width
}

// Failed returns the first write error.
func (o *Output) Failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// spell returns p. If p has control sequences, it returns a copy in which they are visible.
func (o *Output) spell(p []byte) []byte {
	const steers = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f" +
		"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"
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
