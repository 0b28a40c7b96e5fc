package engines

import (
	"fmt"
	"slices"
)

// way is one way in which pieces of a side can move: a step, a leap, a capture by replacement or a jump, in one
// direction.
type way struct {
	kind      wayKind
	direction int // direction, for steps and jumps
	to        [CellSpace]Cell
	over      [CellSpace]Cell // for each cell, the cell that a jump from there goes over
	// shifts from the target of a way (for a jump, the cell it goes over) back to the start
	back   []shiftPart
	backTo []shiftPart // for a jump: shifts from the target back to the cell that it goes over
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

// wordDirections returns the directions that a word means for a side, as bits: bit d is direction d.
func wordDirections(word string, side int) (mask uint8) {
	const e, se, s, sw, w, nw, n, ne = 1, 2, 4, 8, 16, 32, 64, 128
	ahead, behind := [2]uint8{n, s}[side], [2]uint8{s, n}[side]
	switch word {
	case "king":
		return 255
	case "rook":
		return e | s | w | n
	case "bishop":
		return se | sw | nw | ne
	case "forward":
		return ahead
	case "backward":
		return behind
	case "sideways":
		return e | w
	case "forward_diagonal":
		return [2]uint8{nw | ne, sw | se}[side]
	case "backward_diagonal":
		return [2]uint8{sw | se, nw | ne}[side]
	}
	return 0
}

// directionMask returns the directions that a list of words means; an empty list means all.
func directionMask(words []string, side int) (mask uint8) {
	if len(words) == 0 {
		return 255
	}
	for _, w := range words {
		mask |= wordDirections(w, side)
	}
	return mask
}

// takes reports whether moves can capture.
func (m *Movement) takes() bool { return m.Capture && m.Captured != "stay" || len(m.Take) > 0 }

// moves reports whether pieces can move at all.
func (m *Movement) moves() bool {
	return m.Steps != "none" || m.Capture || len(m.Take) > 0 || len(m.Leaps) > 0 || m.Fly > 0
}

func (g *Game) buildMovers() {
	for side := range 2 {
		m := g.rules.Of(side).Movement
		w := &g.mover[side]
		*w = mover{
			slide: m.Slide, clone: m.Clone, multi: m.Capture && m.MultiJump, forced: m.ForcedCapture, straight: m.Straight,
			returns: m.Captured == "return", stays: m.Captured == "stay", fly: m.Fly,
			overOwn: m.JumpOver == "friend" || m.JumpOver == "any", overFoe: m.JumpOver != "friend",
		}
		steps := directionMask(m.Directions, side) & wordDirections(m.Steps, side)
		var takes, jumps uint8
		if len(m.Take) > 0 {
			takes = directionMask(m.Take, side)
		}
		if m.Capture {
			jumps = directionMask(m.Jumps, side)
		}
		empty := g.emptyDirections()
		steps, takes, jumps = steps&^empty, takes&^empty, jumps&^empty
		for d := range g.to {
			if w.steps[d] = steps>>d&1 != 0; w.steps[d] && !w.clone {
				w.ways = append(w.ways, g.newWay(wayStep, d, func(c Cell) (Cell, Cell) { return g.to[d][c], NoCell }))
			}
		}
		for _, p := range leapOffsets(m.Leaps) {
			w.ways = append(
				w.ways,
				g.newWay(wayLeap, 0, func(c Cell) (Cell, Cell) { return g.at(c, p.x, p.y), NoCell }),
			)
		}
		for d := range g.to {
			if takes>>d&1 != 0 {
				w.ways = append(w.ways, g.newWay(wayTake, d, func(c Cell) (Cell, Cell) { return g.to[d][c], NoCell }))
			}
			if jumps>>d&1 != 0 {
				w.ways = append(w.ways, g.newWay(wayJump, d, func(c Cell) (Cell, Cell) {
					over := g.to[d][c]
					if over == NoCell {
						return NoCell, NoCell
					}
					return g.to[d][over], over
				}))
			}
		}
	}
}

// emptyDirections returns the directions in which no cell has a neighbour.
func (t *topology) emptyDirections() (mask uint8) {
	for d := range t.to {
		any := false
		for _, n := range t.to[d] {
			any = any || n != NoCell
		}
		if !any {
			mask |= 1 << d
		}
	}
	return mask
}

// leapOffsets returns the offsets of all leaps, each once.
func leapOffsets(leaps []string) []point {
	var out []point
	for _, text := range leaps {
		var x, y int
		if n, err := fmt.Sscanf(text, "%d,%d", &x, &y); n < 2 || err != nil {
			continue // Validate refuses it
		}
		for _, p := range []point{{x, y}, {y, x}} {
			for _, q := range []point{{p.x, p.y}, {-p.x, p.y}, {p.x, -p.y}, {-p.x, -p.y}} {
				if !slices.Contains(out, q) {
					out = append(out, q)
				}
			}
		}
	}
	return out
}

func (g *Game) newWay(kind wayKind, direction int, from func(Cell) (to, over Cell)) way {
	w := way{kind: kind, direction: direction}
	first, second := map[int]Bits{}, map[int]Bits{} // by how far the way goes
	add := func(by map[int]Bits, from, to Cell) { by[int(to)-int(from)] = by[int(to)-int(from)].With(to) }
	for c := range w.to {
		w.to[c], w.over[c] = NoCell, NoCell
		if c >= g.cells || !g.board.Has(Cell(c)) {
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
	w.back, w.backTo = g.backParts(first), g.backParts(second)
	return w
}

// backParts returns the shifts that move cells back by given distances, which are the keys of the map.
func (g *Game) backParts(by map[int]Bits) (out []shiftPart) {
	for n := -g.cells; n <= g.cells; n++ {
		if mask, ok := by[n]; ok {
			out = append(out, shiftPart{mask: mask, up: uint(max(-n, 0)), down: uint(max(n, 0))})
		}
	}
	return out
}

func shiftAll(b Bits, parts []shiftPart) (out Bits) {
	for i := range parts {
		p := &parts[i]
		m := b.And(p.mask)
		if p.up > 0 {
			m = m.shl(p.up)
		} else {
			m = m.shr(p.down)
		}
		out = out.Or(m)
	}
	return out
}

// goers returns the pieces of the side to move that can move in this way now. For slides it considers only the
// first cell.
func (s *State) goers(w *way) Bits {
	g, side := s.g, s.side&1
	own, enemy := s.pieces[side], s.pieces[1-side]
	m := &g.mover[side]
	switch w.kind {
	case wayTake:
		return shiftAll(enemy, w.back).And(own)
	case wayJump:
		var over Bits
		if m.overFoe {
			over = enemy
		}
		if m.overOwn {
			over = over.Or(own)
		}
		return shiftAll(shiftAll(g.board.AndNot(own.Or(enemy)), w.backTo).And(over), w.back).And(own)
	}
	return shiftAll(g.board.AndNot(own.Or(enemy)), w.back).And(own)
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
	free := g.board.AndNot(s.pieces[0].Or(s.pieces[1]))
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
			dst = append(dst, w.move(c))
			if w.kind != wayStep || !m.slide {
				continue
			}
			for to := w.to[w.to[c]]; to != NoCell && free.Has(to) && to != c; to = w.to[to] {
				dst = append(dst, stepMove(c, to))
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
	return s.flies() && !s.pieces[s.side&1].Empty() && s.pieces[0].Or(s.pieces[1]) != s.g.board
}

// jumpsOn reports whether a piece that has jumped in a direction can jump again.
func (s *State) jumpsOn(side int, from Cell, direction int) bool {
	m := &s.g.mover[side&1]
	for i := range m.ways {
		if w := &m.ways[i]; w.kind == wayJump && (!m.straight || w.direction == direction) && s.goers(w).Has(from) {
			return true
		}
	}
	return false
}

// generalMobility is Mobility for rules on the general path.
func (s *State) generalMobility(side int) (steps, jumps int) {
	t := *s
	t.side = uint8(side & 1)
	for i := range s.g.mover[side&1].ways {
		w := &s.g.mover[side&1].ways[i]
		if n := t.goers(w).Count(); w.kind == wayTake || w.kind == wayJump {
			jumps += n
		} else {
			steps += n
		}
	}
	return steps, jumps
}

// advances reports whether every move captures a piece permanently or moves one forward. A game without placements
// must then end.
func (g *Game) advances() bool {
	if g.uses.Any(Returns, Clones, Flying, Ages) || g.threshold > 0 && g.convert || g.flips {
		return false
	}
	for side := range g.mover {
		m := &g.mover[side]
		for i := range m.ways {
			w := &m.ways[i]
			if w.kind == wayTake || w.kind == wayJump && !m.stays && !m.overOwn {
				continue
			}
			if w.kind == wayLeap ||
				(wordDirections("forward", side)|wordDirections("forward_diagonal", side))>>w.direction&1 == 0 ||
				g.wrapY ||
				g.drawn != nil {
				return false
			}
		}
	}
	return true
}
