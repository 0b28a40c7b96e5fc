package agents

import (
	"slices"

	"spar/engines"
)

// restriction removes moves from an agent's choice, as long as other moves remain.
type restriction struct {
	neverCaptures bool
	centre        engines.Bits
	moves         []engines.Move
	next          engines.State
}

func newRestriction(m Mixture, g *engines.Game) *restriction {
	if !m.NeverCaptures && !m.NeverCentre {
		return nil
	}
	r := &restriction{neverCaptures: m.NeverCaptures}
	if m.NeverCentre {
		for c := range g.Cells() {
			x, y := c%g.Columns(), c/g.Columns()
			if abs(2*x-g.Columns()+1) <= 1 && abs(2*y-g.Rows()+1) <= 1 {
				r.centre = r.centre.With(engines.Cell(c))
			}
		}
	}
	return r
}

func abs(x int) int { return max(x, -x) }

// allowed returns the moves that may be chosen; nil means all.
func (r *restriction) allowed(p *engines.Position) []engines.Move {
	if r == nil {
		return nil
	}
	r.moves = p.AppendMoves(r.moves[:0])
	enemy := p.Pieces(1 - p.Side()).Count()
	kept := slices.DeleteFunc(slices.Clone(r.moves), func(m engines.Move) bool {
		if m.IsPlacement() && r.centre.Has(m.To()&engines.CellMask) {
			return true
		}
		if !r.neverCaptures {
			return false
		}
		r.next.CopyFrom(&p.State)
		r.next.Play(m)
		return m != engines.Swap && r.next.Pieces(1-p.Side()).Count() < enemy
	})
	if len(kept) == 0 {
		return nil
	}
	return kept
}
