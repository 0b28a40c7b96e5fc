package engines

// Symmetries returns the permutations of the cells that leave the rules as they are for both sides, the identity first:
// rotations, reflections and, on wrapped boards, translations. Entry i of a permutation is where cell i goes.
// The slices must not be changed.
func (g *Game) Symmetries() [][]Cell { return g.symmetries }

func (g *Game) findSymmetries() [][]Cell {
	var found [][]Cell
	shiftX, shiftY := 1, 1
	if w := g.rules.Board.Wrap; w == "columns" || w == "torus" {
		shiftX = g.columns
	}
	if w := g.rules.Board.Wrap; w == "rows" || w == "torus" {
		shiftY = g.rows
	}
	for turn := range 8 { // bit 0 mirrors columns, bit 1 mirrors rows, bit 2 exchanges them
		if turn&4 != 0 && (g.columns != g.rows || (shiftX > 1) != (shiftY > 1)) {
			continue
		}
		for dy := range shiftY {
			for dx := range shiftX {
				p := make([]Cell, g.cells)
				for c := range p {
					x, y := c%g.columns, c/g.columns
					if turn&4 != 0 {
						x, y = y, x
					}
					if turn&1 != 0 {
						x = g.columns - 1 - x
					}
					if turn&2 != 0 {
						y = g.rows - 1 - y
					}
					p[c] = Cell((y+dy)%g.rows*g.columns + (x+dx)%g.columns)
				}
				if g.keepsRules(p) {
					found = append(found, p)
				}
			}
		}
	}
	return found
}

// keepsRules asks whether a permutation of the board, which keeps neighbours and straight lines by its making, keeps the
// regions and the direction of gravity too.
func (g *Game) keepsRules(p []Cell) bool {
	same := func(b Bits) bool { return permute(b, p) == b }
	for side := range 2 {
		if !same(g.home[side]) || !same(g.zone[side]) {
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
			if int(p[c])/g.columns != c/g.columns {
				return false
			}
		}
	}
	return true
}

func permute(b Bits, p []Cell) Bits {
	var out Bits
	for ; !b.Empty(); b = b.Rest() {
		out = out.With(p[b.First()])
	}
	return out
}

// CanonicalHash is the same for positions that a symmetry of the rules turns into each other, and for no others but by accident
// (once in 2^64).
func (s *State) CanonicalHash() uint64 {
	least := s.Hash()
	for _, p := range s.g.symmetries[1:] {
		t := s.Transform(p)
		least = min(least, t.Hash())
	}
	return least
}

// Transform returns the position with every piece moved to where p takes its cell.
func (s *State) Transform(p []Cell) State {
	t := *s
	for side := range 2 {
		t.pieces[side] = permute(s.pieces[side], p)
		for i := range s.age[side].n {
			t.age[side].set(i, p[s.age[side].at(i)])
		}
	}
	if t.chain != NoCell {
		t.chain = p[t.chain]
	}
	t.last = TransformMove(s.last, p)
	t.rehash()
	return t
}

// TransformMove returns the move on the transformed board.
func TransformMove(m Move, p []Cell) Move {
	switch {
	case m == NoMove || m.kind() == kindWord:
		return m
	case m.kind() == kindPlace:
		return placeMove(p[m.To()])
	case m.kind() == kindStep:
		return stepMove(p[m.From()], p[m.To()])
	}
	return jumpMove(p[m.From()], p[m.To()])
}
