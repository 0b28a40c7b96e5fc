package rules

import (
	"fmt"
	"strings"

	"spar/engines/grid"
)

// validateBoard returns errors about cells, lines and start positions that do not fit the board.
func validateBoard(r *Rules, refuse refuser) {
	t := grid.New(grid.Board{Columns: r.Board.Columns, Rows: r.Board.Rows, Wrap: "none"})
	hex, drawn := r.Board.Shape == "hex", len(r.Board.Lines) > 0
	missing := grid.Bits{}
	for i, name := range r.Board.Missing {
		path := fmt.Sprintf("board.missing[%d]", i)
		c, ok := t.CellNamed(name)
		refuse(!ok, path, "%q is not a cell of the board: expected a1 to %s", name, t.LastName())
		refuse(ok && missing.Has(c), path, "%s is stated twice", name)
		if ok {
			missing = missing.With(c)
		}
	}
	refuse(t.Cells-missing.Count() < 2, "board.missing", "cells left: %d, expected 2 or more",
		t.Cells-missing.Count())
	refuse(hex && r.Board.Wrap != "none", "board.shape", "a board of hexagons cannot wrap; set board.wrap: none")
	refuse(hex && r.Board.Neighbours != 0, "board.neighbours", "a hexagon has six neighbours: omit board.neighbours")
	refuse(drawn && hex, "board.lines", "drawn lines decide which cells are neighbours: remove board.shape")
	refuse(drawn && r.Board.Wrap != "none", "board.lines",
		"a board with drawn lines does not wrap; set board.wrap: none")
	refuse(drawn && r.Board.Neighbours != 0, "board.neighbours",
		"drawn lines decide which cells are adjacent: remove board.neighbours")
	if n := r.Board.Neighbours; n != 0 && n != 4 && n != 8 {
		refuse(true, "board.neighbours", "%d: expected 4, 8, or 0 for the default of the shape", n)
	}
	shaped := hex || drawn || missing != grid.Bits{}
	refuse(r.Placement.Falls && !r.Placement.Gravity, "placement.falls", "this key needs placement.gravity")
	refuse(shaped && r.Placement.Gravity, "placement.gravity",
		"pieces fall on a full grid of squares only: remove board.shape, board.missing and board.lines")
	for _, name := range r.Board.Missing {
		c, ok := t.CellNamed(name)
		if ok && r.Territory == "halves" && !missing.Has(t.Mirror[c]) {
			refuse(true, "territory", "the halves must be mirror images, but %s is missing and %s is not", name,
				t.NameOf(t.Mirror[c]))
		}
	}
	validateLines(r, &t, missing, refuse)
	if validateLetters(r, refuse) {
		validateSetup(r, &t, missing, refuse)
	}
}

