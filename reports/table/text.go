package table

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"spar/configs/plain"
	"spar/reports/screen"
)

// fewest is the minimum number of columns that are shown even if the screen is too narrow.
const fewest = 3

// Text writes the table for a terminal, with aligned columns; An estimate has two columns, for value and interval.
// If width is positive, it omits the last columns that do not fit into width characters.
func (t Table) Text(w io.Writer, width int) error {
	if err := t.Check(); err != nil {
		return err
	}
	t = t.ForPeople().Footnotes()
	out := t.render()
	for width > 0 && len(t.Columns) > fewest && longest(out) > width {
		last := len(t.Columns) - 1
		t.Columns = t.Columns[:last]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:last]
		}
		out = t.render()
	}
	if t.Note != "" {
		out += plain.Line(t.Note) + "\n"
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

func (t Table) render() string {
	out := table.NewWriter()
	out.SetStyle(table.StyleLight)
	s := out.Style()
	s.Options = table.OptionsNoBordersAndSeparators
	s.Format.Header = text.FormatDefault
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	var header table.Row
	var config []table.ColumnConfig
	intervals := make([]bool, len(t.Columns))
	for j, c := range t.Columns {
		for _, r := range t.Rows {
			intervals[j] = intervals[j] || r[j].Interval() != ""
		}
		header = append(header, plain.Line(screen.Cell(c.Heading())))
		if !c.Text {
			config = append(config, table.ColumnConfig{
				Number: len(header), Align: text.AlignRight, AlignHeader: text.AlignRight,
			})
		}
		if intervals[j] {
			header = append(header, "95 %")
			config = append(config, table.ColumnConfig{
				Number: len(header), Align: text.AlignRight, AlignHeader: text.AlignRight,
			})
		}
	}
	out.SetColumnConfigs(config)
	out.AppendHeader(header)
	for _, r := range t.Rows {
		var row table.Row
		for j, c := range r {
			value := plain.Line(screen.Cell(c.Value()))
			if c.mark != "" {
				value += " [" + c.mark + "]"
			}
			if row = append(row, value); intervals[j] {
				row = append(row, c.Interval())
			}
		}
		out.AppendRow(row)
	}
	out.SuppressTrailingSpaces()
	return out.Render() + "\n"
}
