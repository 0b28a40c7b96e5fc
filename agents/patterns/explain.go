package patterns

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/engines"
)

// Term is the contribution of one pattern to the value of a position.
type Term struct {
	Table string `json:"table" help:"kind of table; \"to move\" is the constant for the side to move"`
	// cells of the pattern; empty for hands and for the linear evaluation
	Cells string `json:"cells" help:"cells of the pattern"`
	// content of the cells in their order: . X O, or _ where a piece would come to rest; for the linear evaluation,
	// the feature
	Holds string `json:"holds" help:"content of these cells: . X O; under a cap, with the number of placements until the piece leaves"`
	// for the given side, in units of value: 100 times the logarithm of the odds
	Worth   float64 `json:"worth" help:"contribution to the value for the side to move, on the scale of the evaluation"`
	Percent float64 `json:"percent" help:"decrease of the expected score without the pattern, in percentage points"`
}

// Explain lists the contributions of the patterns to the value of an unfinished position for a side, the largest
// first, and their sum, which is the value. It omits patterns that contribute 0. The first term, "to move", is the
// part that does not depend on the board.
func (n *Net) Explain(s *engines.State, side int) (terms []Term, value float64) {
	k := n.NewCursor()
	k.Follow(s)
	value = k.Value(s, side)
	lane := n.lane(s)
	sign := 1.0
	if s.Side() != side {
		sign = -1
	}
	put := func(t Term, worth float64) {
		if worth == 0 {
			return
		}
		t.Worth = worth
		t.Percent = 100 * (n.Score(value) - n.Score(value-worth))
		terms = append(terms, t)
	}
	add := func(t Term, sum int32) { put(t, sign*float64(sum)*(100.0/unit)) }
	if n.linear != nil {
		of, _ := n.linear.Explain(s, side)
		for _, f := range of {
			put(Term{Table: "linear", Holds: f.Feature}, n.factor*f.Contribution)
		}
	}
	add(Term{Table: "to move"}, n.start[lane])
	for i, e := range k.at.entries {
		p := &n.patterns[i]
		t := Term{Table: p.table}
		if p.kind != handKind {
			t.Cells, t.Holds = n.describe(p, k.at.state)
		}
		add(t, int32(n.table[int(e)+lane]))
	}
	slices.SortStableFunc(terms, func(a, b Term) int {
		return cmp.Compare(math.Abs(b.Worth), math.Abs(a.Worth))
	})
	return terms, value
}

// describe names the cells of a pattern and the pieces on them. Under a cap it adds the number of placements that each
// piece has left, if the net distinguishes it.
func (l *Layout) describe(p *pattern, state []uint8) (cells, holds string) {
	buckets := uint8(l.arch.buckets())
	var names []string
	var b strings.Builder
	for _, place := range p.places {
		names = append(names, l.game.CellName(engines.Cell(place)))
		s := state[place]
		if s == 0 || int(s) > 2*int(buckets) {
			b.WriteByte("._"[min(s, 1)])
			continue
		}
		side, kinds := int((s-1)/buckets), l.game.Rules().Kinds
		if len(kinds) > 0 {
			b.WriteByte(kinds[(s-1)%buckets].Sign(side))
			continue
		}
		b.WriteByte("XO"[side])
		if l.arch.Ages > 0 {
			fmt.Fprint(&b, (s-1)%buckets+1)
		}
	}
	return strings.Join(names, " "), b.String()
}
