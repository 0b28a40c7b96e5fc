package table

import (
	"fmt"
	"slices"
	"strings"

	"spar/ratings"
)

// As is a value in Rows that also sets properties of its column.
type As struct {
	Column
	Cell
}

// Help returns a value in Rows that explains its column with a phrase.
func Help(text string, value any) As {
	a := as(value)
	a.Help = text
	return a
}

// Data returns a value in Rows that only CSV and JSON contain.
func Data(value any) As {
	a := as(value)
	a.Data = true
	return a
}

// Seen returns a value in Rows that CSV and JSON omit. Title is the heading of its column, which is hidden if all its
// values are empty.
func Seen(title string, value any) As {
	a := as(value)
	a.Title, a.People, a.Optional = title, true, true
	return a
}

// Link returns a value in Rows that links to an address.
func Link(text, address string) As {
	return As{Column{Text: true}, Words(text).Link(address)}
}

// as makes the cell of a value: integers, estimates, cells, and everything else as words. A column of cells is optional.
func as(value any) As {
	switch v := value.(type) {
	case As:
		return v
	case Cell:
		return As{Column{Optional: true}, v}
	case ratings.Estimate:
		return As{Cell: Of(v).Doubting(v.Note)}
	case int:
		return As{Cell: Count(v)}
	case int64:
		return As{Cell: Count(int(v))}
	}
	return As{Column{Text: true}, Words(fmt.Sprint(value))}
}

// Rows makes a table. For each row, the function "of" returns the names and values of the columns in turn; all rows
// must have the same names. Text, CSV, JSON, Markdown and HTML are generated from the table. Output for people omits
// an optional column without values. Without rows there are no columns.
func Rows[R any](rows []R, of func(R) []any) (t Table) {
	for i, r := range rows {
		var cells []Cell
		for pair := range slices.Chunk(of(r), 2) {
			a := as(pair[1])
			if a.Name = fmt.Sprint(pair[0]); i == 0 {
				t.Columns = append(t.Columns, a.Column)
			}
			cells = append(cells, a.Cell)
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

// Reword changes the headings and the words in the cells.
func (t *Table) Reword(by func(string) string) {
	for i, c := range t.Columns {
		t.Columns[i].Title = by(c.Heading())
	}
	for _, row := range t.Rows {
		for i := range row {
			row[i].text = by(row[i].text)
		}
	}
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

// Only returns the table with the named columns only.
func (t Table) Only(names ...string) Table {
	return t.keep(func(j int) bool { return slices.Contains(names, t.Columns[j].Name) })
}

// keep returns the table with the columns for which keep returns true.
func (t Table) keep(keep func(j int) bool) Table {
	out := t
	out.Columns = nil
	out.Rows = make([][]Cell, len(t.Rows))
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

// Optional returns a value in Rows whose column people see only if some row has a value.
func Optional(text string) As {
	return As{Column: Column{Text: true, Optional: true}, Cell: Words(text)}
}
