package arena

import (
	"testing"

	"spar/engines"
)

// What was played is pairs of each match-up, where there is more than one: of pairings under rules.
func TestRoundsFinished(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pairs, rules int
		pairings     int64
		want         string
	}{
		{4, 1, 1, "all 4 pairs played"},
		{1, 1, 1, "the one pair played"},
		{4, 1, 6, "all 4 pairs of each match-up played"},
		{4, 2, 1, "all 4 pairs of each match-up played"},
		{1, 2, 3, "the one pair of each match-up played"},
	} {
		r := &rounds{t: &Tournament{Plan: Plan{Pairs: c.pairs}, Rules: make([]*engines.Game, c.rules)}, who: pairings{n: c.pairings}, round: c.pairs}
		if _, got := r.stage(nil); got != c.want {
			t.Errorf("%d pairs of %d pairings under %d rules: %s, want %s", c.pairs, c.pairings, c.rules, got, c.want)
		}
	}
}