func validateLines(r *Rules, t *grid.Grid, missing grid.Bits, refuse refuser) {
	var beside [8][grid.CellSpace]grid.Cell
	for d := range beside {
		for c := range beside[d] {
			beside[d][c] = grid.NoCell
		}
	}
	second := r.Of(grid.Second)
	follows, then := r.follows() || second.follows(), map[[2]grid.Cell]string{}
	on, named := grid.Bits{}, true
	for i, line := range r.Board.Lines {
		path := fmt.Sprintf("board.lines[%d]", i)
		refuse(len(line) < 2, path, "a line needs at least two points")
		seen, last := grid.Bits{}, grid.NoCell
		for k := 1; k < len(line) && follows; k++ {
			for _, way := range [2][3]string{
				{line[k-1], line[k], strings.Join(line[k+1:min(k+2, len(line))], "")},
				{line[k], line[k-1], strings.Join(line[max(k-2, 0):k-1], "")},
			} {
				a, _ := t.CellNamed(way[0])
				b, _ := t.CellNamed(way[1])
				next, known := then[[2]grid.Cell{a, b}]
				refuse(known && next != way[2], fmt.Sprintf("%s[%d]", path, k),
					"two lines go through %s and %s and then separate, so a piece cannot follow both: join the lines, or remove one",
					way[0], way[1])
				then[[2]grid.Cell{a, b}] = way[2]
			}
		}
		for k, name := range line {
			at := fmt.Sprintf("%s[%d]", path, k)
			c, ok := t.CellNamed(name)
			named = named && ok
			refuse(!ok, at, "%q is not a cell of the board: expected a1 to %s", name, t.LastName())
			refuse(ok && missing.Has(c), at, "the line goes through %s, which board.missing removes", name)
			refuse(ok && seen.Has(c), at, "the line goes through %s twice", name)
			if !ok || seen.Has(c) {
				last = grid.NoCell
				continue
			}
			if last != grid.NoCell {
				d := t.Heading(last, c)
				for _, end := range [2]struct {
					from, to grid.Cell
					d        int
				}{{last, c, d}, {c, last, d ^ 4}} {
					other := beside[end.d][end.from]
					refuse(other != grid.NoCell && other != end.to, at,
						"%s has two neighbours in nearly the same direction, %s and %s: move one of the points",
						t.NameOf(end.from), t.NameOf(min(other, grid.Cell(t.Cells-1))), t.NameOf(end.to))
					beside[end.d][end.from] = end.to
				}
			}
			seen, last = seen.With(c), c
		}
		on = on.Or(seen)
	}
	if len(r.Board.Lines) > 0 {
		rest := t.Board.AndNot(missing).AndNot(on)
		refuse(named && !rest.Empty(), "board.lines",
			"no line goes through %s: draw one, or list it in board.missing",
			t.NameOf(min(rest.FirstOr(0), grid.Cell(t.Cells-1))))
	}
}

// cellWords names the letters of a setup.
func (r *Rules) cellWords() string {
	var letters []string
	for side := range 2 {
		for i := range r.Kinds {
			letters = append(letters, string(r.Kinds[i].Sign(side)))
		}
	}
	if len(letters) == 0 {
		return grid.CellWords
	}
	return strings.Replace(grid.CellWords, "X, O", strings.Join(letters, ", "), 1)
}

func validateSetup(r *Rules, t *grid.Grid, missing grid.Bits, refuse refuser) {
	if len(r.Setup) == 0 {
		return
	}
	refuse(len(r.Setup) != r.Board.Rows, "setup", "expected %d rows, as many as the board has; found %d", r.Board.Rows,
		len(r.Setup))
	for y, row := range r.Setup {
		path := fmt.Sprintf("setup[%d]", y)
		refuse(len(row) != r.Board.Columns, path, "row %d: expected %d cells, as many as the board has columns; found %d",
			y+1, r.Board.Columns, len(row))
		if y >= r.Board.Rows {
			continue
		}
		for x := range min(len(row), r.Board.Columns) {
			c := grid.Cell(y*t.Columns + x)
			_, _, piece := r.KindAt(row[x])
			refuse(!piece && row[x] != grid.FreeCell && row[x] != grid.NoneCell, path, "%q is not one of %s", row[x],
				r.cellWords())
			refuse(piece && missing.Has(c), path, "there is a piece on %s, which board.missing removes", t.NameOf(c))
			refuse(row[x] == grid.NoneCell && !missing.Has(c), path, "the setup has # on %s, which is not in board.missing",
				t.NameOf(c))
		}
	}
	stood := t.Setup(r.Owners())
	air := t.Floating(stood[0].Or(stood[1]))
	refuse(r.Placement.Falls && !air.Empty(), "setup",
		"the piece on %s is not supported, and placement.falls is on: add pieces below it", t.NameOf(air.FirstOr(0)))
	for side, b := range stood {
		refuse(r.Pieces.Cap > 0 && b.Count() > r.Pieces.Cap, "setup", "%c begins with %d pieces, over the cap of %d",
			grid.Letters[side], b.Count(), r.Pieces.Cap)
	}
}
