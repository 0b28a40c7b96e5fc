package table

import (
	"fmt"
	"io"
	"strings"

	"spar/configs/plain"
)

// Markdown writes the table as Markdown, followed by an empty line.
func (t Table) Markdown(w io.Writer) error {
	t = t.ForPeople()
	var b strings.Builder
	row := func(n int, text func(int) string) {
		for j := range n {
			fmt.Fprintf(&b, "| %s ", text(j))
		}
		b.WriteString("|\n")
	}
	row(len(t.Columns), func(j int) string { return plain.Markdown(t.Columns[j].Heading()) })
	row(len(t.Columns), func(j int) string {
		if t.Columns[j].Text {
			return "---"
		}
		return "---:"
	})
	for _, r := range t.Rows {
		row(len(r), func(j int) string {
			s := plain.Markdown(r[j].String())
			if r[j].Status() != Plain {
				s += " (" + r[j].Status().String() + ")"
			}
			return s
		})
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}
