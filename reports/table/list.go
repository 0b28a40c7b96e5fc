package table

import (
	"fmt"
	"io"
	"slices"
)

// List is a table for a terminal, filled row by row.
type List struct {
	Table
	w io.Writer
}

// To returns an empty list. Right has the numbers, from 1, of the right-aligned columns.
func To(w io.Writer, heads []string, right ...int) *List {
	l := &List{w: w}
	taken := map[string]bool{}
	for i, head := range heads {
		name := head
		for taken[name] {
			name += "'"
		}
		taken[name] = true
		l.Columns = append(l.Columns, Column{
			Name:  name,
			Title: head,
			Bare:  head == "",
			Text:  !slices.Contains(right, i+1),
		})
	}
	return l
}

// Add adds a row of cells or other values. Missing cells at the end are empty.
func (l *List) Add(values ...any) {
	row := make([]Cell, len(l.Columns))
	for i := range row {
		row[i] = Words("")
		if i >= len(values) {
			continue
		}
		if c, ok := values[i].(Cell); ok {
			row[i] = c
		} else {
			row[i] = Words(fmt.Sprint(values[i]))
		}
	}
	l.Rows = append(l.Rows, row)
}

// Write writes the list. It ignores errors of the writer.
func (l *List) Write() { _ = l.Text(l.w, 0) }
