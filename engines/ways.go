package engines

import (
	"slices"

	"spar/engines/grid"
	"spar/engines/rules"
)

// way is one way in which pieces of a side can move: a step, a leap, a capture by replacement or a jump, in one
// direction.
type way struct {
	kind      wayKind
	direction int // direction, for steps and jumps
	to        [CellSpace]Cell
	over      [CellSpace]Cell  // for each cell, the cell that a jump from there goes over
	back      []grid.ShiftPart // from where a piece gets to, or over, back to where it stood
	backTo    []grid.ShiftPart // for a jump: shifts from the target back to the cell that it goes over
}

type wayKind uint8

const (
	wayStep wayKind = iota
	wayLeap
	wayTake
	wayJump
)

// mover describes how the pieces of one side move on the general path.
type mover struct {
	ways     []way
	slide    bool
	clone    bool
	multi    bool
	forced   bool
	straight bool
	returns  bool
	stays    bool
	fly      int
	overOwn  bool
	overFoe  bool
	steps    [8]bool
}

func (g *Game) buildMovers() {
	for side := range 2 {
		m := g.rules.Of(side).Movement
		w := &g.mover[side]
		*w = mover{
			slide:    m.Slide,
			clone:    m.Clone,
			multi:    m.Capture && m.MultiJump.On(),
			forced:   m.ForcedCapture.On(),
			straight: m.Straight,
			returns:  m.Captured == "return",
			stays:    m.Captured == "stay",
			fly:      m.Fly,
			overOwn:  m.JumpOver == "friend" || m.JumpOver == "any",
			overFoe:  m.JumpOver != "friend",
		}
		steps := rules.DirectionMask(m.Directions, side) & rules.WordDirections(m.Steps, side)
		var takes, jumps uint8
		if len(m.Take) > 0 {
			takes = rules.DirectionMask(m.Take, side)
		}
		if m.Capture {
			jumps = rules.DirectionMask(m.Jumps, side)
		}
		empty := g.grid.EmptyDirections()
		steps &^= empty
		takes &^= empty
		jumps &^= empty
		for d := range g.grid.To {
			if w.steps[d] = steps>>d&1 != 0; w.steps[d] && !w.clone {
				w.ways = append(w.ways, g.newWay(wayStep, d, func(c Cell) (Cell, Cell) {
					return g.grid.To[d][c], NoCell
				}))
			}
		}
		for _, p := range grid.Leaps(m.Leaps) {
			w.ways = append(w.ways,
				g.newWay(wayLeap, 0, func(c Cell) (Cell, Cell) { return g.grid.At(c, p.X, p.Y), NoCell }))
		}
		for d := range g.grid.To {
			if takes>>d&1 != 0 {
				w.ways = append(w.ways, g.newWay(wayTake, d, func(c Cell) (Cell, Cell) {
					return g.grid.To[d][c], NoCell
				}))
			}
			if jumps>>d&1 != 0 {
				w.ways = append(w.ways, g.newWay(wayJump, d, func(c Cell) (Cell, Cell) {
					over, to, _ := g.grid.Behind(c, d)
					return to, over
				}))
			}
		}
	}
}

func (g *Game) newWay(kind wayKind, direction int, from func(Cell) (to, over Cell)) way {
	w := way{kind: kind, direction: direction}
	first, second := map[int]Bits{}, map[int]Bits{} // by the distance back
	add := func(by map[int]Bits, from, to Cell) { by[int(from)-int(to)] = by[int(from)-int(to)].With(to) }
	for c := range w.to {
		w.to[c], w.over[c] = NoCell, NoCell
		if c >= g.grid.Cells || !g.grid.Board.Has(Cell(c)) {
			continue
		}
		to, over := from(Cell(c))
		w.to[c], w.over[c] = to, over
		switch {
		case to == NoCell || to == Cell(c):
			w.to[c] = NoCell
		case kind == wayJump:
			add(first, Cell(c), over)
			add(second, over, to)
		default:
			add(first, Cell(c), to)
		}
	}
	w.back, w.backTo = g.grid.Parts(first), g.grid.Parts(second)
	return w
}

// goers returns the pieces of the side to move that can move in this way now. For slides it considers only the
// first cell.
func (s *State) goers(w *way) Bits { return s.goersOf(w, int(s.side)) }

// goersOf is goers for either side.
func (s *State) goersOf(w *way, side int) Bits {
	g := s.g
	side &= 1
	own, enemy := s.pieces[side], s.pieces[1-side]
	m := &g.mover[side]
	switch w.kind {
	case wayTake:
		return grid.ShiftAll(enemy, w.back).And(own)
	case wayJump:
		var over Bits
		if m.overFoe {
			over = enemy
		}
		if m.overOwn {
			over = over.Or(own)
		}
		return grid.ShiftAll(grid.ShiftAll(g.grid.Board.AndNot(own.Or(enemy)), w.backTo).And(over), w.back).And(own)
	}
	return grid.ShiftAll(g.grid.Board.AndNot(own.Or(enemy)), w.back).And(own)
}

// flies reports whether pieces of the side to move may fly to any free cell.
func (s *State) flies() bool {
	m, side := &s.g.mover[s.side&1], s.side&1
	return m.fly > 0 && s.hand[side] == 0 && s.pieces[side].Count() <= m.fly
}

// move returns the move of a piece in this way.
func (w *way) move(from Cell) Move {
	if w.kind == wayTake || w.kind == wayJump {
		return jumpMove(from, w.to[from])
	}
	return stepMove(from, w.to[from])
}

