package table

import (
	"slices"
	"strings"

	"spar/ratings"
)

// Field declares one column of a table whose rows are values of type R. Text, CSV, JSON, Markdown, HTML and the
// page "spar help json" are all generated from this declaration.
type Field[R any] struct {
	Column
	Of func(R) Cell
}

// Declare makes a Field from a column and the function that makes its cell.
func Declare[R any](c Column, of func(R) Cell) Field[R] { return Field[R]{c, of} }

// WordField declares a column of words.
func WordField[R any](name string, of func(R) string) Field[R] {
	return Declare(Column{Name: name, Text: true}, func(r R) Cell { return Words(of(r)) })
}

// CountField declares a column of integers.
func CountField[R any](name string, of func(R) int64) Field[R] {
	return Declare(Column{Name: name}, func(r R) Cell { return Count(int(of(r))) })
}

// EstimateField declares a column of estimates in their own text form.
func EstimateField[R any](name, help string, of func(R) ratings.Estimate) Field[R] {
	return Declare(Column{Name: name, Help: help}, func(r R) Cell { return Of(of(r)) })
}

// CellField declares a column of numbers, which people see if a row has a value.
func CellField[R any](name, help string, of func(R) Cell) Field[R] {
	return Declare(Column{Name: name, Help: help, Optional: true}, of)
}

// Build makes the table of rows. Output for people omits an optional column without values.
func Build[R any](fields []Field[R], rows []R) Table {
	var t Table
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	for _, r := range rows {
		cells := make([]Cell, len(fields))
		for i, f := range fields {
			cells[i] = f.Of(r)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// Heading returns the column's heading for people.
func (c Column) Heading() string {
	if c.Title != "" || c.Bare {
		return c.Title
	}
	return strings.ReplaceAll(c.Name, "_", " ")
}

// Titled returns the table with a caption.
func (t Table) Titled(caption string) Table {
	t.Caption = caption
	return t
}

// Noted returns the table with a text below it.
func (t Table) Noted(note string) Table {
	t.Note = note
	return t
}

// Only returns the table with only the columns that are named.
func (t Table) Only(names ...string) Table {
	return t.keep(func(j int) bool { return slices.Contains(names, t.Columns[j].Name) })
}

// keep returns the table with the columns for which keep returns true.
func (t Table) keep(keep func(j int) bool) Table {
	out := t
	out.Columns, out.Rows = nil, make([][]Cell, len(t.Rows))
	for j, c := range t.Columns {
		if keep(j) {
			out.Columns = append(out.Columns, c)
			for i := range t.Rows {
				out.Rows[i] = append(out.Rows[i], t.Rows[i][j])
			}
		}
	}
	return out
}

// ForPrograms returns the table without the columns that are for people only.
func (t Table) ForPrograms() Table { return t.keep(func(j int) bool { return !t.Columns[j].People }) }

// ForPeople returns the table without the columns that are for programs only and without optional columns that are
// empty.
func (t Table) ForPeople() Table {
	return t.keep(func(j int) bool { return !t.Columns[j].Data && !(t.Columns[j].Optional && t.empty(j)) })
}

// empty reports whether no row has a value in a column.
func (t Table) empty(j int) bool {
	for _, r := range t.Rows {
		if r[j].kind != cellNone && r[j].Value() != "" {
			return false
		}
	}
	return true
}
