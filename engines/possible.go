package engines

import "slices"

// PossibleMoves returns the moves that are legal for some arrangement of pieces on the board, each once, in
// ascending order. Every legal move of every position is included. It uses only the geometry, the directions and
// the regions of each side.
func (g *Game) PossibleMoves() []Move {
	seen := map[Move]bool{}
	for side := range 2 {
		for c := range g.placesOf(side).Each {
			if m := placeMove(c); g.chosen {
				seen[m.as(placeX)], seen[m.as(placeO)] = true, true
			} else {
				seen[m] = true
			}
		}
		for c := range g.removesOf(side).Each {
			seen[removeMove(c)] = true
		}
		if g.kinds != nil {
			g.possibleKinds(side, seen)
			continue
		}
		g.mover[side].possible(g, seen)
	}
	for m, on := range map[Move]bool{Stop: g.multiJump, Swap: g.pie, Pass: g.rules.NoMoves == "pass"} {
		if on {
			seen[m] = true
		}
	}
	out := make([]Move, 0, len(seen))
	for m := range seen {
		out = append(out, m)
	}
	slices.Sort(out)
	return out
}

// placesOf returns the cells on which a side can place a piece in some position.
func (g *Game) placesOf(side int) (places Bits) {
	m := &g.mover[side]
	if g.supply > 0 || !g.moves || g.hands && !m.clone {
		places = g.zone[side]
		for ply, region := range g.opening[side] {
			if ply >= len(g.removals) || !g.removals[ply].on {
				places = places.Or(region)
			}
		}
		for b := places; g.must && !b.Empty(); b = b.Rest() {
			if !g.mayEnclose(b.First()) {
				places = places.Without(b.First())
			}
		}
	}
	for d := range g.grid.To {
		if m.clone && m.steps[d] {
			places = places.Or(g.grid.Shift(g.grid.Board, d))
		}
	}
	return places.And(g.grid.Board)
}

// mayEnclose reports whether a piece placed on a cell can enclose enemy pieces in some position.
func (g *Game) mayEnclose(c Cell) bool {
	for d := range g.grid.To {
		if g.custodian>>d&1 == 0 {
			continue
		}
		at, d := g.grid.Onward(c, d)
		for n := max(1, g.enclosed); n > 0 && at != NoCell && at != c; n-- { // the run, and the own piece behind it
			at, d = g.grid.Onward(at, d)
		}
		if at != NoCell && at != c {
			return true
		}
	}
	return false
}

// removesOf returns the cells from which a side can take a piece off the board in some position.
func (g *Game) removesOf(side int) (removes Bits) {
	if g.mill != nil {
		return g.grid.Board
	}
	for ply, removal := range g.removals {
		if removal.on {
			removes = removes.Or(g.opening[side][ply])
		}
	}
	return removes.And(g.grid.Board)
}

// possible adds the moves of a side's pieces that are legal in some position.
func (m *mover) possible(g *Game, seen map[Move]bool) {
	for c := range g.grid.Board.Each {
		for to := range g.grid.Board.Without(c).Each {
			if m.fly > 0 {
				seen[stepMove(c, to)] = true
			}
		}
		for i := range m.ways {
			w := &m.ways[i]
			if w.to[c] == NoCell {
				continue
			}
			seen[w.move(c)] = true
			for to, d := g.grid.Onward(c, w.direction); m.slide && w.kind == wayStep && to != NoCell && to != c; {
				seen[stepMove(c, to)] = true
				to, d = g.grid.Onward(to, d)
			}
		}
	}
}
