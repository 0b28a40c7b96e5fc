package campaign

import (
	"testing"

	"spar/agents"
	"spar/arena"
)

// One decision costs its simulations and one; a game costs the mean of its players: ten pairs of 8 simulations against
// random play are 20 games of (9 + 1)/2.
func TestWork(t *testing.T) {
	t.Parallel()
	random, greedy, deep := agents.DefaultSpec(), agents.DefaultSpec(), agents.DefaultSpec()
	random.Type, greedy.Type, deep.Type = "random", "heuristic", "minimax"
	for _, c := range []struct {
		s    agents.Spec
		want float64
	}{{random, 1}, {greedy, 1}, {deep, 30}, {treeSearch(8), 9}, {treeSearch(100), 101}} {
		if got := agentWork(c.s); got != c.want {
			t.Errorf("%s: %g, want %g", c.s.Type, got, c.want)
		}
	}
	for games, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3} {
		if got := pairsOf(games); got != want {
			t.Errorf("%d games are %d pairs, want %d", games, got, want)
		}
	}
	p := Part(load(t, "classic", nil), "x", PurposeLadder, "ladder", 10, arena.Openings{Plies: 1}, Tiers([]int64{8}))
	if got := PartWork(p); got != 20*5 || PartGames(p) != 20 {
		t.Errorf("%d games of work %g, want 20 of 100 in all", PartGames(p), got)
	}
	c := tiny(t, "classic")
	want := c.stepsAhead().Work / 9
	for _, p := range c.Parts() {
		want += PartWork(p)
	}
	if got := c.Work(); got != want || want <= 0 {
		t.Errorf("work %g, that of the parts is %g", got, want)
	}
}
