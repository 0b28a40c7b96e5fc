package engines_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// Where ForcedDraw says so, the table of the solved game has a draw; under rules of which it knows nothing, it never
// says so.
func TestForcedDraw(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		set   []string
		knows bool
	}{
		{"classic", nil, true},
		{"classic", []string{"board.columns=4", "win.line=3"}, true},
		{"classic", []string{"board.columns=4", "board.rows=3", "win.line=4"}, true},
		{"classic", []string{"board.columns=10", "board.rows=1"}, true},
		{"classic", []string{"board.columns=4", "board.rows=3", "win.directions=[diagonals]"}, true},
		{"classic", []string{"board.columns=4", "board.rows=3", "win.line=4", "second.win={line: 3}"}, true},
		{"classic", []string{"turn.placements=2", "win.overlines=false"}, true},
		{"classic", []string{"turn.first_turn=2", "board.rows=4"}, true},
		{"classic", []string{"second.first_turn=2"}, true},
		{"classic", []string{"board.columns=4", "win.misere=true"}, true},
		{"classic", []string{"board.columns=4", "win.line=4", "lose.line=3"}, true},
		{"classic", []string{"win.majority=true"}, false},
		{"order-and-chaos", []string{"board.columns=3", "board.rows=3", "win.line=3"}, false},
		{"notakto", nil, false},
		{"vanishing", nil, false},
	} {
		g := enginetest.Load(t, c.name, c.set...)
		var table *solve.Table
		if c.knows {
			table = must.Get(solve.Solve(context.Background(), g, solve.Options{Memory: 64_000_000}))(t)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		found := 0
		for range 300 {
			for p := g.NewPosition(); !p.Over(); {
				moves := p.AppendMoves(nil)
				p.Play(moves[rng.IntN(len(moves))])
				if !p.ForcedDraw() {
					continue
				}
				found++
				if table == nil {
					continue
				}
				if v, ok := table.Lookup(&p.State); !ok || v.Outcome != solve.Draw {
					t.Fatalf("%s %q: a forced draw in %s, which is %v", c.name, c.set, p.Text(), v)
				}
			}
		}
		if found > 0 != c.knows {
			t.Errorf("%s %q: %d forced draws", c.name, c.set, found)
		}
	}
}
