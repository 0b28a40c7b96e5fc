package table

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mitchellh/go-wordwrap"

	"spar/configs/plain"
	"spar/reports/screen"
)

// fewest is the minimum number of columns that are shown even if the screen is too narrow, and narrowest the least
// width to which a column of words is wrapped. Words of up to longWord characters are not broken.
const (
	fewest    = 3
	narrowest = 12
	longWord  = 24
)

// Text writes the table for a terminal under its caption, with aligned columns. It skips a table that has a caption and
// no rows. An estimate takes two columns, one for the value and one for the interval. If the table does not fit into
// width characters (0 = the writer's width), Text wraps columns of words. If that is not enough, it omits the last
// columns, and writes long words of the last column below their row.
func (t Table) Text(w io.Writer, width int) error {
	if err := t.Check(); err != nil {
		return err
	}
	if len(t.Rows) == 0 && (t.Caption != "" || len(t.Columns) == 0) {
		return nil
	}
	if t.Caption != "" {
		fmt.Fprintf(w, "\n%s:\n", plain.Line(t.Caption)) // the table reports the error
	}
	t = t.ForPeople()
	width = cmp.Or(width, screen.Fit(w))
	out, hidden := t.Footnotes().render(width), []string(nil)
	for width > 0 && len(t.Columns) > fewest && longest(out) > width {
		last := len(t.Columns) - 1
		if t.Columns[last].Kept {
			last--
		}
		name := t.Columns[last].Heading()
		hidden = append([]string{name}, hidden...)
		about := regexp.MustCompile(` ?` + regexp.QuoteMeta(plain.Capital(name)) + `: .*?\.( |$)`)
		t.Note = strings.TrimSpace(about.ReplaceAllString(t.Note, " ")) // the sentence about the column goes with it
		t = t.keep(func(j int) bool { return j != last })
		out = t.Footnotes().render(width)
	}
	if n := len(hidden); n > 0 {
		out += wordwrap.WrapString(fmt.Sprintf("%s hidden: %s (a wider terminal shows them)", screen.Plural(n, "column"),
			plain.Line(strings.Join(hidden, "; "))), uint(width)) + "\n"
	}
	if t = t.Footnotes(); t.Note != "" {
		out += wordwrap.WrapString(plain.Line(t.Note), uint(cmp.Or(width, screen.Width))) + "\n"
	}
	_, err := io.WriteString(w, out)
	return err
}

func longest(s string) (n int) {
	for line := range strings.Lines(s) {
		n = max(n, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
	}
	return n
}

// render returns the table as text, wrapped to a width as far as its columns of words allow; 0 = not wrapped.
func (t Table) render(width int) string {
	out := table.NewWriter()
	out.SetStyle(table.StyleLight)
	s := out.Style()
	s.Options = table.OptionsNoBordersAndSeparators
	s.Format.Header = text.FormatDefault
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	var header table.Row
	var config []table.ColumnConfig
	add := func(title string, c table.ColumnConfig) {
		header = append(header, title)
		c.Number = len(header)
		config = append(config, c)
	}
	right := table.ColumnConfig{Align: text.AlignRight, AlignHeader: text.AlignRight}
	var words []int        // columns of words, by their index in config
	least := map[int]int{} // the width that each of them needs
	intervals := make([]bool, len(t.Columns))
	for j, c := range t.Columns {
		for _, r := range t.Rows {
			intervals[j] = intervals[j] || r[j].Interval() != ""
		}
		title := plain.Line(screen.Cell(c.Heading()))
		if c.Text {
			words = append(words, len(config))
			add(title, table.ColumnConfig{WidthMaxEnforcer: text.WrapSoft})
		} else {
			add(title, right)
		}
		if intervals[j] {
			add("95 %", right)
		}
	}
	out.AppendHeader(header)
	for _, r := range t.Rows {
		var row table.Row
		for j, c := range r {
			value := plain.Line(screen.Cell(c.Value()))
			if c.mark != "" {
				value += " [" + c.mark + "]"
			}
			if c, k := t.Columns[j], len(row); c.Text {
				config[k].WidthMax = max(config[k].WidthMax, utf8.RuneCountInString(value), utf8.RuneCountInString(c.Heading()))
				for word := range strings.FieldsSeq(value) {
					least[k] = max(least[k], narrowest, min(utf8.RuneCountInString(word), longWord))
				}
			}
			if row = append(row, value); intervals[j] {
				row = append(row, c.Interval())
			}
		}
		out.AppendRow(row)
	}
	out.SuppressTrailingSpaces()
	out.SetColumnConfigs(config)
	whole := out.Render()
	drawn := whole
	for rest := 0; width > 0 && longest(drawn) > width && rest == 0; {
		rest = narrow(config, words, least, longest(drawn)-width)
		out.SetColumnConfigs(config)
		drawn = out.Render()
	}
	return t.below(whole, drawn, width)
}

// narrow takes characters from the widest columns of words, one by one. It returns how many it could not take.
func narrow(config []table.ColumnConfig, words []int, least map[int]int, by int) int {
	for ; by > 0; by-- {
		widest := -1
		for _, j := range words {
			if n := config[j].WidthMax; n > least[j] && (widest < 0 || n > config[widest].WidthMax) {
				widest = j
			}
		}
		if widest < 0 {
			break
		}
		config[widest].WidthMax--
	}
	return by
}

// below returns the table with the words of the last column below their rows, if that takes fewer lines than the table
// drawn to a width.
func (t Table) below(whole, drawn string, width int) string {
	last := len(t.Columns) - 1
	kept := t.Columns[last].Kept && longest(whole) > width
	if width == 0 || last == 0 || !t.Columns[last].Text || !kept && strings.Count(drawn, "\n") == len(t.Rows) {
		return drawn + "\n"
	}
	lines := strings.SplitAfter(t.keep(func(j int) bool { return j < last }).render(0), "\n")
	for i, r := range t.Rows {
		if words := plain.Line(screen.Cell(r[last].Value())); words != "" {
			lines[i+1] += "  " + strings.NewReplacer(" \n", "\n  ", "\n", "\n  ").Replace(text.WrapSoft(words, width-2)) + "\n"
		}
	}
	out := strings.Join(lines, "")
	if !kept && (longest(out) > width || strings.Count(out, "\n") > strings.Count(drawn, "\n")) {
		return drawn + "\n"
	}
	return out
}
