package solve_test

import (
	"fmt"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// The value of a move in a game under way, to the side that makes it: facts of tic-tac-toe that are plain to see.
func TestMoveValue(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	solved := must.Get(solve.Solve(t.Context(), g, solve.Options{}))(t)
	for _, c := range []struct{ moves, move, want string }{
		{"", "b2", "draw"},
		{"a1", "b2", "draw"},
		{"a1 b2 b1", "c1", "draw"},
		{"a1 b1 a2 b2", "a3", "win 1"},
		{"a1 b1 a2 b2", "c1", "loss 2"},
		{"a1 b1 a2 b2", "b3", "draw"}, // it closes the one line of O, who then closes X's
		{"a1 b2 a2 a3 c1 b1 b3 c2", "c3", "draw"},
	} {
		p := g.NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.moves)))
		m := must.Get(p.ParseMove(c.move))(t)
		v, ok := solved.MoveValue(p, m)
		got := v.Outcome.String()
		if v.DTW != 0 {
			got += fmt.Sprintf(" %d", v.DTW)
		}
		if !ok || got != c.want {
			t.Errorf("%s, then %s: %s, want %s", c.moves, c.move, got, c.want)
		}
	}
}

// Virtual connections prove Hex in few positions, of which proof numbers alone would need millions.
func TestProvesHex(t *testing.T) {
	t.Parallel()
	for game, nodes := range map[string]uint64{"hex5": 20, "hex7": 5000} {
		g := enginetest.Load(t, game)
		p := must.Get(solve.Prove(t.Context(), &g.NewPosition().State, solve.ProofOptions{Nodes: nodes}))(t)
		if p.AtLeast != solve.Win || solve.Instant(g) != (game == "hex5") || !solve.HasProver(g) {
			t.Errorf("%s: %+v", game, p)
		}
	}
}
