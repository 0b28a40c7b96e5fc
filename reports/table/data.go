package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"spar/configs/plain"
)

// Check returns an error for rows that do not fit the columns.
func (t *Table) Check() error {
	seen := map[string]bool{}
	for _, c := range t.Columns {
		if seen[c.Name] {
			return fmt.Errorf("table %q: two columns %q", t.Caption, c.Name)
		}
		seen[c.Name] = true
	}
	for i, r := range t.Rows {
		if len(r) != len(t.Columns) {
			return fmt.Errorf("table %q, row %d: %d cells for %d columns", t.Caption, i+1, len(r), len(t.Columns))
		}
	}
	return nil
}

// field is a column of the table's data form.
type field struct {
	name string
	get  func(Cell) any // returns the value; nil for none
}

func known(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

// fields returns the data columns of a table. A column has the value and, if any cell has them, columns for
// interval, n and status.
func (t *Table) fields(j int) []field {
	var estimate, status bool
	for _, r := range t.Rows {
		estimate = estimate || r[j].kind == cellEstimate
		status = status || r[j].status != Plain
	}
	name := t.Columns[j].Name
	fs := []field{{name, func(c Cell) any {
		switch c.kind {
		case cellWords:
			return c.text
		case cellNone:
			return nil
		}
		return known(c.at())
	}}}
	if estimate {
		of := func(v func(Cell) any) func(Cell) any {
			return func(c Cell) any {
				if c.kind != cellEstimate {
					return nil
				}
				return v(c)
			}
		}
		fs = append(fs,
			field{name + " low", of(func(c Cell) any { return known(c.lo()) })},
			field{name + " high", of(func(c Cell) any { return known(c.hi()) })},
			field{name + " n", of(func(c Cell) any { return c.e.N })})
	}
	if status {
		fs = append(fs, field{name + " verdict", func(c Cell) any {
			if c.status == Plain {
				return nil
			}
			return c.status.String()
		}})
	}
	return fs
}

// CSV writes the table with a header. Percentages are fractions from 0 to 1; missing values are empty.
func (t *Table) CSV(w io.Writer) error {
	if err := t.Check(); err != nil {
		return err
	}
	programs := t.ForPrograms()
	t = &programs
	out := plain.NewCSV(w)
	var header []string
	var columns [][]field
	for j := range t.Columns {
		columns = append(columns, t.fields(j))
		for _, f := range columns[j] {
			header = append(header, f.name)
		}
	}
	_ = out.Write(header) // Flush reports the error
	for _, r := range t.Rows {
		var line []string
		for j, c := range r {
			for _, f := range columns[j] {
				switch v := f.get(c).(type) {
				case nil:
					line = append(line, "")
				case float64:
					line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
				default:
					line = append(line, fmt.Sprint(v))
				}
			}
		}
		_ = out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// JSON writes the table as a list of objects, one for each row, with the names used in CSV. Missing values are
// null.
func (t *Table) JSON(w io.Writer) error {
	if err := t.Check(); err != nil {
		return err
	}
	programs := t.ForPrograms()
	t = &programs
	var b bytes.Buffer
	b.WriteByte('[')
	for i, r := range t.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  {")
		for j, c := range r {
			for k, f := range t.fields(j) {
				if j+k > 0 {
					b.WriteString(", ")
				}
				// Names and finite numbers always have a JSON form.
				name, _ := json.Marshal(f.name)
				value, _ := json.Marshal(f.get(c))
				fmt.Fprintf(&b, "%s: %s", name, value)
			}
		}
		b.WriteByte('}')
	}
	b.WriteString("\n]\n")
	_, err := w.Write(b.Bytes())
	return err
}
