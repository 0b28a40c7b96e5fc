// Package table declares and writes all tables. A column is declared once, with name, heading, unit and help; rows
// hold typed cells. Text, CSV, JSON and Markdown write a table, and package page shows it in HTML.
//
// To make one, declare the columns as Fields of the type of a row, and call Build.
package table

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"spar/ratings"
	"spar/reports/chart"
)

// Table is a table with a caption. A page offers it for download as CSV and JSON.
type Table struct {
	ID      string // file name without extension; empty means: derived from section and caption
	Caption string
	Columns []Column
	Rows    [][]Cell // rows with one cell for each column
	Note    string   // text below the table
	Fold    bool     // the page shows the table folded, for tables of raw numbers
}

// Column is a column of a table.
type Column struct {
	Name     string // key in CSV and JSON, unique in the table
	Title    string // heading for people; empty = the name, with spaces for underscores
	Help     string // meaning, in a phrase; may be empty
	Text     bool   // the column has words, which are left-aligned; numbers are right-aligned
	Optional bool   // omit the column from output for people if no row has a value
	Data     bool   // only in CSV and JSON
	People   bool   // only in output for people
	Bare     bool   // the column has no heading
	Kept     bool   // a narrow screen does not leave the column out; as the last one, it then stands below its row
	Axis     *Axis  // HTML has a figure of each estimate after the column; nil = none
}

// Cell is a value with a type. Words, Num, Count, Estimate, Of, None and Link make cells.
type Cell struct {
	kind     cellKind
	text     string
	e        ratings.Estimate // a number is one without an interval
	own      bool             // written as the estimate writes itself, not in a unit
	unit     chart.Unit
	decimals int
	status   Status
	target   string // address of the link; empty if the cell is none
	shade    string
	more     []Cell
	doubt    string // reason why the value is less reliable; may be empty
	mark     string // letter of the footnote with that reason
}

type cellKind int

const (
	cellWords cellKind = iota
	cellNumber
	cellEstimate
	cellNone
)

// Words returns a cell with text.
func Words(s string) Cell { return Cell{kind: cellWords, text: s} }

// Num returns a cell with a number that has no error, like a setting. Decimals are counted in the percentage if
// the unit is chart.Percent. A value that is not finite becomes None.
func Num(v float64, unit chart.Unit, decimals int) Cell {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return None("not a number")
	}
	return Cell{kind: cellNumber, e: chart.Bare(v), unit: unit, decimals: decimals}
}

// Count returns a cell with an integer.
func Count(n int) Cell { return Num(float64(n), chart.Integer, 0) }

// Estimate returns a cell with an estimate in a unit and the given number of decimals.
func Estimate(e ratings.Estimate, unit chart.Unit, decimals int) Cell {
	c := Num(e.Value, unit, decimals)
	if c.kind == cellNone {
		return c
	}
	c.kind, c.e = cellEstimate, e
	return c
}

// Of returns a cell with an estimate, in the estimate's own text form.
func Of(e ratings.Estimate) Cell {
	if !e.Known() {
		return None("not measured")
	}
	return Cell{kind: cellEstimate, e: e, own: true}
}

// None returns a cell without a value, with the reason.
func None(why string) Cell { return Cell{kind: cellNone, text: why} }

// With returns the cell with a status, which is shown as a word, a shape and a colour.
func (c Cell) With(s Status) Cell {
	c.status = s
	return c
}

// Doubting returns the cell with a reason why its value is less reliable. The reason becomes a footnote of the
// table.
func (c Cell) Doubting(why string) Cell {
	c.doubt = why
	return c
}

// Link returns the cell as a link to an address, in HTML only.
func (c Cell) Link(address string) Cell {
	c.target = address
	return c
}

// Shade returns the cell with classes of the style sheet, in HTML only.
func (c Cell) Shade(classes string) Cell {
	c.shade = classes
	return c
}

// And returns the cell followed by others, in HTML only.
func (c Cell) And(more ...Cell) Cell {
	c.more = more
	return c
}

