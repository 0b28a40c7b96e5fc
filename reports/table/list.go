package table

import (
	"fmt"
	"io"
)

// List is a table for a terminal that is filled row by row.
type List struct {
	Table
	w io.Writer
}

// To returns an empty list. The columns whose numbers, from 1, stand in right are written from the right, as numbers are.
func To(w io.Writer, heads []string, right ...int) *List {
	l := &List{w: w}
	taken := map[string]bool{}
	for i, head := range heads {
		name := head
		for taken[name] {
			name += "'"
		}
		taken[name] = true
		l.Columns = append(l.Columns, Column{Name: name, Title: head, Bare: head == "", Text: true})
		for _, n := range right {
			if n == i+1 {
				l.Columns[i].Text = false
			}
		}
	}
	return l
}

// Add adds a row: cells, or values that are written as they are. What is missing at the end is empty.
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

// Write writes the list. An error of the writer is ignored, as by whoever prints the lines around it.
func (l *List) Write() { _ = l.Text(l.w, 0) }
