package engines

import (
	"slices"

	"spar/engines/grid"
	"spar/engines/rules"
)

// swapImage returns, for each cell, the cell to which its piece goes when the sides exchange their stones. If
// homes, directions or goal cells differ by side, the board is mirrored top to bottom. If the sides connect
// different edges of a square board, it is mirrored along the diagonal. Otherwise, or if the image does not exist,
// every cell is its own image.
func (g *Game) swapImage() []Cell {
	image := g.grid.Order[:g.grid.Cells]
	switch {
	case g.rules.Turn.Pie == rules.PieSeats: // each piece stays where it is
	case g.rules.Territory == "halves" || g.uses.Any(rules.Directions, rules.JumpDirections, rules.JumpOvers,
		rules.StayingJumps, rules.Takes, rules.Reaches):
		image = g.grid.Mirror
	case g.uses.Has(rules.Connections) && g.grid.Columns == g.grid.Rows:
		image = make([]Cell, g.grid.Cells)
		for c := range image {
			image[c] = Cell(c%g.grid.Columns*g.grid.Columns + c/g.grid.Columns)
		}
	}
	if grid.Permute(g.grid.Board, image) != g.grid.Board {
		return g.grid.Order[:g.grid.Cells]
	}
	return image
}

// inPlace reports whether an image maps every cell to itself: of all permutations, only the identity is sorted.
func inPlace(image []Cell) bool { return slices.IsSorted(image) }

// exchangesGeneral reports whether a position has the same value for the side to move after colours and sides have
// been exchanged.
func (g *Game) exchangesGeneral() bool {
	even := g.uses.Only(rules.Wraps, rules.PlaceRegions, rules.AnyTurns(), rules.AnyMoves(), rules.AnyLines(),
		rules.BoardEnds(), rules.QuietDraws, rules.StuckEnds(), rules.AnySurrounds(),
		rules.AnyAges(), rules.Reuse, rules.AnyBoard(), rules.OtherGoals(),
		rules.OtherMoves(), rules.AnyCaptures(), rules.PieceMechanics())
	if !even || (g.fifo || g.uses.Any(rules.StraightJumps, rules.LineCaptures)) && !inPlace(g.image) {
		return false
	}
	to, ok := g.directionMap(g.image)
	if !ok || !g.keepsLines(g.image) || g.kinds != nil && !g.mapsKinds(g.image, First, Second) {
		return false
	}
	for d := range to {
		if g.mover[First].steps[d] != g.mover[Second].steps[to[d]] {
			return false
		}
	}
	for _, w := range g.mover[First].ways {
		if w.kind != wayLeap && !g.hasWay(Second, w.kind, to[w.direction]) {
			return false
		}
	}
	same := func(a, b Bits) bool { return grid.Permute(a, g.image) == b }
	mine, yours := &g.goal[First], &g.goal[Second]
	edges := same(mine.edges[0], yours.edges[0]) && same(mine.edges[1], yours.edges[1]) ||
		same(mine.edges[0], yours.edges[1]) && same(mine.edges[1], yours.edges[0])
	return edges && same(mine.reach, yours.reach) && same(mine.shutIn, yours.shutIn) &&
		same(g.zone[First], g.zone[Second]) &&
		same(g.home[First], g.home[Second])
}

func (g *Game) hasWay(side int, kind wayKind, direction int) bool {
	for i := range g.mover[side].ways {
		if w := &g.mover[side].ways[i]; w.kind == kind && w.direction == direction {
			return true
		}
	}
	return false
}

// keepsWays reports whether an image maps the directions of a side's pieces to directions of the same side.
func (g *Game) keepsWays(p []Cell) bool {
	to, ok := g.directionMap(p)
	for side := range g.mover {
		for i := range g.mover[side].ways {
			w := &g.mover[side].ways[i]
			if ok = ok && (w.kind == wayLeap || g.hasWay(side, w.kind, to[w.direction])); !ok {
				return false
			}
		}
		for d, on := range g.mover[side].steps { // clones have no ways of their own
			ok = ok && on == g.mover[side].steps[to[d]]
		}
	}
	for d := range to {
		ok = ok && g.custodian>>d&1 == g.custodian>>to[d]&1
	}
	return ok
}

// directionMap returns the image of each direction. The second result is false if a direction has several images.
func (g *Game) directionMap(p []Cell) (to [8]int, ok bool) {
	image := func(c Cell) Cell {
		if c == NoCell {
			return c
		}
		return p[c]
	}
	for d := range g.grid.To {
		into, all := 0, false
		for ; into < len(g.grid.To) && !all; into++ {
			all = true
			for c := 0; c < g.grid.Cells && all; c++ {
				all = !g.grid.Board.Has(Cell(c)) || image(g.grid.To[d][c]) == g.grid.To[into][p[c]]
			}
		}
		if !all {
			return to, false
		}
		to[d] = into - 1
	}
	return to, true
}

// keepsLines reports whether an image maps the lines of each side to lines of the same side.
func (g *Game) keepsLines(p []Cell) bool {
	return g.takesLines(p, First, First) && g.takesLines(p, Second, Second)
}

// takesLines reports whether an image maps the winning and losing lines of one side to those of another.
func (g *Game) takesLines(p []Cell, from, to int) bool {
	takes := func(from, to []grid.Window) bool {
		lines := map[Bits]bool{}
		for _, w := range to {
			lines[w.Cells] = true
		}
		return !slices.ContainsFunc(from, func(w grid.Window) bool {
			return !lines[grid.Permute(w.Cells, p)]
		})
	}
	losing := func(side int) []grid.Window {
		if l := g.goal[side].shapes[ByLosingLine]; l != nil {
			return l.windows
		}
		return nil
	}
	return takes(g.line.Windows[from], g.line.Windows[to]) && takes(losing(from), losing(to))
}
