package enginetest

import (
	"fmt"
	"slices"

	"spar/engines"
	"spar/engines/grid"
)

func cellName(x, y int) string { return fmt.Sprintf("%c%d", 'a'+x, y+1) }

// board draws an unusual board: hexagons, holes, drawn lines, or other adjacency.
func (d draw) board(r *engines.Rules) {
	if d.often("drawn", 4) {
		d.drawn(r)
		return
	}
	d.rules(r, `placement.gravity
		1/2: board.shape=hex; board.wrap
		board.shape=square 1/2: board.neighbours=4|8`)
	if d.often("holes", 2) {
		for range d.integer("holes", 1, 4) {
			r.Board.Missing = append(r.Board.Missing, d.cell(r.Board))
		}
		slices.Sort(r.Board.Missing)
		r.Board.Missing = slices.Compact(r.Board.Missing)
	}
}

func (d draw) cell(b grid.Board) string {
	return cellName(d.integer("x", 0, b.Columns-1), d.integer("y", 0, b.Rows-1))
}

// drawn draws lines on a small board: rows and columns with some cells missing, and some diagonals.
func (d draw) drawn(r *engines.Rules) {
	d.rules(r, "board.columns=3..5; board.rows=3..5; board.wrap")
	b := &r.Board
	gone := map[string]bool{}
	for range d.integer("gone", 0, 3) {
		gone[d.cell(*b)] = true
	}
	on := map[string]bool{}
	line := func(x, y, dx, dy int) {
		var cells []string
		for ; x >= 0 && y >= 0 && x < b.Columns && y < b.Rows; x, y = x+dx, y+dy {
			if c := cellName(x, y); !gone[c] {
				cells = append(cells, c)
			}
		}
		if len(cells) < 2 {
			return
		}
		b.Lines = append(b.Lines, cells)
		for _, c := range cells {
			on[c] = true
		}
	}
	for y := range b.Rows {
		line(0, y, 1, 0)
	}
	for x := range b.Columns {
		line(x, 0, 0, 1)
		if d.often("diagonal", 3) {
			line(x, 0, 1, 1)
		}
		if d.often("diagonal", 3) {
			line(x, 0, -1, 1)
		}
	}
	d.bend(b)
	for y := range b.Rows {
		for x := range b.Columns {
			if !on[cellName(x, y)] {
				b.Missing = append(b.Missing, cellName(x, y))
			}
		}
	}
}

// bend joins drawn lines that end in the same point, so that the lines bend there.
func (d draw) bend(b *grid.Board) {
	for range d.integer("bends", 0, 4) {
		var joined [][][]string
		for i, one := range b.Lines {
			for k, line := range b.Lines {
				other := slices.Clone(line)
				if slices.Reverse(other); one[len(one)-1] == line[0] {
					other = line
				}
				shared := func(c string) bool { return slices.Contains(one, c) }
				if one[len(one)-1] == other[0] && !slices.ContainsFunc(other[1:], shared) {
					rest := slices.Delete(slices.Clone(b.Lines), max(i, k), max(i, k)+1)
					rest[min(i, k)] = slices.Concat(one, other[1:])
					joined = append(joined, rest)
				}
			}
		}
		if len(joined) == 0 {
			return
		}
		b.Lines = joined[d.integer("joint", 0, len(joined)-1)]
	}
}

// setup draws a start position.
func (d draw) setup(r *engines.Rules) {
	few := d.integer("density", 2, 12)
	for y := range r.Board.Rows {
		row := slices.Repeat([]byte{'.'}, r.Board.Columns)
		for x := range row {
			if slices.Contains(r.Board.Missing, cellName(x, y)) {
				row[x] = '#'
			} else if n := d.integer("piece", 0, few); n < 2 {
				row[x] = "XO"[n]
			}
		}
		r.Setup = append(r.Setup, string(row))
	}
}

// letFall drops the pieces of a start position to the bottom.
func letFall(r *engines.Rules) {
	for range r.Setup {
		for y := range len(r.Setup) - 1 {
			above, below := []byte(r.Setup[y]), []byte(r.Setup[y+1])
			for x := range above {
				if below[x] == '.' {
					above[x], below[x] = '.', above[x]
				}
			}
			r.Setup[y], r.Setup[y+1] = string(above), string(below)
		}
	}
}
