package arena

import (
	"strings"
	"testing"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

// In a mirror match each agent has both seats in every game, the two games of a pair have the same opening and are
// games of their own; a ladder lets each agent play the one before, with swapped seats.
func TestMirrorAndLadder(t *testing.T) {
	t.Parallel()
	plan := `
name: NAME
games: [vanishing]
agents: [random, greedy, {agent: mcts-100, name: searcher, set: {budget.iterations: 8, mcts.temperature: 0.5}}]
format: ladder
pairs: 6
openings: {plies: 2}
`
	for name, want := range map[string][][2]string{
		"mirror": {{"random", "random"}, {"greedy", "greedy"}, {"searcher", "searcher"}},
		"ladder": {{"greedy", "random"}, {"searcher", "greedy"}},
	} {
		tour := must.Get(LoadPlan("plan.yaml", []byte(strings.ReplaceAll(plan, "NAME", name))))(t)
		tour.Format = name
		db := storetest.New(t)
		must.Get(Run(t.Context(), t.Context(), tour, db, Options{}))(t)
		rows := storetest.Games(t, db, store.Filter{})
		if len(rows) != 12*len(want) {
			t.Fatalf("%s: %d games, want %d", name, len(rows), 12*len(want))
		}
		different := 0
		for i := 0; i < len(rows); i += 2 {
			a, b := rows[i], rows[i+1]
			pair := want[i/2%len(want)]
			if a.FirstName != pair[0] || a.SecondName != pair[1] || b.FirstName != pair[1] || b.SecondName != pair[0] {
				t.Errorf("%s: pair %d is %s - %s and %s - %s, want %v", name, a.Pair, a.FirstName, a.SecondName, b.FirstName,
					b.SecondName, pair)
			}
			if a.Opening != b.Opening || strings.Join(strings.Fields(a.Moves)[:2],
				" ") != strings.Join(strings.Fields(b.Moves)[:2], " ") {
				t.Errorf("%s: the games of pair %d begin differently", name, a.Pair)
			}
			if a.Moves != b.Moves {
				different++
			}
		}
		if different < 3*len(want) {
			t.Errorf("%s: only %d of %d pairs have two different games", name, different, len(rows)/2)
		}
	}
}
