package engines

import (
	"slices"

	"spar/engines/grid"
)

// kindsImage is swapImage for rules with kinds: an image that exchanges the sides, and their start positions if one does.
func (g *Game) kindsImage() []Cell {
	best, start := g.image, g.NewState()
	for _, p := range g.grid.Images() {
		turns := func(c Cell) bool { return p[p[c]] != c } // an exchange must undo itself
		if g.image = p; slices.ContainsFunc(p, turns) || !g.exchangesGeneral() {
			continue
		}
		t := start.Transform(p)
		if best = p; t.men == start.men && t.pieces == [2]Bits{start.pieces[Second], start.pieces[First]} {
			break
		}
	}
	return best
}

// keepsKinds reports whether an image keeps how the pieces of either side move; if start is set, also where the pieces of
// each kind stand at the start.
func (g *Game) keepsKinds(p []Cell, start bool) bool {
	s := g.NewState()
	t := s.Transform(p)
	return g.mapsKinds(p, First, First) && g.mapsKinds(p, Second, Second) && (!start || t.men == s.men)
}

// mapsKinds reports whether an image maps how the pieces of one side move to how those of another do.
func (g *Game) mapsKinds(p []Cell, from, to int) bool {
	turn, ok := g.directionMap(p)
	same := func(a, b Bits) bool { return grid.Permute(a, p) == b }
	turns := func(a, b uint8) bool {
		for d, e := range turn {
			used := slices.ContainsFunc(g.grid.To[d][:g.grid.Cells], func(c Cell) bool { return c != NoCell })
			if used && a>>d&1 != b>>e&1 {
				return false
			}
		}
		return true
	}
	ok = ok && same(g.kinds.hostile, g.kinds.hostile) && same(g.kinds.spares, g.kinds.spares) &&
		turns(g.custodian, g.custodian)
	for i := range g.kinds.of[from] {
		a, b := &g.kinds.of[from][i], &g.kinds.of[to][i]
		ok = ok && turns(a.steps, b.steps) && turns(a.takes, b.takes) && turns(a.jumps, b.jumps) &&
			turns(a.takeSlides, b.takeSlides) &&
			same(a.first, b.first) && same(a.promotes, b.promotes) && same(a.closed, b.closed) && same(a.walls, b.walls) &&
			same(a.fourSides, b.fourSides) && same(a.leaves, b.leaves) && same(a.shunned, b.shunned)
		for c, image := range p {
			ok = ok && same(a.leaps[c], b.leaps[image])
		}
	}
	return ok
}

// ShortMover describes the moves of a side's pieces of one kind, if these only step and jump to the nearest cells.
// Directions are bits.
type ShortMover struct {
	Steps, Jumps uint8
	Promotes     Bits // where they become another kind
	Becomes      int
	Stops        bool // and do so before they jump again: their turn ends
}

// ShortMovers describes how the pieces of each side and kind step and jump. Ok is false if some pieces move in another
// way, or if chains of jumps differ from English draughts.
func (g *Game) ShortMovers() (out [2][]ShortMover, ok bool) {
	k := g.kinds
	if k == nil || k.block != "" || k.late || k.drops || k.most || k.choice || k.checks ||
		g.multiJump && !k.must || g.grid.Bent {
		return out, false
	}
	for side := range out {
		for i := range k.of[side] {
			of := &k.of[side][i]
			if of.takes|of.takeSlides != 0 || of.slide || of.long || of.takeLeaps || !of.first.Empty() && of.firstSteps > 1 ||
				!of.closed.Empty() || of.when == "arrives" ||
				slices.ContainsFunc(of.leaps[:], func(b Bits) bool { return !b.Empty() }) {
				return out, false
			}
			m := ShortMover{
				Steps:    of.steps,
				Jumps:    of.jumps,
				Promotes: of.promotes,
				Stops:    of.when == "stops",
			}
			if len(of.becomes) > 0 {
				m.Becomes = of.becomes[0]
			}
			out[side] = append(out[side], m)
		}
	}
	return out, true
}
