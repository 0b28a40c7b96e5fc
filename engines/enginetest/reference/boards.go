package reference

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// none is the letter of a cell that the board does not have.
const none = '#'

// drawLines reads the drawn lines from the rules.
func (g *Game) drawLines() {
	for _, names := range g.rules.Board.Lines {
		var line []point
		for _, name := range names {
			line = append(line, g.named(name))
		}
		g.lines = append(g.lines, line)
	}
}

// setUp clears the board, marks its missing cells and places the pieces of the start position.
func (g *Game) setUp() {
	for row := range g.rules.Board.Rows {
		g.board = append(g.board, slices.Repeat([]byte{empty}, g.rules.Board.Columns))
		for column := range g.rules.Board.Columns {
			if p := (point{column, row}); slices.Contains(g.rules.Board.Missing, p.String()) {
				g.board[row][column] = none
			}
		}
	}
	for row, text := range g.rules.Setup {
		for column, letter := range text {
			switch letter {
			case 'X':
				g.add(point{column, row}, first)
			case 'O':
				g.add(point{column, row}, second)
			}
		}
	}
}

// exists reports whether the board has a cell.
func (g *Game) exists(p point) bool {
	return p.column >= 0 && p.column < g.rules.Board.Columns && p.row >= 0 && p.row < g.rules.Board.Rows &&
		g.at(p) != none
}

// next returns the cell next to p in a direction. The second result is false if there is none.
func (g *Game) next(p point, d direction) (point, bool) {
	if len(g.rules.Board.Lines) > 0 {
		return g.nextDrawn(p, d)
	}
	if g.rules.Board.Shape == "hex" && d.columns == d.rows {
		return p, false
	}
	return g.away(p, d)
}

// away returns the cell at an offset of columns and rows from p. The second result is false if that is off the
// board.
func (g *Game) away(p point, d direction) (point, bool) {
	columns := g.rules.Board.Columns
	rows := g.rules.Board.Rows
	wrap := g.rules.Board.Wrap
	p.column += d.columns
	p.row += d.rows
	for wrap == "columns" || wrap == "torus" {
		if p.column >= 0 && p.column < columns {
			break
		}
		p.column = (p.column + columns) % columns
	}
	for wrap == "rows" || wrap == "torus" {
		if p.row >= 0 && p.row < rows {
			break
		}
		p.row = (p.row + rows) % rows
	}
	return p, g.exists(p)
}

// nextDrawn returns the next point on that drawn line whose direction from p is nearest to d.
func (g *Game) nextDrawn(p point, d direction) (point, bool) {
	if rest := g.restOfLine(p, d); len(rest) > 0 {
		return rest[0], true
	}
	return p, false
}

// restOfLine returns the points that follow p on that drawn line whose direction from p is nearest to d.
func (g *Game) restOfLine(p point, d direction) []point {
	eighths := func(rows, columns int) int {
		return (int(math.Round(math.Atan2(float64(rows), float64(columns))/(math.Pi/4))) + 8) % 8
	}
	for _, line := range g.lines {
		back := slices.Clone(line)
		slices.Reverse(back)
		for _, way := range [][]point{line, back} {
			i := slices.Index(way, p)
			if i < 0 || i+1 == len(way) {
				continue
			}
			if eighths(way[i+1].row-p.row, way[i+1].column-p.column) == eighths(d.rows, d.columns) {
				return way[i+1:]
			}
		}
	}
	return nil
}

// ray returns the points that a piece on p passes in a direction, in order: along a drawn line to its end, or until it
// would come back to a point.
func (g *Game) ray(p point, d direction) (ray []point) {
	if len(g.lines) > 0 {
		return g.restOfLine(p, d)
	}
	for q, ok := g.next(p, d); ok && q != p && !slices.Contains(ray, q); q, ok = g.next(q, d) {
		ray = append(ray, q)
	}
	return ray
}

// headingFrom returns the direction from one point of a drawn line to the next one.
func headingFrom(p, q point) direction {
	angle := math.Round(math.Atan2(float64(q.row-p.row), float64(q.column-p.column))/(math.Pi/4)) * math.Pi / 4
	return direction{int(math.Round(math.Cos(angle))), int(math.Round(math.Sin(angle)))}
}

