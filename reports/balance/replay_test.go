package balance

import (
	"math"
	"testing"

	"spar/engines/enginetest"
	"spar/engines/solve"
)

// A game of tic-tac-toe move by move: 9, 8, ... 3 moves to choose from, of which the reply b1 gives the draw away, and
// the first player keeps the win. After an opening only what the agents chose counts. Games that do not replay as the
// row says are bad.
func TestReplayOfAGame(t *testing.T) {
	t.Parallel()
	const moves = "a1 b1 b2 c3 a3 c1 a2" // the first player completes the first column
	g := enginetest.Load(t, "classic")
	table, err := solve.Solve(t.Context(), g, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for name, c := range map[string]struct {
		moves                             string
		plies, opening                    int32
		table                             *solve.Table
		bad                               bool
		legal, decisions                  int32
		choice                            float64
		rated, kept, givenUp, effects, at int32
	}{
		"from the start":    {moves, 7, 0, table, false, 42, 7, 181440, 7, 6, 1, 6, 7},
		"after a move":      {moves, 7, 1, table, false, 33, 6, 20160, 6, 5, 1, 6, 7},
		"after the mistake": {moves, 7, 2, table, false, 25, 5, 2520, 5, 5, 0, 6, 7},
		"all opening":       {moves, 7, 7, table, false, 0, 0, 1, 0, 0, 0, 6, 7},
		"unsolved":          {moves, 7, 0, nil, false, 42, 7, 181440, 0, 0, 0, 6, 7},
		"cut off":           {"a1 b1 b2", 3, 0, table, false, 24, 3, 504, 3, 2, 1, 2, 3},
		"of another length": {moves, 6, 0, table, true, 0, 0, 0, 0, 0, 0, 0, 0},
		"a taken cell":      {"a1 a1", 2, 0, table, true, 0, 0, 0, 0, 0, 0, 0, 0},
		"no cell":           {"a1 z9", 2, 0, table, true, 0, 0, 0, 0, 0, 0, 0, 0},
		"after its end":     {moves + " b3", 8, 0, table, true, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		d := newGroup(0, 9, "k", "mirror", "x")
		r := newReplayer(g, c.table)
		for again := range 3 {
			rec := &record{plies: c.plies, opening: c.opening, half: 2, group: d}
			r.run(c.moves, rec)
			if rec.bad != c.bad {
				t.Errorf("%s: bad %t", name, rec.bad)
			}
			if c.bad {
				continue
			}
			if rec.legal != c.legal || rec.decisions != c.decisions || rec.forced != 0 ||
				math.Abs(rec.logChoice-math.Log(c.choice)) > 1e-9 || rec.rated != c.rated || rec.kept != c.kept ||
				rec.givenUp != c.givenUp ||
				rec.coverage != c.at || rec.visited != c.at+1 || rec.unique != c.at+1 || rec.effects != c.effects ||
				rec.undone != 0 || rec.removed != 0 || rec.passes != 0 || rec.swapped || rec.prefixN != c.at {
				t.Errorf("%s, time %d: %+v", name, again+1, rec.replay)
			}
			if c.opening == 0 && c.at == 7 && math.Abs(rec.logTree-math.Log10(181440)) > 1e-9 {
				t.Errorf("%s: a tree of 10^%g", name, rec.logTree)
			}
		}
		r.finish()
		use := r.sums(0)
		if c.bad {
			if r.states.total != 0 || use.games != 0 {
				t.Errorf("%s: %d positions of %d games", name, r.states.total, use.games)
			}
			continue
		}
		if r.states.total != 3*int64(c.at) || r.states.visited[0] != 3 || use.games != 3 || use.z != 6 || use.zz != 12 ||
			use.occupied[0] != 3 || use.arrivals[0][0] != 3 || use.arrivals[1][0] != 0 || use.owned[0] != 3 ||
			use.ownedZ[0] != 6 {
			t.Errorf("%s: %d positions of %d games, %+v", name, r.states.total, use.games, use)
		}
		if n := len(use.choice); c.decisions > 0 && (n != int(c.at) || use.choice[n-1][10-n] != 3) || c.decisions == 0 &&
			n != 0 {
			t.Errorf("%s: choices %v", name, use.choice)
		}
	}
}
