package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// draw is the random choice of the values of rules.
type draw struct{ t *rapid.T }

func (d draw) integer(name string, low, high int) int {
	return rapid.IntRange(low, high).Draw(d.t, name)
}
func (d draw) often(name string, in int) bool { return d.integer(name, 1, in) == 1 }
func (d draw) oneOf(name string, values ...string) string {
	return rapid.SampledFrom(values).Draw(d.t, name)
}

// some chooses one or more entries of a list at random.
func (d draw) some(name string, values ...string) []string {
	var out []string
	for _, v := range values {
		if d.often(name, 2) {
			out = append(out, v)
		}
	}
	if out == nil {
		return values[:1]
	}
	return out
}

func cellName(x, y int) string { return fmt.Sprintf("%c%d", 'a'+x, y+1) }

// board draws an unusual board: hexagons, holes, drawn lines, or other adjacency.
func (d draw) board(r *engines.Rules) {
	b := &r.Board
	if d.often("drawn", 4) {
		d.drawn(b)
		return
	}
	if d.often("hex", 2) {
		b.Shape, b.Wrap = "hex", "none"
	} else if d.often("adjacent", 2) {
		b.Neighbours = 4 * d.integer("neighbours", 1, 2)
	}
	if d.often("holes", 2) {
		for range d.integer("holes", 1, 4) {
			if c := cellName(d.integer("x", 0, b.Columns-1), d.integer("y", 0, b.Rows-1)); !strings.Contains(
				strings.Join(b.Missing, " ")+" ",
				c+" ",
			) {
				b.Missing = append(b.Missing, c)
			}
		}
	}
	r.Placement.Gravity = false
}

// drawn draws lines on a small board: rows and columns with some cells missing, and some diagonals.
func (d draw) drawn(b *grid.Board) {
	b.Columns, b.Rows, b.Wrap = d.integer("columns", 3, 5), d.integer("rows", 3, 5), "none"
	gone := map[string]bool{}
	for range d.integer("gone", 0, 3) {
		gone[cellName(d.integer("x", 0, b.Columns-1), d.integer("y", 0, b.Rows-1))] = true
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
	missing := " " + strings.Join(r.Board.Missing, " ") + " "
	few := d.integer("density", 2, 12)
	for y := range r.Board.Rows {
		row := make([]byte, r.Board.Columns)
		for x := range row {
			switch n := d.integer("piece", 0, few); {
			case strings.Contains(missing, " "+cellName(x, y)+" "):
				row[x] = '#'
			case n < 2:
				row[x] = "XO"[n]
			default:
				row[x] = '.'
			}
		}
		r.Setup = append(r.Setup, string(row))
	}
}

// letFall drops the pieces of a start position to the bottom.
func letFall(rows []string) {
	if len(rows) == 0 {
		return
	}
	board := make([][]byte, len(rows))
	for y := range board {
		board[y] = []byte(strings.Repeat(".", len(rows[0])))
	}
	for x := range rows[0] {
		floor := len(rows) - 1
		for y := len(rows) - 1; y >= 0; y-- {
			if rows[y][x] != '.' {
				board[floor][x] = rows[y][x]
				floor--
			}
		}
	}
	for y := range board {
		rows[y] = string(board[y])
	}
}

// lineDirections draws the directions in which lines win.
func (d draw) lineDirections(w *rules.Win) {
	if d.often("line directions", 4) {
		w.Directions = d.some("line direction", "rows", "columns", "diagonals")
	}
}

// goals draws ways to win, apart from lines.
func (d draw) goals(r *engines.Rules) {
	w := &r.Win
	if d.often("pattern", 3) {
		w.Pattern = d.some("pattern", "square", "0,0 1,0 1,1", "0,0 2,1 1,-1")
	}
	if d.often("connect", 3) {
		w.Connect = rules.Word(d.oneOf("connect", "top_bottom", "left_right"))
	}
	if d.often("reach", 3) {
		w.Reach = d.some("reach", "far", "near", "left", "right", "a1", "b2")
		w.ReachCount = d.integer("reach count", 0, 3)
	}
	if d.often("eliminate", 3) {
		w.Eliminate, w.OnBoard = d.integer("eliminate", 1, 3), d.often("on board", 3)
	}
	if d.often("losing line", 4) {
		r.Lose.Line = d.integer("losing line", 2, 4)
	}
	w.Misere = d.often("misere", 4)
	if r.Moves() && d.often("either's goals", 3) {
		w.Gather, w.NoneLeft = d.often("gather", 2), r.Mechanics().Any(rules.Takes, rules.Jumps) && d.often("none left", 2)
		if d.often("shut in", 2) {
			w.ShutIn = d.some("shut in", "near", "far", "left", "a1", "b2")
		}
	}
}