// at returns the value; if only a prior determines it, the bound that a figure shows.
func (c Cell) at() float64 {
	if c.own {
		return c.e.At()
	}
	return c.e.Value
}

func (c Cell) lo() float64 { lo, _ := chart.Ends(c.e); return lo }
func (c Cell) hi() float64 { _, hi := chart.Ends(c.e); return hi }

// number formats a value in the cell's unit.
func (c Cell) number(v float64) string {
	if math.IsInf(v, 0) {
		return "no bound"
	}
	if least := math.Pow10(-c.decimals); c.unit == chart.Number && v > 0 && v < least/2 {
		return "< " + chart.Text(least, c.unit, c.decimals) // a p-value, say: it is not 0
	}
	return chart.Text(v, c.unit, c.decimals)
}

// IsNumber reports whether the cell holds a number.
func (c Cell) IsNumber() bool { return c.kind == cellNumber || c.kind == cellEstimate }

// Value returns the value without its interval: words, a number, or a dash.
func (c Cell) Value() string {
	switch c.kind {
	case cellWords:
		return c.text
	case cellNone:
		return "–"
	case cellEstimate:
		if c.own {
			return c.e.Point()
		}
	}
	return c.number(c.at())
}

// Interval returns the interval, like "56.4 to 59.3". It is empty if there is none.
func (c Cell) Interval() string {
	if c.own {
		return c.e.Range()
	}
	lo, hi := chart.Ends(c.e)
	if c.kind != cellEstimate || math.IsNaN(lo) || math.IsNaN(hi) || math.IsInf(lo, -1) && math.IsInf(hi, 1) {
		return ""
	}
	return strings.TrimSuffix(c.number(lo), " %") + " to " + strings.TrimSuffix(c.number(hi), " %")
}

// Size returns the n of an estimate with its unit, like "96 openings". It is empty if there is none.
func (c Cell) Size() string {
	if c.kind != cellEstimate || c.e.N <= 0 {
		return ""
	}
	return cmp.Or(c.e.Count(), "n = "+chart.Text(float64(c.e.N), chart.Integer, 0))
}

// Mark returns the letter of the cell's footnote. It is empty if there is none.
func (c Cell) Mark() string { return c.mark }

// Why returns the reason why there is no value. It is empty if there is one.
func (c Cell) Why() string {
	if c.kind == cellNone {
		return c.text
	}
	return ""
}

// Status returns the cell's status.
func (c Cell) Status() Status { return c.status }

// Target returns the address that the cell links to. It is empty if it is no link.
func (c Cell) Target() string { return c.target }

// More returns the cells that follow this one.
func (c Cell) More() []Cell { return c.more }

// Class returns the classes of the cell in HTML.
func (c Cell) Class(text bool) string {
	if text {
		return strings.TrimSpace("l " + c.shade)
	}
	return c.shade
}

// String returns the cell in one line.
func (c Cell) String() string {
	s := c.Value()
	if i := c.Interval(); i != "" {
		s += " (" + i + ")"
	}
	if n := c.Size(); n != "" {
		s += ", " + n
	}
	if c.mark != "" {
		s += " [" + c.mark + "]"
	}
	return s
}

// Footnotes returns the table with a mark on each doubtful cell. The note of the table then gives the
// reasons.
func (t Table) Footnotes() Table {
	marks := map[string]string{}
	rows := make([][]Cell, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = slices.Clone(r)
		for j, c := range r {
			if c.doubt == "" || c.kind == cellNone {
				continue
			}
			mark, ok := marks[c.doubt]
			if !ok {
				mark = string(rune('a' + len(marks)%26))
				marks[c.doubt] = mark
				if t.Note != "" {
					t.Note += " "
				}
				t.Note += mark + ": " + c.doubt + "."
			}
			rows[i][j].mark, rows[i][j].doubt = mark, ""
		}
	}
	t.Rows = rows
	return t
}
