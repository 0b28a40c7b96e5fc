// Package screen has helpers for text output in a terminal: counts with their nouns, shortened names, notes and
// wrapped paragraphs. Package table writes the tables.
package screen

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mitchellh/go-wordwrap"
)

// Plural writes a number with its noun: "1 game", "2 games".
func Plural[N ~int | ~int64 | ~uint64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem) // a ply, two plies
	}
	if strings.HasSuffix(thing, "ch") {
		return fmt.Sprintf("%d %ses", n, thing) // a search, two searches
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Cell returns a name on one line; a name that would break a table is quoted.
func Cell(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsPrint(r)
	}) || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// Width is the maximum length of a line of text in characters, unless the terminal is narrower.
const Width = 100

// Fit returns the line width of a writer in characters, if the writer has a method Width; otherwise 0, for no limit.
func Fit(w io.Writer) int {
	if t, ok := w.(interface{ Width() int }); ok {
		return t.Width()
	}
	return 0
}

// Wrap breaks a text into lines of at most Width characters that fit the writer and leave room for an indent.
func Wrap(w io.Writer, text string, indent int) string {
	width := Width
	if fit := Fit(w); fit > 0 {
		width = min(width, fit)
	}
	return Lines(text, width-indent)
}

// Lines breaks a text into lines of at most so many characters.
func Lines(text string, width int) string {
	const joined = "\u00a0%" // no line ends between a number and its %
	wrapped := wordwrap.WrapString(strings.ReplaceAll(text, " %", joined), uint(max(width, 20)))
	return strings.ReplaceAll(wrapped, joined, " %")
}

// Entry writes an entry of a list whose names are width characters wide. Its text is wrapped on a terminal only.
func Entry(w io.Writer, width int, name, text string) error {
	indent := max(width, utf8.RuneCountInString(name)) + 4
	if Fit(w) > 0 {
		text = strings.ReplaceAll(Wrap(w, text, indent), "\n", "\n"+strings.Repeat(" ", indent))
	}
	_, err := fmt.Fprintf(w, "  %-*s  %s\n", width, name, text)
	return err
}

// Paragraph writes a text, wrapped. All lines except the first are indented. It does not break a word that is
// longer than a line.
func Paragraph(w io.Writer, words string) error {
	indent := "     "
	words = strings.ReplaceAll(words, "\x1b", `\x1b`) // a name from elsewhere
	if words = strings.Join(strings.Fields(words), " "); words == "" {
		return nil
	}
	if strings.HasPrefix(words, "- ") {
		indent = "  "
	}
	wrapped := Wrap(w, words, len(indent))
	_, err := fmt.Fprintln(w, strings.ReplaceAll(wrapped, "\n", "\n"+indent))
	return err
}

// Signed writes a number with its sign and one decimal. Zero is +0, never -0.
func Signed(x float64) string {
	s := fmt.Sprintf("%+.1f", x)
	if strings.Trim(s, "-0.") == "" {
		return "+" + s[1:]
	}
	return s
}
