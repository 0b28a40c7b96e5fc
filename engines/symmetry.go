package engines

import (
	"slices"

	"spar/engines/grid"
	"spar/engines/rules"
)

// Symmetries returns the permutations of the cells that keep the rules the same for both sides, the identity first:
// rotations, reflections and, on wrapped boards, translations. Entry i of a permutation is the image of cell i. If
// pieces that are captured together get ages in the order of their cells, the identity is the only symmetry. The caller
// must not change the slices.
func (g *Game) Symmetries() [][]Cell { return g.symmetries }

// PlaySymmetries returns the permutations that keep the rules the same for both sides after the start: those of
// Symmetries, and those under which only the start position differs. The identity is the first.
func (g *Game) PlaySymmetries() [][]Cell { return g.findSymmetries(false) }

// findSymmetries returns the board symmetries that keep the rules; if start is set, they must also keep the start
// position. It returns only the identity if captured pieces get ages in the order of their cells.
func (g *Game) findSymmetries(start bool) [][]Cell {
	same := rules.MechanicsOf(rules.AnyWhere(), rules.AnyTurns(), rules.Pie, rules.Falling, rules.AnyMoves(),
		rules.AnyLines(), rules.BoardEnds(), rules.RepeatWins,
		rules.QuietDraws, rules.StuckEnds(), rules.AnyBoard(), rules.Bends,
		rules.OtherGoals(), rules.OtherMoves().Without(rules.StraightJumps), rules.AnyCaptures(), rules.FullWins,
		rules.AnyKinds(), rules.Removals, rules.SharedPieces, rules.Unequal, rules.SecondTurns, rules.Settles, rules.Seats)
	ages := rules.MechanicsOf(same, rules.AnyAges(), rules.Reuse)
	surrounds := rules.MechanicsOf(same, rules.Surrounds, rules.Cascades, rules.Removes)
	all := g.grid.Images()
	if g.fifo && g.flips ||
		!g.uses.Only(ages) && !g.uses.Only(surrounds) && !(g.uses.Only(ages, surrounds) && g.uses.Has(rules.Removes)) {
		return all[:1]
	}
	return g.keepsPie(slices.DeleteFunc(all, func(p []Cell) bool { return !g.keepsRules(p, start) }))
}

// keepsPie removes the symmetries that are not compatible with a swap: a swap mirrors the board, and symmetric
// positions must still be symmetric afterwards.
func (g *Game) keepsPie(found [][]Cell) [][]Cell {
	if !g.pie || inPlace(g.image) {
		return found
	}
	for {
		kept := make([][]Cell, 0, len(found))
		for _, p := range found {
			turned := make([]Cell, len(p)) // first the swap, then the image that replaces p
			for c := range p {
				turned[g.image[c]] = g.image[p[c]]
			}
			if slices.ContainsFunc(found, func(q []Cell) bool { return slices.Equal(q, turned) }) {
				kept = append(kept, p)
			}
		}
		if len(kept) == len(found) {
			return kept
		}
		found = kept
	}
}

// keepsRules reports whether a symmetry of the grid also keeps the board, the regions and the direction of
// gravity; if start is set, also the pieces of the start position.
func (g *Game) keepsRules(p []Cell, start bool) bool {
	same := func(b Bits) bool { return grid.Permute(b, p) == b }
	if !same(g.grid.Board) {
		return false
	}
	if g.uses.Any(rules.AnyBoard(), rules.LineDirections) {
		to, ok := g.directionMap(p)
		if !ok || !g.keepsLines(p) {
			return false
		}
		for d := range to { // each direction at a cell and the cell behind its neighbour have their images
			for c := range Cell(len(p)) {
				_, one, _ := g.grid.Behind(c, d)
				_, other, _ := g.grid.Behind(p[c], to[d])
				if one == NoCell && other != NoCell || one != NoCell && p[one] != other {
					return false
				}
			}
		}
	}
	if g.general && !g.keepsWays(p) || g.kinds != nil && !g.keepsKinds(p, start) {
		return false
	}
	for side, stood := range g.grid.Setup(g.rules.Owners()) { // a start that an image changes would reach other positions
		if start && !g.keepsStart(stood, p) || !same(g.home[side]) || !same(g.zone[side]) ||
			!same(g.goal[side].reach) || !same(g.goal[side].shutIn) {
			return false
		}
		e := g.goal[side].edges
		if !same(e[0]) && grid.Permute(e[0], p) != e[1] || !same(e[1]) && grid.Permute(e[1], p) != e[0] {
			return false
		}
		for _, region := range g.opening[side] {
			if !same(region) {
				return false
			}
		}
	}
	if g.gravity {
		for c := range p {
			below := g.grid.To[grid.Down][c]
			if below == NoCell && g.grid.To[grid.Down][p[c]] != NoCell ||
				below != NoCell && g.grid.To[grid.Down][p[c]] != p[below] {
				return false
			}
		}
	}
	return true
}

// keepsStart reports whether a symmetry keeps the pieces of a start position. Where the oldest leaves, each piece has
// to stay in its place: those of the start are as old as their cells are early.
func (g *Game) keepsStart(stood Bits, p []Cell) bool {
	if !g.fifo {
		return grid.Permute(stood, p) == stood
	}
	for c := range stood.Each {
		if p[c] != c {
			return false
		}
	}
	return true
}

// CanonicalHash returns the same number for positions that a symmetry of the rules maps to each other. Two other
// positions have the same number with probability 2^-64.
func (s *State) CanonicalHash() uint64 {
	least := s.Hash()
	for _, p := range s.g.symmetries[1:] {
		t := s.Transform(p)
		least = min(least, t.Hash())
	}
	return least
}

// Transform returns the position with every piece moved from its cell c to p[c].
func (s *State) Transform(p []Cell) State {
	t := *s
	for side := range 2 {
		t.pieces[side] = grid.Permute(s.pieces[side], p)
		for i := range s.age[side].n {
			t.age[side].set(i, p[s.age[side].at(i)])
		}
	}
	for i := range t.plane {
		t.plane[i] = grid.Permute(s.plane[i], p)
	}
	t.dead, t.blocked, t.trail = grid.Permute(s.dead, p), grid.Permute(s.blocked, p), grid.Permute(s.trail, p)
	if t.chain != NoCell {
		t.chain = p[t.chain]
	}
	t.last = TransformMove(s.last, p)
	t.rehash()
	return t
}

// TransformMove returns the move with every cell c replaced by p[c].
func TransformMove(m Move, p []Cell) Move {
	switch {
	case m == NoMove || m.kind() == kindWord && !m.IsDrop():
		return m
	case m.IsDrop():
		return dropMove(m.drops(), p[m.To()])
	case m.kind() == kindPlace:
		return m&^CellMask | Move(p[m.To()])
	case m.kind() == kindStep:
		return stepMove(p[m.From()], p[m.To()])
	}
	return jumpMove(p[m.From()], p[m.To()])
}

// Exchange returns the permutation of the cells that a swap uses, such as the mirror image that exchanges the homes of
// the two sides. It is the identity if the rules have neither homes nor kinds. The caller must not change the slice.
func (g *Game) Exchange() []Cell {
	if g.kinds != nil {
		return g.image
	}
	if g.home[First].Empty() && g.home[Second].Empty() {
		return g.grid.Order[:g.grid.Cells]
	}
	return g.grid.Mirror
}
