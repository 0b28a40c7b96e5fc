package engines

import "spar/engines/rules"

// race holds the lines of a position in games in which pieces are placed anywhere and stay. A line with an enemy
// piece is broken permanently.
type race struct {
	have [2][]uint8 // for each window of a side, the number of its pieces, or broken
	open [2]int     // number of windows of each side that are not broken
	near [2]Bits    // cells that complete a line of a side
}

const broken = 1 << 7

// races are the mechanics under which a race determines how a game ends.
func races() rules.Mechanics {
	return rules.MechanicsOf(
		rules.Wraps, anyTurns(), rules.Lines, rules.LineRegions, rules.LineDirections, rules.FullBoards,
		rules.Misere, rules.Unequal, rules.SecondTurns, stuckEnds(),
	)
}

// Races reports whether Playouts.Tactical plays the game: pieces are placed on any free cell and stay, and only lines
// decide.
func (g *Game) Races() bool { return g.races }

func (g *Game) newRace() *race {
	if !g.Races() {
		return nil
	}
	r := &race{have: [2][]uint8{make([]uint8, len(g.line.windows[0])), make([]uint8, len(g.line.windows[1]))}}
	r.begin()
	return r
}

// begin sets the race to an empty board.
func (r *race) begin() {
	for side, have := range r.have {
		clear(have)
		r.open[side], r.near[side] = len(have), Bits{}
	}
}

func (r *race) copyFrom(o *race) {
	copy(r.have[0], o.have[0])
	copy(r.have[1], o.have[1])
	r.open, r.near = o.open, o.near
}

// place adds a piece, and reports whether it completes a line.
func (r *race) place(g *Game, own Bits, side int, c Cell) bool {
	line := r.near[side&1].Has(c)
	mine, others := r.have[side&1], r.have[1-side&1]
	for _, i := range g.line.indices[side&1][c] {
		if mine[i]++; int(mine[i]) == g.line.lengths[side&1]-1 {
			r.near[side&1] = r.near[side&1].Or(g.line.windows[side&1][i].Cells.AndNot(own))
		}
	}
	for _, i := range g.line.indices[1-side&1][c] {
		if others[i] < broken {
			others[i] = broken
			r.open[1-side&1]--
		}
	}
	r.near[0], r.near[1] = r.near[0].Without(c), r.near[1].Without(c)
	return line
}

// tactics is the memory of Playouts.Tactical.
type tactics struct {
	root   [2]Bits
	at     *race // race at the root
	now    *race
	played []Move  // moves of the last game
	sides  []uint8 // for each move, the side that made it
}

// Tactical plays a position to its end as a beginner would. A side completes a line if it can; otherwise it stops
// the other side from completing one; otherwise it places at random, if possible without completing a line that
// loses. The game ends as soon as no side can complete a line any more. Root is a position before s; searches pass
// the same one many times. Under rules in which other things than lines decide, it plays nothing and returns
// false.
func (p *Playouts) Tactical(root, s *State) (result Result, moves []Move, sides []uint8, ok bool) {
	g, t := p.g, &p.tactics
	if t.at == nil {
		return Ongoing, nil, nil, false
	}
	if t.root != root.pieces {
		t.at.begin()
		t.at.add(g, [2]Bits{}, root.pieces)
		t.root = root.pieces
	}
	r := t.now
	r.copyFrom(t.at)
	r.add(g, root.pieces, s.pieces)
	pieces := s.pieces
	free, n := &p.free, 0
	for b := g.grid.Board.AndNot(pieces[0].Or(pieces[1])); !b.Empty(); b = b.Rest() {
		free[n&CellMask] = b.First()
		n++
	}
	t.played, t.sides = t.played[:0], t.sides[:0]
	side, left, begun := int(s.side), s.left, s.begun
	for r.open[0]+r.open[1] > 0 {
		c := NoCell
		switch wins, blocks := r.near[side&1], r.near[1-side&1]; {
		case g.goal[side&1].misere:
			if safe := g.grid.Board.AndNot(pieces[0].Or(pieces[1]).Or(wins)); !safe.Empty() {
				c = safe.Nth(p.digits.below(safe.Count()))
			}
		case !wins.Empty():
			c = wins.First()
		case !blocks.Empty() && !g.goal[1-side&1].misere:
			c = blocks.First()
		}
		for ; c == NoCell && n > 0; n-- { // of the cells in the list some are taken
			k := p.digits.below(n)
			if at := free[k&CellMask]; !pieces[0].Or(pieces[1]).Has(at) {
				c = at
			}
			free[k&CellMask] = free[(n-1)&CellMask]
		}
		if c == NoCell {
			break
		}
		pieces[side&1] = pieces[side&1].With(c)
		t.played, t.sides = append(t.played, placeMove(c)), append(t.sides, uint8(side))
		if r.place(g, pieces[side&1], side, c) {
			if g.goal[side&1].misere {
				side = 1 - side
			}
			return Winner(side), t.played, t.sides, true
		}
		if left--; left == 0 {
			side, left = 1-side, g.perTurn
			if !begun && side == Second {
				left = g.firstTurn[Second]
			}
			begun = true
		}
	}
	return Drawn, t.played, t.sides, true
}

// add places those pieces that a position has in addition to another one.
func (r *race) add(g *Game, from, to [2]Bits) {
	for side := range 2 {
		for b := to[side].AndNot(from[side]); !b.Empty(); b = b.Rest() {
			r.place(g, to[side], side, b.First())
		}
	}
}
