package engines

import (
	"math/bits"

	"spar/engines/grid"
)

// zoneNow returns the cells on which the side to move may place at this ply.
func (s *State) zoneNow() Bits {
	if o := s.g.opening[s.side]; int(s.ply) < len(o) {
		return o[s.ply]
	}
	return s.g.zone[s.side]
}

// placeable returns the cells on which the side to move may place, whether or not it has a piece in hand.
func (s *State) placeable() Bits {
	g := s.g
	free := s.free()
	if g.gravity {
		return g.landing(free)
	}
	if g.anywhere && int(s.ply) >= len(g.opening[0]) {
		return free
	}
	if g.reuse && s.ply+1 >= g.removeFrom {
		owner := s.side & 1
		if g.shared {
			owner = First
		}
		if int(s.age[owner].n) >= g.cap {
			free = free.Or(g.grid.Bit[s.age[owner].at(0)])
		}
	}
	return free.And(s.zoneNow())
}

// landing returns the lowest free cell of each column.
func (g *Game) landing(free Bits) Bits {
	if g.noHoles { // a free cell above an occupied one or above the floor
		above := g.grid.Shift(g.grid.Board.AndNot(free), grid.Up)
		return free.And(above.Or(g.grid.Floor))
	}
	var out Bits
	for _, column := range g.grid.Falls {
		if f := free.And(column); !f.Empty() {
			out = out.Or(g.grid.Bit[f.Last()])
		}
	}
	return out
}

// Placements returns the cells on which the side to move can place now.
func (s *State) Placements() Bits { return s.placements() }

func (s *State) placements() Bits {
	if s.g.general {
		return s.placementsGeneral()
	}
	return s.placementsPlain()
}

// placementsPlain is placements for rules outside the general path.
func (s *State) placementsPlain() Bits {
	if s.phase != phasePlace && s.hand[s.side] == 0 {
		return Bits{}
	}
	return s.placeable()
}

// canJump reports whether the piece on a cell can capture.
func (s *State) canJump(side int, from Cell) bool {
	g := s.g
	enemy := s.pieces[1-side]
	if g.grid.Beside[from].And(enemy).Empty() {
		return false
	}
	occupied := enemy.Or(s.pieces[side])
	for d := range g.grid.To {
		if over := g.grid.To[d][from]; over != NoCell && enemy.Has(over) {
			if to := g.grid.To[d][over]; to != NoCell && !occupied.Has(to) {
				return true
			}
		}
	}
	return false
}

// jumpers returns the pieces of the side to move that can jump in direction d.
func (s *State) jumpers(d int) Bits {
	g := s.g
	free := s.free()
	return g.grid.Shift(g.grid.Shift(free, d^4).And(s.pieces[1-s.side]), d^4).And(s.pieces[s.side])
}

// hasAction reports whether the side to move has a legal action other than a pass.
func (s *State) hasAction() bool {
	if s.g.general {
		return s.hasGeneralAction()
	}
	if s.swap || !s.placementsPlain().Empty() {
		return true
	}
	if s.phase != phaseMove {
		return false
	}
	g := s.g
	free := s.free()
	for d := range g.grid.To {
		if g.stepDir[d] && !g.grid.Shift(free, d^4).And(s.pieces[s.side]).Empty() {
			return true
		}
		if g.capture && !s.jumpers(d).Empty() {
			return true
		}
	}
	return false
}

// AppendMoves appends every legal move to dst and returns it: placements by cell, swap, steps and jumps by
// starting cell and direction, stop. It appends nothing if the game is over.
func (s *State) AppendMoves(dst []Move) []Move {
	g := s.g
	switch {
	case s.result != Ongoing:
		return dst
	case g.general:
		return s.appendGeneral(dst)
	case s.chain != NoCell:
		return append(s.appendJumps(dst, s.g.grid.Bit[s.chain]), Stop)
	}
	if g.listsFree && int(s.ply) >= len(g.opening[0]) {
		free := s.free()
		for w := free.Lo; w != 0; w &= w - 1 {
			dst = append(dst, Move(bits.TrailingZeros64(w))|Move(NoCell)<<grid.CellBits)
		}
		for w := free.Hi; w != 0; w &= w - 1 {
			dst = append(dst, Move(64+bits.TrailingZeros64(w))|Move(NoCell)<<grid.CellBits)
		}
		return dst
	}
	start := len(dst)
	if s.phase == phaseMove && g.forced {
		if dst = s.appendJumps(dst, s.pieces[s.side]); len(dst) > start {
			return dst
		}
	}
	for b := s.placementsPlain(); !b.Empty(); b = b.Rest() {
		dst = append(dst, placeMove(b.First()))
	}
	if s.swap {
		dst = append(dst, Swap)
	}
	if s.phase == phaseMove {
		if g.steps {
			dst = s.appendSteps(dst)
		}
		if g.capture && !g.forced {
			dst = s.appendJumps(dst, s.pieces[s.side])
		}
	}
	if len(dst) == start {
		dst = append(dst, Pass)
	}
	return dst
}

func (s *State) appendSteps(dst []Move) []Move {
	g := s.g
	free := s.free()
	for own := s.pieces[s.side]; !own.Empty(); own = own.Rest() {
		from := own.First()
		for b := g.stepTo[from].And(free); !b.Empty(); b = b.Rest() {
			dst = append(dst, stepMove(from, b.First()))
		}
	}
	return dst
}

func (s *State) appendJumps(dst []Move, own Bits) []Move {
	g := s.g
	enemy := s.pieces[1-s.side]
	occupied := enemy.Or(s.pieces[s.side])
	for ; !own.Empty(); own = own.Rest() {
		from := own.First()
		if g.grid.Beside[from].And(enemy).Empty() {
			continue
		}
		for d := range g.grid.To {
			over := g.grid.To[d][from]
			if over == NoCell || !enemy.Has(over) {
				continue
			}
			if to := g.grid.To[d][over]; to != NoCell && !occupied.Has(to) {
				dst = append(dst, jumpMove(from, to))
			}
		}
	}
	return dst
}

// MoveCount returns the number of legal moves.
func (s *State) MoveCount() int {
	if s.result == Ongoing && s.g.placesOnly {
		n := s.placements().Count()
		if s.swap {
			n++
		}
		return max(n, 1) // a side without an action passes
	}
	var buffer [1024]Move
	return len(s.AppendMoves(buffer[:0]))
}