// named returns the cell with a name. The rules must be valid.
func (g *Game) named(name string) point {
	for row := range g.rules.Board.Rows {
		for column := range g.rules.Board.Columns {
			if p := (point{column, row}); p.String() == name {
				return p
			}
		}
	}
	return point{-1, -1}
}

// neighbours returns the cells that are adjacent to p, each once.
func (g *Game) neighbours(p point) []point {
	var cells []point
	directions := kingDirections
	if g.rules.Board.Neighbours == 4 {
		directions = rookDirections
	}
	for _, d := range directions {
		if n, ok := g.next(p, d); ok && n != p && !slices.Contains(cells, n) {
			cells = append(cells, n)
		}
	}
	return cells
}

// cells returns all cells that the board has, row by row.
func (g *Game) cells() []point {
	var cells []point
	for row := range g.rules.Board.Rows {
		for column := range g.rules.Board.Columns {
			if p := (point{column, row}); g.exists(p) {
				cells = append(cells, p)
			}
		}
	}
	return cells
}

// runs returns every run of n points in a line, with the points directly before and after it. It caches them by length,
// since the board does not change. An empty list of directions means all.
func (g *Game) runs(n int, along []string) (runs, ends [][]point) {
	key := fmt.Sprint(n, along)
	known, ok := g.found[key]
	if !ok {
		known.runs, known.ends = g.findRuns(n, along)
		g.found[key] = known
	}
	return known.runs, known.ends
}

func (g *Game) findRuns(n int, along []string) (runs, ends [][]point) {
	for _, line := range g.lines {
		for i := range line {
			if i+n > len(line) {
				break
			}
			var around []point
			if i > 0 {
				around = append(around, line[i-1])
			}
			if i+n < len(line) {
				around = append(around, line[i+n])
			}
			runs = append(runs, line[i:i+n])
			ends = append(ends, around)
		}
	}
	if len(g.rules.Board.Lines) > 0 {
		return runs, ends
	}
	for _, start := range g.cells() {
		for _, d := range lineDirections {
			if len(along) > 0 && !slices.Contains(along, nameOf(d)) {
				continue
			}
			var run, around []point
			p, ok := start, true
			for ok && len(run) < n && !slices.Contains(run, p) {
				run = append(run, p)
				p, ok = g.next(p, d)
			}
			if len(run) < n {
				continue
			}
			if ok && !slices.Contains(run, p) {
				around = append(around, p)
			}
			if before, ok := g.next(start, direction{-d.columns, -d.rows}); ok && !slices.Contains(run, before) {
				around = append(around, before)
			}
			runs, ends = append(runs, run), append(ends, around)
		}
	}
	return runs, ends
}

// nameOf returns the name of a line direction in the rules.
func nameOf(d direction) string {
	switch {
	case d.rows == 0:
		return "rows"
	case d.columns == 0:
		return "columns"
	}
	return "diagonals"
}

// listed returns the cells that words like far, left or c2 name, as a side sees the board.
func (g *Game) listed(words []string, s side) []point {
	top := 0
	bottom := g.rules.Board.Rows - 1
	left := 0
	right := g.rules.Board.Columns - 1
	if s == second {
		top, bottom = bottom, top
	}
	var cells []point
	for _, p := range g.cells() {
		for _, word := range words {
			var in bool
			switch word {
			case "far":
				in = p.row == top
			case "near":
				in = p.row == bottom
			case "left":
				in = p.column == left
			case "right":
				in = p.column == right
			default:
				in = int(word[0]-'a') == p.column && number(word[1:]) == p.row+1
			}
			if in && !slices.Contains(cells, p) {
				cells = append(cells, p)
			}
		}
	}
	return cells
}

// offsets parses a shape of relative cells.
func offsets(text string) []direction {
	if text == "square" {
		return []direction{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	}
	var out []direction
	for word := range strings.FieldsSeq(text) {
		columns, rows, _ := strings.Cut(word, ",")
		out = append(out, direction{number(columns), number(rows)})
	}
	return out
}
