package engines

import (
	"fmt"
	"strings"
)

// The letters of cells in start positions and in the text of a position.
const (
	letters   = "XO"
	freeCell  = '.'
	noneCell  = '#' // a cell that the board does not have
	cellWords = "X, O, . for an empty cell and # for one that the board does not have"
)

// setup returns the start position that the rules describe. It skips parts that are wrong.
func (t *topology) setup(rows []string) (pieces [2]Bits) {
	for y, row := range rows {
		for x := range min(len(row), t.columns) {
			if side := strings.IndexByte(letters, row[x]); side >= 0 && y < t.rows {
				pieces[side] = pieces[side].Or(t.bit[y*t.columns+x])
			}
		}
	}
	return pieces
}

// validateBoard returns errors about cells, lines and start positions that do not fit the board.
func validateBoard(r *Rules, refuse func(bool, string, string, ...any)) {
	t := newTopology(Board{Columns: r.Board.Columns, Rows: r.Board.Rows, Wrap: "none"})
	hex, drawn := r.Board.Shape == "hex", len(r.Board.Lines) > 0
	missing := Bits{}
	for i, name := range r.Board.Missing {
		path := fmt.Sprintf("board.missing[%d]", i)
		c, ok := t.cellNamed(name)
		refuse(!ok, path, "%q is not a cell of the board: expected a1 to %s", name, t.lastName())
		refuse(ok && missing.Has(c), path, "%s is stated twice", name)
		if ok {
			missing = missing.With(c)
		}
	}
	refuse(
		t.cells-missing.Count() < 2,
		"board.missing",
		"%d cells are left: expected 2 or more",
		t.cells-missing.Count(),
	)
	refuse(hex && r.Board.Wrap != "none", "board.shape", "a board of hexagons does not wrap: use board.wrap none")
	refuse(
		hex && r.Board.Neighbours != 0,
		"board.neighbours",
		"a hexagon has six neighbours: leave board.neighbours out",
	)
	refuse(drawn && hex, "board.lines", "drawn lines decide which cells are neighbours: leave board.shape out")
	refuse(
		drawn && r.Board.Wrap != "none",
		"board.lines",
		"a board with drawn lines does not wrap: use board.wrap none",
	)
	refuse(
		drawn && r.Board.Neighbours != 0,
		"board.neighbours",
		"drawn lines decide which cells are adjacent: leave board.neighbours out",
	)
	if n := r.Board.Neighbours; n != 0 && n != 4 && n != 8 {
		refuse(true, "board.neighbours", "%d: expected 4, 8, or 0 for what the shape has", n)
	}
	shaped := hex || drawn || missing != Bits{}
	refuse(r.Placement.Falls && !r.Placement.Gravity, "placement.falls", "falls needs placement.gravity")
	refuse(
		shaped && r.Placement.Gravity,
		"placement.gravity",
		"pieces fall on a full grid of squares only: leave board.shape, board.missing and board.lines out",
	)
	for _, name := range r.Board.Missing {
		c, ok := t.cellNamed(name)
		if ok && r.Territory == "halves" && !missing.Has(t.mirror[c]) {
			refuse(
				true,
				"territory",
				"the halves must be mirror images, but %s is missing and %s is not",
				name,
				t.nameOf(t.mirror[c]),
			)
		}
	}
	t.validateLines(r, missing, refuse)
	validateSetup(r, &t, missing, refuse)
}

func (t *topology) nameOf(c Cell) string {
	return fmt.Sprintf("%c%d", 'a'+int(c)%t.columns, int(c)/t.columns+1)
}

func (t *topology) lastName() string { return t.nameOf(Cell(t.cells - 1)) }

func (t *topology) validateLines(r *Rules, missing Bits, refuse func(bool, string, string, ...any)) {
	var beside [8][CellSpace]Cell
	for d := range beside {
		for c := range beside[d] {
			beside[d][c] = NoCell
		}
	}
	on, named := Bits{}, true
	for i, line := range r.Board.Lines {
		path := fmt.Sprintf("board.lines[%d]", i)
		refuse(len(line) < 2, path, "a line has two points or more")
		seen, last := Bits{}, NoCell
		for k, name := range line {
			at := fmt.Sprintf("%s[%d]", path, k)
			c, ok := t.cellNamed(name)
			named = named && ok
			refuse(!ok, at, "%q is not a cell of the board: expected a1 to %s", name, t.lastName())
			refuse(ok && missing.Has(c), at, "the line goes through %s, which board.missing removes", name)
			refuse(ok && seen.Has(c), at, "the line goes through %s twice", name)
			if !ok || seen.Has(c) {
				last = NoCell
				continue
			}
			if last != NoCell {
				d := t.heading(last, c)
				for _, end := range [2]struct {
					from, to Cell
					d        int
				}{{last, c, d}, {c, last, d ^ 4}} {
					other := beside[end.d][end.from]
					refuse(
						other != NoCell && other != end.to,
						at,
						"%s has two neighbours in nearly the same direction, %s and %s: move one of the points",
						t.nameOf(end.from),
						t.nameOf(min(other, Cell(t.cells-1))),
						t.nameOf(end.to),
					)
					beside[end.d][end.from] = end.to
				}
			}
			seen, last = seen.With(c), c
		}
		on = on.Or(seen)
	}
	if len(r.Board.Lines) > 0 {
		rest := t.board.AndNot(missing).AndNot(on)
		refuse(
			named && !rest.Empty(),
			"board.lines",
			"no line goes through %s: draw one, or list it in board.missing",
			t.nameOf(min(rest.firstOr(0), Cell(t.cells-1))),
		)
	}
}

