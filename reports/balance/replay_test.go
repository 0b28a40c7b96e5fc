package balance

import (
	"testing"

	"spar/engines/enginetest"
)

// A game of tic-tac-toe move by move: 9, 8, ... 3 moves to choose from, of which the reply b1 gives the draw away, and
// the first player keeps the win. After an opening only what the agents chose counts. Games that do not replay as the
// row says are bad.
func TestReplayOfAGame(t *testing.T) {
	t.Parallel()
	const moves = "a1 b1 b2 c3 a3 c1 a2" // the first player completes the first column
	g := enginetest.Load(t, "classic")
	for name, c := range map[string]struct {
		moves          string
		plies, opening int32
		bad            bool
		legal          int // legal moves of all plies that agents played
		at             int32
	}{
		"from the start":    {moves, 7, 0, false, 42, 7},
		"after a move":      {moves, 7, 1, false, 33, 7},
		"after the mistake": {moves, 7, 2, false, 25, 7},
		"all opening":       {moves, 7, 7, false, 0, 7},
		"cut off":           {"a1 b1 b2", 3, 0, false, 24, 3},
		"of another length": {moves, 6, 0, true, 0, 0},
		"a taken cell":      {"a1 a1", 2, 0, true, 0, 0},
		"no cell":           {"a1 z9", 2, 0, true, 0, 0},
		"after its end":     {moves + " b3", 8, 0, true, 0, 0},
	} {
		d := newGroup(newPass(&Data{Label: "r"}, nil), "k", "mirror", "x")
		r := newReplayer(g)
		for again := range 3 {
			rec := &record{plies: c.plies, opening: c.opening, half: 2, group: d}
			r.run(c.moves, rec)
			legal := 0
			for _, n := range rec.legal {
				legal += int(n)
			}
			if rec.bad != c.bad || !c.bad && (legal != c.legal || rec.swapped || rec.prefixN != c.at) {
				t.Errorf("%s, time %d: %+v", name, again+1, rec.replay)
			}
		}
	}
}
