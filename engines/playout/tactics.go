package playout

import (
	"spar/engines"
	"spar/engines/grid"
	"spar/engines/rules"
)

// race holds the lines of a position in games in which pieces are placed anywhere and stay. A line with an enemy
// piece is broken permanently.
type race struct {
	line *engines.Lines
	have [2][]uint8 // for each window of a side, the number of its pieces, or broken
	open [2]int     // number of windows of each side that are not broken
	near [2]Bits    // cells that complete a line of a side
}

const broken = 1 << 7

// races returns the mechanics under which a race determines how a game ends.
func races() rules.Mechanics {
	return rules.MechanicsOf(rules.Wraps, rules.AnyTurns(), rules.Lines, rules.LineRegions, rules.LineDirections,
		rules.FullBoards, rules.Misere, rules.Unequal, rules.SecondTurns, rules.StuckEnds())
}

// Races reports whether Random.Tactical can play the game: pieces are placed on any free cell and stay, and only lines
// decide.
func Races(g *engines.Game) bool {
	u := g.Mechanics()
	return u.Only(races()) && u.Has(rules.Lines) && u.Has(rules.FullBoards)
}

func newRace(g *engines.Game) *race {
	if !Races(g) {
		return nil
	}
	r := &race{line: g.Lines(), have: [2][]uint8{make([]uint8, len(g.Windows(0))), make([]uint8, len(g.Windows(1)))}}
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
func (r *race) place(own Bits, side int, c Cell) bool {
	line := r.near[side&1].Has(c)
	mine, others := r.have[side&1], r.have[1-side&1]
	for _, i := range r.line.Indices[side&1][c] {
		if mine[i]++; int(mine[i]) == r.line.Lengths[side&1]-1 {
			r.near[side&1] = r.near[side&1].Or(r.line.Windows[side&1][i].Cells.AndNot(own))
		}
	}
	for _, i := range r.line.Indices[1-side&1][c] {
		if others[i] < broken {
			others[i] = broken
			r.open[1-side&1]--
		}
	}
	r.near[0], r.near[1] = r.near[0].Without(c), r.near[1].Without(c)
	return line
}

// tactics is the memory of Random.Tactical.
type tactics struct {
	root   [2]Bits
	at     *race // race at the root
	now    *race
	played []Move  // moves of the last game
	sides  []uint8 // for each move, the side that made it
}

// Tactics reports whether Tactical can play the game: see Races.
func (p *Random) Tactics() bool { return p.tactics.at != nil }

// Tactical plays a position to its end as a beginner would. A side completes a line if it can; otherwise it stops the
// other side from completing one; otherwise it places at random, if possible without completing a line that loses.
// The game ends as soon as no side can complete a line any more. Root is a position before s; searches pass the same
// root many times. If anything other than lines decides the game, Tactical plays nothing and returns false.
func (p *Random) Tactical(root, s *State) (result Result, moves []Move, sides []uint8, ok bool) {
	t := &p.tactics
	if t.at == nil {
		return engines.Ongoing, nil, nil, false
	}
	if stood := piecesOf(root); t.root != stood {
		t.at.begin()
		t.at.add([2]Bits{}, stood)
		t.root = stood
	}
	r := t.now
	r.copyFrom(t.at)
	pieces := piecesOf(s)
	r.add(t.root, pieces)
	free, n := &p.free, p.list(pieces[0].Or(pieces[1]))
	t.played, t.sides = t.played[:0], t.sides[:0]
	side, left, begun := s.Side(), s.PliesLeft(), s.Begun()
	for r.open[0]+r.open[1] > 0 {
		c := noCell
		switch wins, blocks := r.near[side&1], r.near[1-side&1]; {
		case p.t.goal[side&1].misere:
			if safe := p.t.grid.Board.AndNot(pieces[0].Or(pieces[1]).Or(wins)); !safe.Empty() {
				c = safe.Nth(p.below(safe.Count()))
			}
		case !wins.Empty():
			c = wins.First()
		case !blocks.Empty() && !p.t.goal[1-side&1].misere:
			c = blocks.First()
		}
		for ; c == noCell && n > 0; n-- { // of the cells in the list some are taken
			k := p.below(n)
			if at := free[k&cellMask]; !pieces[0].Or(pieces[1]).Has(at) {
				c = at
			}
			free[k&cellMask] = free[(n-1)&cellMask]
		}
		if c == noCell {
			break
		}
		pieces[side&1] = pieces[side&1].With(c)
		t.played, t.sides = append(t.played, engines.PlaceMove(c)), append(t.sides, uint8(side))
		if r.place(pieces[side&1], side, c) {
			if p.t.goal[side&1].misere {
				side = 1 - side
			}
			return engines.Winner(side), t.played, t.sides, true
		}
		if left--; left == 0 {
			side, left = 1-side, p.t.perTurn
			if !begun && side == grid.Second {
				left = p.t.secondTurn
			}
			begun = true
		}
	}
	return engines.Drawn, t.played, t.sides, true
}

// add places those pieces that a position has in addition to another one.
func (r *race) add(from, to [2]Bits) {
	for side := range 2 {
		for b := to[side].AndNot(from[side]); !b.Empty(); b = b.Rest() {
			r.place(to[side], side, b.First())
		}
	}
}

func piecesOf(s *State) [2]Bits { return [2]Bits{s.Pieces(0), s.Pieces(1)} }