// firstOr returns the lowest cell of the set; the given cell if the set is empty.
func (b Bits) firstOr(c Cell) Cell {
	if b.Empty() {
		return c
	}
	return b.First()
}

func validateSetup(r *Rules, t *topology, missing Bits, refuse func(bool, string, string, ...any)) {
	if len(r.Setup) == 0 {
		return
	}
	refuse(len(r.Setup) != r.Board.Rows, "setup", "%d rows are drawn, the board has %d", len(r.Setup), r.Board.Rows)
	for y, row := range r.Setup {
		path := fmt.Sprintf("setup[%d]", y)
		refuse(
			len(row) != r.Board.Columns,
			path,
			"row %d has %d cells, the board has %d columns",
			y+1,
			len(row),
			r.Board.Columns,
		)
		if y >= r.Board.Rows {
			continue
		}
		for x := range min(len(row), r.Board.Columns) {
			c := Cell(y*t.columns + x)
			piece := strings.IndexByte(letters, row[x]) >= 0
			refuse(!piece && row[x] != freeCell && row[x] != noneCell, path, "%q is not one of %s", row[x], cellWords)
			refuse(piece && missing.Has(c), path, "a piece stands on %s, which board.missing takes away", t.nameOf(c))
			refuse(
				row[x] == noneCell && !missing.Has(c),
				path,
				"# on %s, which is not in board.missing",
				t.nameOf(c),
			)
		}
	}
	stood := t.setup(r.Setup)
	air := (&Game{topology: *t}).floating(stood[0].Or(stood[1]))
	refuse(
		r.Placement.Falls && !air.Empty(),
		"setup",
		"the piece on %s hangs in the air, and placement.falls is on: draw pieces below it",
		t.nameOf(air.firstOr(0)),
	)
	for side, b := range stood {
		refuse(
			r.Pieces.Cap > 0 && b.Count() > r.Pieces.Cap,
			"setup",
			"%c begins with %d pieces, over the cap of %d",
			letters[side],
			b.Count(),
			r.Pieces.Cap,
		)
	}
}

// validateStart returns errors about a first position that is already decided. Otherwise the rules must be valid.
func validateStart(r *Rules, refuse func(bool, string, string, ...any)) {
	g := compile(*r)
	s := g.NewState()
	full := g.endsFull && s.pieces[0].Or(s.pieces[1]) == g.board
	refuse(
		(r.NoMoves != "pass" || full) && !s.hasAction(),
		"setup",
		"the first player has no legal move at the start: leave an empty cell, or a piece that can move",
	)
	for side := range 2 {
		if v := s.verdict(side, NoCell); v.reason != NoReason {
			refuse(true, "setup", "the game is already over at the start: the %s player wins by %s", v.result, v.reason)
			return
		}
	}
	if s.phase != phaseMove || g.hands || g.shared || g.chosen {
		return
	}
	changes := g.flips || g.threshold > 0 && g.convert
	for side := range 2 {
		n := s.pieces[side].Count()
		refuse(
			n == 0,
			"setup",
			"%c has no piece to move at the start, and none in hand: draw one, or set pieces.supply",
			letters[side],
		)
		goal, path := &g.goal[side], "win.reach"
		if side == Second && r.Second != nil && r.Second.Win != nil {
			path = "second.win.reach"
		}
		if n == 0 || changes || goal.reach.Empty() {
			continue
		}
		there := g.roam(side, s.pieces[side]).And(goal.reach).Count()
		refuse(
			there < goal.count,
			path,
			"the pieces of %c can never get there: their moves reach %d of the goal cells, %d are needed",
			letters[side],
			there,
			goal.count,
		)
	}
}

// roam returns the cells that pieces can reach on an empty board.
func (g *Game) roam(side int, from Bits) Bits {
	m := &g.mover[side]
	if m.fly > 0 {
		return g.board
	}
	all := from
	for fresh := from; !fresh.Empty(); {
		c := fresh.First()
		fresh = fresh.Rest()
		reach := func(to Cell) {
			if to != NoCell && !all.Has(to) {
				all, fresh = all.With(to), fresh.With(to)
			}
		}
		for i := range m.ways {
			reach(m.ways[i].to[c])
		}
		for d, on := range m.steps {
			if on {
				reach(g.to[d][c])
			}
		}
	}
	return all
}