// appendWays appends the moves of the pieces in from, in ways of the given kinds.
func (s *State) appendWays(dst []Move, from Bits, captures bool) []Move {
	g := s.g
	m := &g.mover[s.side&1]
	free := s.free()
	flies := !captures && s.flies()
	if flies {
		for own := from; !own.Empty(); own = own.Rest() {
			for b := free; !b.Empty(); b = b.Rest() {
				dst = append(dst, stepMove(own.First(), b.First()))
			}
		}
	}
	for i := range m.ways {
		w := &m.ways[i]
		if (w.kind == wayTake || w.kind == wayJump) != captures || flies ||
			s.chain != NoCell && (w.kind != wayJump || m.straight && s.heading != uint8(w.direction+1)) {
			continue
		}
		for who := s.goers(w).And(from); !who.Empty(); who = who.Rest() {
			c := who.First()
			switch {
			case w.kind == wayLeap && m.slide: // a slide over joined edges may end there, too
				dst = g.appendOnce(dst, w.move(c))
			case w.kind != wayStep || !m.slide:
				dst = append(dst, w.move(c))
			case g.grid.Meets:
				for to, d := g.grid.Onward(c, w.direction); free.Has(to); to, d = g.grid.Onward(to, d) {
					dst = g.appendOnce(dst, stepMove(c, to))
				}
			default:
				for to := w.to[c]; free.Has(to); to = w.to[to] {
					dst = append(dst, stepMove(c, to))
				}
			}
		}
	}
	return dst
}

// canGo reports whether the side to move can move a piece; if capturing is set, whether it can capture by moving.
func (s *State) canGo() bool {
	m := &s.g.mover[s.side&1]
	for i := range m.ways {
		if !s.goers(&m.ways[i]).Empty() {
			return true
		}
	}
	return s.flies() && !s.pieces[s.side&1].Empty() && s.all() != s.g.grid.Board
}

// jumpsOn reports whether a piece that has jumped in a direction can jump again.
func (s *State) jumpsOn(side int, from Cell, direction int) bool {
	m := &s.g.mover[side&1]
	for i := range m.ways {
		w := &m.ways[i]
		if w.kind == wayJump && (!m.straight || w.direction == direction) && s.jumps(w, side, from) {
			return true
		}
	}
	return false
}

// jumps reports whether the piece of a side on a cell can jump in this way now.
func (s *State) jumps(w *way, side int, from Cell) bool {
	m := &s.g.mover[side&1]
	own := s.pieces[side&1]
	enemy := s.pieces[(1-side)&1]
	to, over := w.to[from], w.over[from]
	return to != NoCell && !own.Or(enemy).Has(to) && (m.overFoe && enemy.Has(over) || m.overOwn && own.Has(over))
}

// generalMobility is Mobility for rules on the general path.
func (s *State) generalMobility(side int) (steps, jumps int) {
	if s.g.kinds != nil {
		return s.kindMobility(side)
	}
	for i := range s.g.mover[side&1].ways {
		w := &s.g.mover[side&1].ways[i]
		if n := s.goersOf(w, side).Count(); w.kind == wayTake || w.kind == wayJump {
			jumps += n
		} else {
			steps += n
		}
	}
	return steps, jumps
}

// Advances reports whether each move of a side captures a piece permanently or moves a piece forward. A game without
// placements must end if this holds for both sides. It must also end if this holds for one side, passing is
// impossible and no turn has several moves.
func (g *Game) Advances(side int) bool {
	if g.uses.Any(rules.Returns, rules.Drops, rules.Clones, rules.Flying, rules.Ages) || g.threshold > 0 && g.convert ||
		g.flips || g.grid.WrapY || g.grid.Drawn != nil {
		return false
	}
	ahead := rules.WordDirections("forward", side) | rules.WordDirections("forward_diagonal", side)
	if g.kinds != nil {
		return !g.uses.Any(rules.StayingJumps, rules.JumpOvers) &&
			!slices.ContainsFunc(g.kinds.of[side], func(k pieceKind) bool {
				return k.steps&^ahead != 0 || k.leaps != [CellSpace]Bits{} // a leap can go back, too
			})
	}
	m := &g.mover[side]
	for i := range m.ways {
		w := &m.ways[i]
		if w.kind == wayTake || w.kind == wayJump && !m.stays && !m.overOwn {
			continue
		}
		if w.kind == wayLeap || ahead>>w.direction&1 == 0 {
			return false
		}
	}
	return true
}

// advances reports whether games without placements must end because pieces only go forward.
func (g *Game) advances() bool {
	one, other := g.Advances(First), g.Advances(Second)
	return one && other || (one || other) && !g.uses.Any(rules.Passes, rules.Chains)
}

// FlatWay is one kind of move on a flat board, stored as the shift from its target back to its start.
type FlatWay struct {
	Back grid.Hop
	By   int8 // target cell minus start cell
	Take bool // the target must be an enemy piece; otherwise a free cell
}

// FlatWays returns a side's kinds of move, and the directions in which its pieces are cloned. The last result is false
// if a kind of move is not a single shift on a flat board, or is a jump.
func (g *Game) FlatWays(side int) (ways []FlatWay, spread []grid.Hop, ok bool) {
	m := &g.mover[side]
	for d, on := range m.steps {
		if on && m.clone {
			spread = append(spread, g.grid.Hops[d])
		}
	}
	ok = g.grid.Flat && g.moves && !g.hands
	for i := range m.ways {
		w := &m.ways[i]
		ok = ok && w.kind != wayJump && len(w.back) <= 1
		for _, b := range w.back { // none where the way leads nowhere
			back := grid.Hop{Mask: b.Mask.Lo, Up: uint8(b.Up), Down: uint8(b.Down)}
			ways = append(ways, FlatWay{back, int8(int(b.Down) - int(b.Up)), w.kind == wayTake})
		}
	}
	return ways, spread, ok
}
