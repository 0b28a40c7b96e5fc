package table

import (
	"errors"
	"slices"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// A player is named as a study names him: an agent with its knobs, the one by whose evaluation it plays among them.
func TestNamesOfPlayers(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Player{
		"human": {}, "greedy": {Agent: "greedy"}, "mcts-100[seed=1]": {Agent: "mcts-100", Set: []string{"seed=1"}},
		"mcts-100[seed=1,eval=greedy]": {Agent: "mcts-100", Set: []string{"seed=1"}, Eval: "greedy"}, "mcts-100[eval=greedy]": {Agent: "mcts-100", Eval: "greedy"},
	} {
		if p.String() != want || p.Person() != (want == "human") {
			t.Errorf("%+v is %s, want %s", p, p, want)
		}
	}
}

// Moves are kept as far as they are legal, and the first that is not is named by its ply.
func TestKeep(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	if kept, err := Keep(g, []string{"b2", "a1"}); err != nil || len(kept) != 2 {
		t.Errorf("%v, %v", kept, err)
	}
	kept, err := Keep(g, []string{"b2", "a1", "b2", "c3"})
	var at engines.PlyError
	if !errors.As(err, &at) || at.Ply != 3 || !slices.Equal(kept, []string{"b2", "a1"}) {
		t.Errorf("%v, %v", kept, err)
	}
}
