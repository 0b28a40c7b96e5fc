package agents_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/agents"
	"spar/configs/must"
	"spar/engines/enginetest"
)

func TestStrongestTable(t *testing.T) {
	t.Parallel()
	table := must.Get(agents.ShippedStrongest())(t)
	for _, r := range table.Rows {
		g := enginetest.Load(t, r.Game)
		if r.Family != g.Rules().Family || r.Cells != g.Cells() || r.Moves != g.Moves() || table.For(g)[0].Game != r.Game {
			t.Errorf("%+v is not as the game", r)
		}
	}
	for _, test := range []struct{ rules, knob, want string }{ // other names: the nearest game, in family and in size
		{"reversi", "draw.max_plies=80", "reversi"},
		{"gomoku9", "board.rows=11", "gomoku9"},
		{"hex5", "board.columns=9", "hex7"},
	} {
		g := enginetest.Load(t, test.rules, "name=other", test.knob)
		if got := table.For(g)[0].Game; got != test.want {
			t.Errorf("%s with %s takes the row of %s, want %s", test.rules, test.knob, got, test.want)
		}
	}
	must.Refuse(agents.ReadStrongest("table.yaml", []byte("searches: [mcts]\nrows:\n  - {game: x, cells: 9, seconds: 1, search: mtcs}\n")))(t, `table.yaml:3:45: unknown search "mtcs"; did you mean mcts?`)
}

// The agent plays the moves of the search that its row names, and the budget selects the row.
func TestStrongestPlaysItsSearch(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "connect4")
	rows := []agents.StrongestRow{{Seconds: 0.01, Search: "minimax"}, {Seconds: 0.1, Search: "mcts-sharp"}}
	for budget, want := range map[float64]string{0: "mcts-sharp", 0.001: "minimax", 0.03: "minimax", 0.04: "mcts-sharp", 9: "mcts-sharp"} {
		if got := agents.NearestRow(rows, budget).Search; got != want {
			t.Errorf("%g s: %s, want %s", budget, got, want)
		}
	}
	a := must.Get(agents.New(loadSpec(t, "strongest"), g))(t)
	own := agents.NearestRow(loadSpec(t, "strongest").For(g).Rows, 0).Search
	b := must.Get(agents.New(loadSpec(t, own), g))(t)
	budget, p := agents.Budget{Nodes: 300, Iterations: 300}, g.NewPosition()
	x, y := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
	for !p.Over() {
		d, err := a.Choose(context.Background(), p, budget, x)
		e, wrong := b.Choose(context.Background(), p, budget, y)
		if err != nil || wrong != nil || d.Move != e.Move || !slices.Equal(d.PV, e.PV) {
			t.Fatalf("ply %d: %v %v, %s plays %v %v", p.Ply(), d, err, own, e, wrong)
		}
		p.Play(d.Move)
	}
}
