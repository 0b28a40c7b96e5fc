package engines

import (
	"spar/engines/grid"
	"spar/engines/rules"
)

// Values of position.taking: the kind of move that made a mill. The move is complete only after a piece has been
// taken.
const (
	takingMoved  = 1
	takingPlaced = 2
)

// enclose captures enemy pieces in a straight run between the piece that has arrived and another piece of its
// owner. It reports whether there were any.
func (s *State) enclose(owner int, c Cell) bool {
	g := s.g
	if g.custodian == 0 {
		return false
	}
	hit := s.encloses(owner, c)
	for b := hit; !b.Empty(); b = b.Rest() {
		s.take(1-owner, b.First())
		if g.flips {
			s.put(owner, b.First())
		}
	}
	return !hit.Empty()
}

// encloses returns the enemy pieces that a piece of an owner on a cell encloses.
func (s *State) encloses(owner int, c Cell) (hit Bits) {
	g := s.g
	switch {
	case g.grid.Beside[c].And(s.pieces[1-owner]).Empty():
		return hit
	case g.encloser != nil:
		return Bits{Lo: g.encloser.Enclosed(1<<(c&63), s.pieces[owner&1].Lo, s.pieces[(1-owner)&1].Lo)}
	}
	for d := range g.grid.To {
		if g.custodian>>d&1 == 0 {
			continue
		}
		var run Bits
		at, d := g.grid.Onward(c, d)
		for at != NoCell && s.pieces[1-owner].Has(at) && !run.Has(at) {
			run = run.Or(g.grid.Bit[at])
			at, d = g.grid.Onward(at, d)
		}
		n := run.Count()
		if at != NoCell && at != c && s.pieces[owner].Has(at) && n > 0 && (g.enclosed == 0 || n == g.enclosed) {
			hit = hit.Or(run)
		}
	}
	return hit
}

// brackets returns the free cells on which a piece of a side would enclose enemy pieces.
func (s *State) brackets(side int) Bits {
	g := s.g
	own, enemy := s.pieces[side&1], s.pieces[(1-side)&1]
	free := s.free()
	var out Bits
	if g.encloser != nil {
		return Bits{Lo: g.encloser.Brackets(own.Lo, enemy.Lo) & free.Lo}
	}
	if g.grid.Bent {
		for ; !free.Empty(); free = free.Rest() {
			if c := free.First(); !s.encloses(side&1, c).Empty() {
				out = out.With(c)
			}
		}
		return out
	}
	for d := range g.grid.To {
		if g.custodian>>d&1 == 0 {
			continue
		}
		t := g.grid.Shift(own, d).And(enemy)
		for n := 1; !t.Empty(); n++ {
			next := g.grid.Shift(t, d)
			if g.enclosed == 0 || n == g.enclosed {
				out = out.Or(next.And(free))
			}
			t = next.And(enemy)
		}
	}
	return out
}

// closesMill reports whether the piece that arrived on a cell completes a mill, and the enemy has a piece that can
// be taken for it.
func (s *State) closesMill(side int, c Cell, placed bool) bool {
	g := s.g
	return g.mill != nil && !(placed && g.rules.Mill.Moved) && s.pieces[side].Has(c) &&
		g.mill.held(s.pieces[side], c) && !s.millTargets(1-side).Empty()
}

// millTargets returns the pieces of a side that an enemy mill may take: those outside mills, or all pieces if every one
// is in a mill.
func (s *State) millTargets(side int) Bits {
	safe := Bits{}
	b := s.pieces[side]
	for i := range s.g.mill.windows {
		if w := &s.g.mill.windows[i]; b.Contains(w.Cells) && b.And(w.Guard).Empty() {
			safe = safe.Or(w.Cells)
		}
	}
	if rest := b.AndNot(safe); !rest.Empty() {
		return rest
	}
	return b
}

// removal describes a ply of the opening in which players may take one of their own pieces off the board.
type removal struct{ on, beside bool }

func (g *Game) buildCaptures() {
	r := &g.rules
	if !r.Custodian.Effect.IsZero() {
		g.custodian = rules.DirectionMask(r.Custodian.Directions, First) &^ g.grid.EmptyDirections()
		g.enclosed = r.Custodian.Length
		g.flips = r.Custodian.Effect == "flip"
		g.must = r.Custodian.Must
		if g.grid.Flat && !g.grid.Bent && g.enclosed == 0 {
			g.encloser = &Encloser{}
			for d := range g.grid.Hops {
				if g.custodian>>d&1 != 0 {
					g.encloser.hops = append(g.encloser.hops, g.grid.Hops[d])
				}
			}
		}
	}
	if n := r.Mill.Line; n > 0 {
		var windows []grid.Window
		for _, run := range g.grid.Runs(n) {
			windows = append(windows, run.Window(!r.Mill.Exact))
		}
		g.mill = newShapes(windows)
	}
	g.shared = r.Pieces.Owner == "shared"
	g.chosen = r.Pieces.Owner == "choice"
	for _, stage := range r.Placement.Opening {
		for range stage.Plies {
			g.removals = append(g.removals, removal{stage.Remove, stage.Region == "beside"})
		}
	}
	if !g.uses.Has(rules.Removals) {
		g.removals = nil
	}
}

// Encloser finds captures by enclosing on a flat board, where an enclosed run may have any length.
type Encloser struct {
	hops []grid.Hop // the directions
}

// Encloser returns the game's Encloser. It is nil if the grid is not Flat, if lines bend, or if the rules have
// no enclosing or fix the length of enclosed runs.
func (g *Game) Encloser() *Encloser { return g.encloser }

// Brackets returns the cells, empty or not, on which a piece of the side with the pieces me encloses pieces of other.
func (e *Encloser) Brackets(me, other uint64) (out uint64) {
	for i := range e.hops {
		h := &e.hops[i]
		for t := h.Shift(me) & other; t != 0; {
			next := h.Shift(t)
			out |= next
			t = next & other
		}
	}
	return out
}

// Enclosed returns the pieces in other that lie between the piece just placed, at the cell at, and another piece in me.
func (e *Encloser) Enclosed(at, me, other uint64) (out uint64) {
	for i := range e.hops {
		h := &e.hops[i]
		var run uint64
		t := h.Shift(at)
		for t&other != 0 {
			run |= t
			t = h.Shift(t)
		}
		if t&me != 0 {
			out |= run
		}
	}
	return out
}
