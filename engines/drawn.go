package engines

import (
	"fmt"
	"slices"
)

// draw makes consecutive points of each drawn line neighbours. Their direction is whichever of the eight
// directions is nearest to the line. A point has at most one neighbour in each direction. It skips what does not
// fit; Validate reports that.
func (t *topology) draw(lines [][]string) {
	for d := range t.to {
		for c := range t.to[d] {
			t.to[d][c] = NoCell
		}
	}
	for _, names := range lines {
		var line []Cell
		for _, name := range names {
			if c, ok := t.cellNamed(name); ok && t.board.Has(c) {
				line = append(line, c)
			}
		}
		for i := 1; i < len(line); i++ {
			d := t.heading(line[i-1], line[i])
			t.to[d][line[i-1]], t.to[d^4][line[i]] = line[i], line[i-1]
		}
		t.drawn = append(t.drawn, line)
	}
}

// heading returns the one of the eight directions that is nearest to the direction from one cell to another. It
// approximates the tangent of 22.5 degrees by 17/41, which is close enough for boards of up to 16x16.
func (t *topology) heading(from, to Cell) int {
	dx, dy := int(to)%t.columns-int(from)%t.columns, int(to)/t.columns-int(from)/t.columns
	sign := func(n, other int) int {
		switch {
		case 41*abs(n) <= 17*abs(other):
			return 0
		case n < 0:
			return -1
		}
		return 1
	}
	want := direction{sign(dx, dy), sign(dy, dx)}
	for d, dir := range directions() {
		if dir == want {
			return d
		}
	}
	return 0
}

func abs(n int) int { return max(n, -n) }

// cellNamed parses the name of a cell of the grid, including cells missing from the board.
func (t *topology) cellNamed(name string) (Cell, bool) {
	var col rune
	var row int
	if n, err := fmt.Sscanf(name, "%c%d", &col, &row); n < 2 || err != nil || fmt.Sprintf("%c%d", col, row) != name {
		return NoCell, false
	}
	x := int(col - 'a')
	if x < 0 || x >= t.columns || row < 1 || row > t.rows {
		return NoCell, false
	}
	return Cell((row-1)*t.columns + x), true
}

// run is a number of consecutive points in a line, with the points before and after them (NoCell if the line ends
// there).
type run struct {
	cells         []Cell
	direction     int // one of the first four directions; 0 on drawn lines
	before, after Cell
}

// runs returns the runs of n points along the drawn lines, or else along rows, columns and diagonals (or only in
// the named directions). No run contains a point twice.
func (t *topology) runs(n int, along ...string) []run {
	if n <= 0 {
		return nil
	}
	var out []run
	for _, line := range t.drawn {
		for i := 0; i+n <= len(line); i++ {
			r := run{cells: line[i : i+n], before: NoCell, after: NoCell}
			if i > 0 {
				r.before = line[i-1]
			}
			if i+n < len(line) {
				r.after = line[i+n]
			}
			out = append(out, r)
		}
	}
	if t.drawn != nil {
		return out
	}
	for d, name := range [4]string{"rows", "diagonals", "columns", "diagonals"} {
		if len(along) > 0 && !slices.Contains(along, name) {
			continue
		}
		for c := range Cell(t.cells) {
			if r, ok := t.runFrom(c, d, n); ok {
				out = append(out, r)
			}
		}
	}
	return out
}

// runFrom returns the run that starts at a cell in a direction, if it fits and repeats no cell.
func (t *topology) runFrom(c Cell, d, n int) (run, bool) {
	r := run{direction: d, before: t.to[d^4][c]}
	if !t.board.Has(c) {
		return r, false
	}
	var all Bits
	for range n {
		if c == NoCell || all.Has(c) {
			return r, false
		}
		all = all.With(c)
		r.cells = append(r.cells, c)
		c = t.to[d][c]
	}
	r.after = c
	return r, true
}
