package balance

import (
	"strings"
	"testing"

	"spar/ratings"
)

// A score as Elo, 400 log10 of the odds: 0.75 is 190.85. All points, or none, have no Elo: half a point goes to the
// other side, of 10 games 10.5 of 11, 528.89, and that side is open, as is one that reaches it.
func TestScoreAsElo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		score, from, to, value, lo, hi float64
		open                           [2]bool
		warn                           string
	}{
		{0.75, 0.5, 0.9, 190.8485, 0, 381.6970, [2]bool{}, ""},
		{0.75, 0, 0.9, 190.8485, 0, 381.6970, [2]bool{true, false}, ""},
		{0.75, 0.5, 1, 190.8485, 0, 0, [2]bool{false, true}, ""},
		{1, 0.75, 1, 528.8877, 190.8485, 0, [2]bool{false, true}, "no point was lost"},
		{0, 0, 0.25, -528.8877, 0, -190.8485, [2]bool{true, false}, "no point was won"},
		{1, 0.99, 1, 528.8877, 528.8877, 0, [2]bool{false, true}, "no point was lost"},
		{0, 0, 0.01, -528.8877, 0, -528.8877, [2]bool{true, false}, "no point was won"},
	} {
		got := elo(ratings.Estimate{Value: c.score, Interval: ratings.Interval{Lo: c.from, Hi: c.to}, N: 10})
		near(t, "value", got.Value, c.value)
		near(t, "lower", got.Lo, c.lo)
		near(t, "upper", got.Hi, c.hi)
		if got.LoOpen != c.open[0] || got.HiOpen != c.open[1] || got.Scale != ratings.ScaleElo || got.N != 10 ||
			!strings.HasPrefix(got.Note, c.warn) || (got.Note == "") != (c.warn == "") {
			t.Errorf("%+v: %+v", c.score, got)
		}
	}
	if got := elo(ratings.Estimate{Value: 0.5}); got != (ratings.Estimate{}) {
		t.Errorf("of no games: %+v", got)
	}
}
