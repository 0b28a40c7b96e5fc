package grid

import "slices"

// Window is a set of cells that a side must fill completely, for example to make a winning line.
type Window struct {
	Cells Bits
	Guard Bits // with overlines off: the cells directly before and after, which the side must not occupy
}

// Run is a number of consecutive points in a line, with the points before and after them (NoCell if the line ends
// there).
type Run struct {
	Cells         []Cell
	Direction     int // one of the first four directions; 0 on drawn lines
	before, after Cell
}

// Window returns the window of a run. If overlines do not win, the cells before and after the run are its Guard.
func (r Run) Window(overlines bool) Window {
	var w Window
	for _, c := range r.Cells {
		w.Cells = w.Cells.With(c)
	}
	for _, end := range []Cell{r.before, r.after} {
		if !overlines && end != NoCell && !w.Cells.Has(end) {
			w.Guard = w.Guard.With(end)
		}
	}
	return w
}

// Runs returns the runs of n points along the drawn lines, or else along rows, columns and diagonals (or only in
// the named directions). No run contains a point twice.
func (t *Grid) Runs(n int, along ...string) []Run {
	if n <= 0 {
		return nil
	}
	var out []Run
	for _, line := range t.Drawn {
		for i := 0; i+n <= len(line); i++ {
			r := Run{Cells: line[i : i+n], before: NoCell, after: NoCell}
			if i > 0 {
				r.before = line[i-1]
			}
			if i+n < len(line) {
				r.after = line[i+n]
			}
			out = append(out, r)
		}
	}
	if t.Drawn != nil {
		return out
	}
	for d, name := range [4]string{"rows", "diagonals", "columns", "diagonals"} {
		if len(along) > 0 && !slices.Contains(along, name) {
			continue
		}
		for c := range Cell(t.Cells) {
			if r, ok := t.runFrom(c, d, n); ok {
				out = append(out, r)
			}
		}
	}
	return out
}

// runFrom returns the run that starts at a cell in a direction, if it fits and repeats no cell.
func (t *Grid) runFrom(c Cell, d, n int) (Run, bool) {
	r := Run{Direction: d, before: t.To[d^4][c]}
	if !t.Board.Has(c) {
		return r, false
	}
	var all Bits
	r.Cells = make([]Cell, 0, n)
	for range n {
		if c == NoCell || all.Has(c) {
			return r, false
		}
		all = all.With(c)
		r.Cells = append(r.Cells, c)
		c = t.To[d][c]
	}
	r.after = c
	return r, true
}
