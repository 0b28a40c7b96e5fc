package oracle

import (
	"math"
	"testing"

	"spar/arena/store"
	"spar/engines"
	"spar/engines/enginetest"
)

// What the values of moves say: the best of them, of equals the first, and what the move played is
// worth. Moves that are not known count for nothing.
func TestWhatValuesSay(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	g := enginetest.Load(t, "classic")
	legal := g.NewPosition().AppendMoves(nil)[:4]
	for _, c := range []struct {
		worth  []float64
		played int // -1: none of them
		best   int
		value  float64
		said   float64
	}{
		{[]float64{0.2, 0.6, 0.6, 0.6}, 0, 1, 0.6, 0.2},
		{[]float64{1, 0, 0, 0}, 0, 0, 1, 1},
		{[]float64{0.5, 0.45, 0.4, 0.4}, 1, 0, 0.5, 0.45},
		{[]float64{nan, 0.25, nan, 0.75}, 3, 3, 0.75, 0.75},
		{[]float64{nan, 0.25, nan, 0.75}, 0, 3, 0.75, -1},
		{[]float64{0, 0, 0, 0}, -1, 0, 0, -1},
		{[]float64{nan, nan, nan, nan}, 2, 0, 0, -1},
	} {
		v := &valuer{g: g, legal: legal}
		played := engines.NoMove
		if c.played >= 0 {
			played = legal[c.played]
		}
		var out store.PositionValue
		v.rate(&out, c.worth, played)
		if out.Best != g.MoveText(legal[c.best]) || out.BestValue != c.value ||
			(out.Played != nil) != (c.said >= 0) || c.said >= 0 && *out.Played != c.said {
			t.Errorf("%v: %+v, played %v", c.worth, out, out.Played)
		}
	}
	for _, c := range []struct{ score, first, second float64 }{{0.25, 0.25, 0.75}, {1, 1, 0}} {
		if a, b := engines.OfFirst(c.score, engines.First), engines.OfFirst(c.score, engines.Second); a != c.first || b != c.second {
			t.Errorf("%g: %g and %g", c.score, a, b)
		}
	}
}
