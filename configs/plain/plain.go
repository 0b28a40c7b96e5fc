// Package plain escapes text that comes from outside (names in files and studies, messages of engines). It has one
// function for each place where Spar writes such text: a terminal, Markdown, CSV, a file name and so on. If chooses a
// word inside a sentence.
package plain

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// If returns yes if the condition holds, and no otherwise. Both are evaluated.
func If[T any](condition bool, yes, no T) T {
	if condition {
		return yes
	}
	return no
}

// Hash returns the SHA-256 of data in hexadecimal.
func Hash[T string | []byte](data T) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(data))) }

// Capital returns a text with a capital first letter.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Line escapes text for one line on a terminal. It writes unprintable characters (escape sequences, line breaks,
// bidirectional controls) as escapes like \x1b.
func Line(s string) string { return spell(s, "") }

// Text escapes text for several lines on a terminal. It is like Line, except that it keeps line breaks and tabs.
func Text(s string) string { return spell(s, "\n\t") }

// MostQuoted is the maximum number of characters of a file that an error quotes.
const MostQuoted = 200

// Short shortens a part of a file for an error. It returns at most MostQuoted characters; a longer text ends in
// three dots.
func Short(s string) string {
	at, n := 0, 0
	for i := range s {
		if n == MostQuoted-3 {
			at = i
		}
		if n++; n > MostQuoted {
			return s[:at] + "..."
		}
	}
	return s
}

// Quote returns Short in quotation marks, with characters that cannot be printed as escapes.
func Quote(s string) string { return strconv.Quote(Short(s)) }

// Brief shortens every quotation in a message (a text in quotation marks, or one long word) as Short does. Call it
// last, just before the error is shown.
func Brief(message string) string {
	if len(message) <= MostQuoted {
		return message
	}
	quoted := regexp.MustCompile(`"(?:\\.|[^"\\\n])*"|[^\s"]+`)
	return quoted.ReplaceAllStringFunc(message, func(q string) string {
		if q[0] == '"' && len(q) > 1 {
			return `"` + Short(q[1:len(q)-1]) + `"`
		}
		return Short(q)
	})
}

// Formula returns the reason to refuse a name that a spreadsheet would evaluate as a formula when it opens a CSV
// table, and an empty text for other names.
func Formula(name string) string {
	if name == "" || !strings.Contains("=+-@", name[:1]) {
		return ""
	}
	return fmt.Sprintf("name %q: a spreadsheet would take this for a formula, since it begins with %c; begin it with another character",
		name, name[0])
}

// Page makes control characters in a finished HTML page visible. HTML does not allow them, but html/template does not
// escape them.
func Page(html []byte) []byte {
	return bytes.Map(func(r rune) rune {
		switch {
		case r < ' ' && r != '\n' && r != '\t' && r != '\r':
			return '\u2400' + r // its picture in Unicode
		case 0x7f <= r && r < 0xa0:
			return utf8.RuneError
		}
		return r
	}, html)
}

// XML escapes text for SVG, which does not allow control characters.
func XML(s string) string { return html.EscapeString(Text(s)) }

// Markdown escapes text for a line of Markdown.
func Markdown(s string) string { return markdown.Replace(Line(strings.ReplaceAll(s, "\n", " "))) }

var markdown = strings.NewReplacer(
	"\\",
	"\\\\",
	"*",
	"\\*",
	"_",
	"\\_",
	"<",
	"&lt;",
	"|",
	"\\|",
	"`",
	"\\`",
	"[",
	"\\[",
)

// Code escapes text for a line in a Markdown code block, which three backticks would end.
func Code(s string) string { return strings.ReplaceAll(Line(s), "```", "'''") }

// spell replaces unprintable characters by visible text, except those to keep.
func spell(s, kept string) string {
	if clean(s, kept) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsPrint(r) || strings.ContainsRune(kept, r):
			b.WriteRune(r)
		case unicode.Is(unicode.Zs, r): // spaces of other widths
			b.WriteByte(' ')
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func clean(s, kept string) bool {
	for _, r := range s {
		if r != utf8.RuneError && !unicode.IsPrint(r) && !strings.ContainsRune(kept, r) {
			return false
		}
	}
	return utf8.ValidString(s)
}

// CSV is a csv.Writer that escapes fields with Line and changes nothing else.
type CSV struct{ *csv.Writer }

// NewCSV returns a writer of rows.
func NewCSV(w io.Writer) CSV { return CSV{csv.NewWriter(w)} }

// Write writes a row.
func (c CSV) Write(row []string) error {
	cells := make([]string, len(row))
	for i, s := range row {
		cells[i] = Line(s)
	}
	return c.Writer.Write(cells)
}
