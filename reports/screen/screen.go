// Package screen holds what the forms of reports for a terminal share: tables, counts, names and notes.
package screen

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mitchellh/go-wordwrap"

	"spar/configs/plain"
	"spar/ratings"
)

// Row is a row of a table.
type Row = table.Row

// NewTable returns an empty table in the one style of the program. Columns from the second on that hold numbers are named in
// right, from 1.
func NewTable(w io.Writer, header Row, right ...int) table.Writer {
	t := plainTable{table.NewWriter()}
	t.SetOutputMirror(w)
	t.SetStyle(table.StyleLight)
	s := t.Style()
	s.Options = table.OptionsNoBordersAndSeparators
	s.Format.Header = text.FormatDefault
	s.Format.Footer = text.FormatDefault
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	t.AppendHeader(header)
	var cfg []table.ColumnConfig
	for _, n := range right {
		cfg = append(cfg, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(cfg)
	return t
}

// plainTable is a table whose texts are plain: names come from files of others.
type plainTable struct{ table.Writer }

func (t plainTable) AppendHeader(row Row, o ...table.RowConfig) {
	t.Writer.AppendHeader(plainRow(row), o...)
}

func (t plainTable) AppendRow(row Row, o ...table.RowConfig) {
	t.Writer.AppendRow(plainRow(row), o...)
}

func plainRow(row Row) Row {
	out := slices.Clone(row)
	for i, cell := range out {
		if text, ok := cell.(string); ok {
			out[i] = plain.Line(text)
		}
	}
	return out
}

// Render prints a table without what the last column is padded with.
func Render(t table.Writer) {
	t.SuppressTrailingSpaces()
	t.Render()
}

// Plural writes a number of things.
func Plural(n int64, thing string) string {
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

// Cell writes a name on one line: what would break a table is quoted.
func Cell(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// Width is how many characters a line of text for people has at most, names and tables apart.
const Width = 100

// Notes writes each note once, wrapped, and an empty line.
func Notes(out io.Writer, notes []string) error {
	for _, n := range notes {
		if err := Paragraph(out, "note: "+n); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

// Paragraph writes a text, wrapped, its lines but the first indented. A word that is longer than a line stays whole.
func Paragraph(w io.Writer, words string) error {
	const indent = "     "
	if words = strings.Join(strings.Fields(words), " "); words == "" {
		return nil
	}
	wrapped := wordwrap.WrapString(words, uint(Width-len(indent)))
	_, err := fmt.Fprintln(w, strings.ReplaceAll(wrapped, "\n", "\n"+indent))
	return err
}

// Signed writes a number with its sign and so many decimals. What rounds to nothing is +0, never -0.
func Signed(x float64, decimals int) string {
	s := fmt.Sprintf("%+.*f", decimals, x)
	if strings.Trim(s, "-0.") == "" {
		return "+" + s[1:]
	}
	return s
}

// Between writes an interval of Elo with both of its ends.
func Between(v ratings.Interval) string {
	side := func(x float64, open bool) string {
		if open {
			return "no bound"
		}
		return Signed(x, 0)
	}
	if v.LoOpen && v.HiOpen {
		return "no bounds"
	}
	return side(v.Lo, v.LoOpen) + " to " + side(v.Hi, v.HiOpen)
}
