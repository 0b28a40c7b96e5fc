package standings

import (
	"errors"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/ratings"
)

// How far ratings go from game to game: 75 % and 50 % of the points are 95 and 0 Elo from the mean of two, whose
// standard deviation is 95.4/√2; a game that all agents play alike moves nothing.
func TestSpreadOfRatings(t *testing.T) {
	t.Parallel()
	var b ratings.Builder
	for game, wins := range map[string]int64{"ctor": 60, "checkerboard": 40} {
		must.Do(t, errors.Join(b.AddPairs("a", "b", game, ratings.FirstWins, ratings.SecondWins, wins),
			b.AddPairs("a", "b", game, ratings.SecondWins, ratings.FirstWins, 80-wins)))
	}
	p := Pool{Table: b.Table(), Played: 320}
	must.Do(t, p.Rate(ratings.Options{PerStratum: true}))
	if got := p.spread([]string{"checkerboard", "ctor"}); !strings.Contains(got, "(standard deviation 67, 2 games)") ||
		!strings.Contains(got, " ranges from -95 to +0 Elo") && !strings.Contains(got, " ranges from +0 to +95 Elo") {
		t.Error(got)
	}
	if got := p.spread([]string{"ctor"}); got != "" {
		t.Errorf("from one game: %q", got)
	}
}
