// Package plain escapes text that comes from outside (names in files and studies, messages of engines). It has one
// function for each place where Spar writes such text: a terminal, Markdown, CSV, a file name and so on.
package plain

import (
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is for one line of a terminal. It writes characters that cannot be printed (escape sequences, ends of lines,
// marks that change the direction of writing) as escapes like \x1b.
func Line(s string) string { return spell(s, "") }

// Text is for several lines of a terminal: like Line, but it keeps ends of lines and tabs.
func Text(s string) string { return spell(s, "\n\t") }

// MostQuoted is the most characters of a file that an error quotes.
const MostQuoted = 200

// Short is for a part of a file in an error. It returns at most MostQuoted characters; a longer text ends in three
// dots.
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

// Brief shortens every quotation of a file in a message, in quotation marks or as one word, as Short does. Call it
// last, directly before the error is shown.
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

// Cell is for a field of CSV. A spreadsheet treats a text that begins with = + - @ or an invisible character as a
// formula; Cell puts an apostrophe before it. It leaves numbers unchanged.
func Cell(s string) string {
	s = Line(s)
	if s == "" || !strings.ContainsRune("=+-@", rune(s[0])) || isNumber(s) {
		return s
	}
	return "'" + s
}

// Tag is for a value in a PGN tag, without its quotation marks.
func Tag(s string) string { return pgn.Replace(Line(s)) }

var pgn = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Markdown is for text in a line of Markdown.
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

// Code is for a line in a Markdown code block, which three backticks would end.
func Code(s string) string { return strings.ReplaceAll(Line(s), "```", "'''") }

// spell replaces unprintable characters, except those to keep, by visible text.
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

// isNumber reports whether a field is a number in this program's format.
func isNumber(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	return len(s)-len(digits) == 1 && digits != "" && strings.Trim(digits, "0123456789.e+-") == "" &&
		digits[0] >= '0' &&
		digits[0] <= '9' &&
		!strings.ContainsAny(strings.ReplaceAll(strings.ReplaceAll(digits, "e+", ""), "e-", ""), "+-")
}

// CSV is a csv.Writer whose fields are Cells.
type CSV struct{ *csv.Writer }

// NewCSV returns a writer of rows.
func NewCSV(w io.Writer) CSV { return CSV{csv.NewWriter(w)} }

// Write writes a row.
func (c CSV) Write(row []string) error {
	cells := make([]string, len(row))
	for i, s := range row {
		cells[i] = Cell(s)
	}
	return c.Writer.Write(cells)
}

// WriteAll writes rows and flushes them.
func (c CSV) WriteAll(rows [][]string) error {
	for _, row := range rows {
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
